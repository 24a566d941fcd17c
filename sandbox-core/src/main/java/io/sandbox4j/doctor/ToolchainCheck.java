package io.sandbox4j.doctor;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.sandbox4j.ExecResult;
import io.sandbox4j.ExecSpec;
import io.sandbox4j.ExecStatus;
import io.sandbox4j.SandboxException;

/**
 * The programs that commands find, looked for from inside a sandbox.
 */
final class ToolchainCheck implements DoctorCheck {

	private static final String NAME = "toolchain";

	private static final Duration TIMEOUT = Duration.ofSeconds(8);

	private static final int MAX_LENGTH = 60;

	/**
	 * What cannot be done without.
	 */
	private static final Map<String, String> NEEDED = needed();

	private static final String SCRIPT = """
			for tool in git tar base64 python3 node curl rg; do
				command -v "$tool" >/dev/null 2>&1 || { echo "absent $tool"; continue; }
				if said=$("$tool" --version 2>&1 </dev/null); then
					echo "works $tool ${said%%
			*}"
				else
					echo "broken $tool"
				fi
			done
			""";

	@Override
	public String name() {
		return NAME;
	}

	@Override
	public List<DoctorFinding> check(DoctorContext context) throws InterruptedException {
		try {
			context.isolation();
		}
		catch (SandboxException ex) {
			return List.of(DoctorFinding.warn(NAME, "Not known, as no sandbox can run.", "", "See 'isolation'."));
		}
		ExecResult result;
		try {
			result = context.session().run(ExecSpec.of("/bin/sh", "-c", SCRIPT).withTimeout(TIMEOUT));
		}
		catch (SandboxException ex) {
			return List.of(DoctorFinding.fail(NAME, "No command could be run (" + ex.code() + ").",
					"What is inside a sandbox is not known.",
					"If the application does not shut down at present, see 'isolation' and its log."));
		}
		if (result.status() != ExecStatus.EXITED || result.exitCode() != 0) {
			return List.of(
					DoctorFinding.fail(NAME + ".sh",
							"A shell script did not run (" + result.status() + ", exit code " + result.exitCode()
									+ ").",
							"Commands that need a shell fail, as most of a model's do.",
							"Give the sandboxes a working /bin/sh: see 'sandbox.rootfs'."));
		}
		return findings(result.stdoutText().lines().toList());
	}

	private static List<DoctorFinding> findings(List<String> lines) {
		List<DoctorFinding> findings = new ArrayList<>();
		List<String> works = new ArrayList<>(List.of("sh"));
		List<String> others = new ArrayList<>();
		for (String line : lines) {
			String[] words = line.split(" ", 3);
			if (words.length > 1 && words[0].equals("works")) {
				works.add(words[1] + ((words.length > 2) ? " (" + printable(words[2]) + ")" : ""));
			}
			else if (words.length > 1) {
				others.add(words[1] + (words[0].equals("broken") ? " (does not start)" : ""));
				String consequence = NEEDED.get(words[1]);
				if (consequence != null) {
					findings.add(DoctorFinding.warn(NAME + "." + words[1],
							"'" + words[1] + "' is " + words[0] + " inside a sandbox.", consequence,
							"Install it on the host, or in the tree of 'sandbox.rootfs'."));
				}
			}
		}
		findings.add(0, DoctorFinding.ok(NAME, "Inside a sandbox work " + String.join(", ", works) + "."
				+ (others.isEmpty() ? "" : " Not there: " + String.join(", ", others) + ".")));
		return findings;
	}

	// A program of the sandbox said it: the reader's terminal must not follow it.
	private static String printable(String text) {
		String plain = text.replaceAll("[^\\x20-\\x7e]", "?");
		return (plain.length() > MAX_LENGTH) ? plain.substring(0, MAX_LENGTH) + "..." : plain;
	}

	private static Map<String, String> needed() {
		Map<String, String> needed = new LinkedHashMap<>();
		needed.put("git",
				"Agents cannot see or record what they changed, and repositories cannot be fetched or handed back.");
		needed.put("tar", "Archives cannot be unpacked, so packages and copies of trees cannot be installed.");
		return needed;
	}

}
