package io.sandbox4j.doctor;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * The bubblewrap program: where it is, whose, and of which version. One that another user
 * can replace is not even asked for its version.
 */
final class BubblewrapCheck implements DoctorCheck {

	private static final String NAME = "bubblewrap";

	private static final Pattern VERSION = Pattern.compile("(\\d{1,4})\\.(\\d{1,4})");

	private static final int OLDEST_MINOR = 8;

	private static final int SETUID_SETGID = 06000;

	private static final int GROUP_OTHER_WRITE = 022;

	private static final int MAX_BYTES = 1024;

	@Override
	public String name() {
		return NAME;
	}

	@Override
	public List<DoctorFinding> check(DoctorContext context) throws Exception {
		Path configured = context.settings().executable();
		if (configured == null) {
			return List.of();
		}
		if (!Files.isRegularFile(configured) || !Files.isExecutable(configured)) {
			return List.of(fail("There is no program '" + configured + "'.",
					"Install it (Debian and Ubuntu: apt-get install bubblewrap; Fedora: dnf install bubblewrap), or "
							+ "set 'sandbox.executable' to where it is."));
		}
		Path real = configured.toRealPath();
		DoctorFinding unsafe = unsafe(real);
		return List.of((unsafe != null) ? unsafe : version(real));
	}

	private static @Nullable DoctorFinding unsafe(Path real) throws IOException {
		int mode = (int) Objects.requireNonNull(Files.getAttribute(real, "unix:mode"));
		int owner = (int) Objects.requireNonNull(Files.getAttribute(real, "unix:uid"));
		if ((mode & SETUID_SETGID) != 0) {
			return fail("'" + real + "' is setuid or setgid.", "Run 'chmod u-s,g-s " + real + "'.");
		}
		if ((mode & GROUP_OTHER_WRITE) != 0) {
			return fail("'" + real + "' can be written by other users.", "Run 'chmod go-w " + real + "'.");
		}
		if (owner != 0
				&& owner != (int) Objects.requireNonNull(Files.getAttribute(Path.of("/proc/self"), "unix:uid"))) {
			return fail("'" + real + "' belongs to another user (uid " + owner + ").",
					"Run 'chown root " + real + "'.");
		}
		return null;
	}

	private static DoctorFinding version(Path real) throws Exception {
		ProcessBuilder builder = new ProcessBuilder(real.toString(), "--version").redirectErrorStream(true);
		builder.environment().clear();
		Process process = builder.start();
		try {
			process.getOutputStream().close();
			byte[] said = process.getInputStream().readNBytes(MAX_BYTES);
			// The rest of a flood would keep it from ending.
			if (said.length == MAX_BYTES || !process.waitFor(5, TimeUnit.SECONDS)) {
				return fail("'" + real + "' does not tell its version.", "Install bubblewrap anew.");
			}
			Matcher version = VERSION.matcher(new String(said, StandardCharsets.UTF_8));
			if (process.exitValue() != 0 || !version.find()) {
				return fail("'" + real + "' does not tell its version (exit code " + process.exitValue() + ").",
						"Install bubblewrap anew.");
			}
			String number = version.group();
			boolean old = version.group(1).equals("0") && Integer.parseInt(version.group(2)) < OLDEST_MINOR;
			return old
					? fail("'" + real + "' is bubblewrap " + number + ".",
							"Install bubblewrap 0." + OLDEST_MINOR + " or later.")
					: DoctorFinding.ok(NAME, "'" + real + "' is bubblewrap " + number + ".");
		}
		finally {
			process.destroyForcibly();
		}
	}

	private static DoctorFinding fail(String summary, String remedy) {
		return DoctorFinding.fail(NAME, summary, "No sandbox is made with it.", remedy);
	}

}
