package io.sandbox4j.bubblewrap;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;

import io.sandbox4j.storage.FileOwner;
import io.sandbox4j.storage.Guests;

/**
 * How a session's sandboxes are started: the same for each of its commands until the
 * policy changes. Options and filter lie in the session's runtime directory; the
 * launcher's shell opens them for bubblewrap, which closes them before the guest runs.
 * Nothing of a command is in the launcher's arguments.
 */
final class LaunchPlan {

	/**
	 * Constant text: values come as arguments. One-digit descriptors, because dash knows
	 * no others. {@code --info-fd} writes the init's pid to standard error before
	 * anything of the guest runs.
	 */
	private static final String BWRAP = "\"$2\" --args 7 --seccomp 6 --info-fd 8 -- /bin/sh -c \"$3\" \"$4\" \"$5\" \"$6\""
			+ " 7<\"$0\" 6<\"$1\" 8>&2";

	private static final String AS_IS = "exec " + BWRAP;

	private static final String DROPPED = "exec \"$7\" --reuid=\"$8\" --regid=\"$9\" --clear-groups --no-new-privs"
			+ " --inh-caps=-all --bounding-set=-all -- " + BWRAP;

	private static final int BOOTSTRAP = 6;

	private static final int RELAY = 9;

	private final Path directory;

	private final Path arguments;

	private final List<String> alone;

	private final List<String> relayed;

	private volatile List<String> command;

	/**
	 * Creates a plan. The options are written by {@link #update}.
	 * @param directory the session's runtime directory
	 * @param sessionId the session
	 * @param bwrap the bubblewrap program
	 * @param user the guest's user
	 * @param seccomp the filter
	 * @param limits what the bootstrap sets
	 */
	LaunchPlan(Path directory, String sessionId, Path bwrap, GuestUser user, byte[] seccomp, ResourceLimits limits) {
		this.directory = directory;
		this.arguments = directory.resolve("args");
		Path filter = directory.resolve("seccomp");
		write(filter, seccomp);
		boolean drop = user.setpriv() != null;
		List<String> words = new ArrayList<>(
				List.of("/bin/sh", "-c", drop ? DROPPED : AS_IS, this.arguments.toString(), filter.toString(),
						bwrap.toString(), GuestScript.bootstrap(limits, false), Guests.marker(sessionId), "\n", ""));
		if (user.setpriv() != null) {
			FileOwner owner = user.owner();
			words.addAll(List.of(user.setpriv().toString(), String.valueOf(owner.uid()), String.valueOf(owner.gid())));
		}
		this.alone = List.copyOf(words);
		words.set(BOOTSTRAP, GuestScript.bootstrap(limits, true));
		words.set(RELAY, Relay.PROGRAM);
		this.relayed = List.copyOf(words);
		this.command = this.alone;
	}

	/**
	 * Replaces bubblewrap's options, for the sandboxes that follow. A failure leaves the
	 * old ones.
	 * @param options the options, each ended by NUL
	 * @param relay whether the sandboxes have a relay
	 */
	void update(byte[] options, boolean relay) {
		write(this.arguments, options);
		this.command = relay ? this.relayed : this.alone;
	}

	/**
	 * Returns what starts a sandbox.
	 * @return a program and its arguments
	 */
	List<String> command() {
		return this.command;
	}

	private void write(Path file, byte[] content) {
		try {
			Path fresh = this.directory.resolve(file.getFileName() + ".new");
			Files.write(fresh, content);
			Files.setPosixFilePermissions(fresh, PosixFilePermissions.fromString("rw-------"));
			Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
		}
		catch (IOException ex) {
			throw RuntimeDirectory.unusable(this.directory, "cannot be written", ex);
		}
	}

}
