package io.sandbox4j.lease;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.sandbox4j.NetworkPolicy;
import io.sandbox4j.PreparedTemplate;
import io.sandbox4j.SandboxException;
import io.sandbox4j.bubblewrap.BubblewrapBackend;

/**
 * Another application over the same directories, which ends without a goodbye.
 */
public final class LeaseChild {

	private LeaseChild() {
	}

	/**
	 * Opens a lease and writes a file, prints what became of it, and halts.
	 * @param args the state directory, the runtime directory, the journal, the template's
	 * key, the conversation, and {@code setup} to halt while the lease is set up
	 */
	public static void main(String[] args) {
		BubblewrapBackend backend = BubblewrapBackend.builder()
			.stateDirectory(Path.of(args[0]))
			.runtimeDirectory(Path.of(args[1]))
			.build();
		try {
			SandboxLeases leases = SandboxLeases.builder(backend).journal(Path.of(args[2])).build();
			LeaseSpec spec = LeaseSpec.builder(LeaseKey.forConversation(args[4]), new PreparedTemplate(args[3], true))
				.network(NetworkPolicy.denyAll())
				.idleTimeout(Duration.ofMinutes(5))
				.setup((lease) -> {
					if (args[5].equals("setup")) {
						say("halted in " + lease.session().id());
					}
				})
				.build();
			SandboxLease lease = leases.open(spec);
			lease.session().files().writeText("note", "from the child");
			say("opened " + lease.session().id());
		}
		catch (SandboxException ex) {
			say(ex.code().name());
		}
	}

	private static void say(String line) {
		System.out.println(line);
		System.out.flush();
		Runtime.getRuntime().halt(0);
	}

	static String run(LeaseExtension fixture, Path journal, String conversation, String mode)
			throws IOException, InterruptedException {
		List<String> command = new ArrayList<>();
		command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
		command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto", "-cp",
				System.getProperty("java.class.path"), LeaseChild.class.getName(), fixture.stateDirectory().toString(),
				fixture.runtimeDirectory().toString(), journal.toString(), fixture.template().key(), conversation,
				mode));
		Process child = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
		String output = new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		child.waitFor();
		List<String> lines = output.strip().lines().toList();
		return lines.isEmpty() ? "" : lines.get(lines.size() - 1);
	}

}
