package io.sandbox4j.bubblewrap;

import java.nio.charset.StandardCharsets;
import java.util.Map;

import io.sandbox4j.ExecSpec;

/**
 * The shell text of the launch protocol. The guest's {@code /bin/sh} is the init of the
 * namespace; it runs {@link #bootstrap}, says that it is ready, reads one line and
 * evaluates it. That line is {@link #commandLine}. What the program can read of it is
 * what the program was given; the bootstrap is the same for every command and holds no
 * value of any.
 * <p>
 * Descriptor 3 is the sandbox's standard error, 4 the reading end of a pipe that takes
 * what the shell itself says of a program that a signal ended: that tells such an end
 * from an exit code over 128, which {@code $?} alone does not. The program gets neither.
 * bash says nothing of such an end; where it is the guest's {@code sh}, a code over 128
 * counts as a signal.
 */
final class GuestScript {

	/**
	 * The line that says that the sandbox is built and waits for its command.
	 */
	static final String READY = "sandbox4j ready";

	/**
	 * Beyond this many bytes the command line is read by {@code head}: the shell's own
	 * {@code read} takes one byte a system call.
	 */
	private static final int LONG_LINE = 4096;

	private GuestScript() {
	}

	/**
	 * Returns the text that the namespace's init runs. Its first argument is a newline,
	 * its second the relay's program.
	 * @param limits the bounds that it sets, for good, before anything else
	 * @param relay whether it starts the relay, and waits until that listens
	 * @return the constant text
	 */
	static String bootstrap(ResourceLimits limits, boolean relay) {
		long cpu = Math.max(1, limits.cpuTime().plusMillis(999).toSeconds());
		String processes = (limits.processes() == 0) ? ""
				// dash and busybox say -p, bash says -u.
				: " && { ulimit -p " + limits.processes() + " 2>/dev/null || ulimit -u " + limits.processes() + "; }";
		String start = relay
				? "perl -e \"$2\" " + Relay.connections(limits) + " </dev/null >/dev/null 3>&- 4<&- || exit 125\n" : "";
		return """
				exec 3>&2 4<<.
				.
				PATH=/usr/bin:/bin b=${BASH_VERSION:+k}
				ulimit -c 0 && ulimit -n %d && ulimit -f %d && ulimit -S -t %d && ulimit -H -t %d%s || exit 125
				%sprintf '%s\\n' >&3
				IFS= read -r l || exit 0
				eval "$l"
				""".formatted(limits.openFiles(), limits.fileSizeBytes() / 512, cpu, cpu + 1, processes, start, READY);
	}

	/**
	 * Returns the bytes that hand a command over.
	 * @param command the command
	 * @param environment what it has besides its own environment
	 * @param mark an unguessable word that starts what the shell reports, and ends
	 * standard output
	 * @return one line, or one line and the text that it reads
	 */
	static byte[] commandLine(ExecSpec command, Map<String, String> environment, String mark) {
		StringBuilder text = new StringBuilder();
		text.append("exec 2>/proc/self/fd/4; (trap 'printf \"").append(mark).append(" F\\n\" >&3' EXIT; cd ");
		quote(text, command.cwd().toString());
		text.append(" 2>&3 || exit 1;");
		environment.forEach((name, value) -> {
			if (!command.environment().containsKey(name)) {
				export(text, name, value);
			}
		});
		command.environment().forEach((name, value) -> export(text, name, value));
		text.append(" command -v ");
		quote(text, command.executable());
		// bash runs no trap after an exec that failed: what can be known before is asked
		// before.
		text.append(" >/dev/null 2>&1 || { printf '%s: not found\\n' ");
		quote(text, command.executable());
		text.append(" >&3; exit 127; }; printf '").append(mark).append(" S\\n' >&3; exec ");
		quote(text, command.executable());
		for (String arg : command.args()) {
			text.append(' ');
			quote(text, arg);
		}
		text.append(" 2>&3 3>&- 4<&-); s=$?; exec 2>&-; m=; IFS= read -r m <&4; printf '")
			.append(mark)
			.append(" X %d %s\\n' \"$s\" \"${m:+k}$b\" >&3; printf ")
			.append(mark)
			.append('\n');
		byte[] line = text.toString().getBytes(StandardCharsets.UTF_8);
		if (line.length <= LONG_LINE) {
			return line;
		}
		byte[] head = ("eval \"$(head -c " + line.length + ")\"\n").getBytes(StandardCharsets.UTF_8);
		byte[] both = new byte[head.length + line.length];
		System.arraycopy(head, 0, both, 0, head.length);
		System.arraycopy(line, 0, both, head.length, line.length);
		return both;
	}

	private static void export(StringBuilder text, String name, String value) {
		text.append(" export ").append(name).append('=');
		quote(text, value);
		text.append(';');
	}

	// Quotes for the shell. A newline would end the line, so it comes from the
	// bootstrap's first argument.
	private static void quote(StringBuilder text, String value) {
		text.append('\'');
		for (int i = 0; i < value.length(); i++) {
			char c = value.charAt(i);
			switch (c) {
				case '\'' -> text.append("'\\''");
				case '\n' -> text.append("'\"$1\"'");
				default -> text.append(c);
			}
		}
		text.append('\'');
	}

}
