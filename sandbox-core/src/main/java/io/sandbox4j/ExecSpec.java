package io.sandbox4j;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;

/**
 * One command: a program, its arguments and its bounds. Immutable; each {@code with}
 * method returns a changed copy. No shell reads the arguments.
 * <p>
 * Everything is validated here, so that an accepted command does not fail later for its
 * form. Limits come from {@code execve(2)}: one argument or one {@code NAME=value} has at
 * most 131,071 bytes, all together at most 2,000,000.
 *
 * @since 0.1.0
 */
public final class ExecSpec {

	/**
	 * The deadline of a command that names none.
	 */
	public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(30);

	/**
	 * How many bytes of output, both streams together, are kept if the command names
	 * none.
	 */
	public static final long DEFAULT_MAX_OUTPUT_BYTES = 1024 * 1024;

	private static final Duration MAX_TIMEOUT = Duration.ofMillis(Integer.MAX_VALUE);

	private static final int MAX_STRING_BYTES = 131_071;

	private static final int MAX_TOTAL_BYTES = 2_000_000;

	private static final Pattern ENVIRONMENT_NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

	private final String executable;

	private final List<String> args;

	private final WorkspacePath cwd;

	private final Map<String, String> environment;

	private final Duration timeout;

	private final long maxOutputBytes;

	private final OutputOverflow overflow;

	private final byte[] stdin;

	private ExecSpec(String executable, List<String> args, WorkspacePath cwd, Map<String, String> environment,
			Duration timeout, long maxOutputBytes, OutputOverflow overflow, byte[] stdin) {
		this.executable = executable;
		this.args = args;
		this.cwd = cwd;
		this.environment = environment;
		this.timeout = timeout;
		this.maxOutputBytes = maxOutputBytes;
		this.overflow = overflow;
		this.stdin = stdin;
	}

	/**
	 * Creates a command with the default bounds, no environment of its own and no input.
	 * @param executable a path inside the sandbox, or a name that the guest's
	 * {@code PATH} finds
	 * @param args the arguments
	 * @return the command
	 */
	public static ExecSpec of(String executable, String... args) {
		return of(executable, Arrays.asList(args));
	}

	/**
	 * Creates a command with the default bounds, no environment of its own and no input.
	 * @param executable a path inside the sandbox, or a name that the guest's
	 * {@code PATH} finds
	 * @param args the arguments
	 * @return the command
	 */
	public static ExecSpec of(String executable, List<String> args) {
		Objects.requireNonNull(executable, "'executable' must not be null");
		if (executable.isBlank()) {
			throw invalid("'executable' must not be empty");
		}
		validateText("'executable'", executable);
		List<String> copy = List.copyOf(args);
		for (int i = 0; i < copy.size(); i++) {
			validateText("'args[" + i + "]'", copy.get(i));
		}
		return new ExecSpec(executable, copy, WorkspacePath.parse("."), Map.of(), DEFAULT_TIMEOUT,
				DEFAULT_MAX_OUTPUT_BYTES, OutputOverflow.STOP, new byte[0])
			.validated();
	}

	/**
	 * Creates a command that a POSIX shell reads.
	 * @param script the shell text
	 * @return the command
	 */
	public static ExecSpec shell(String script) {
		return of("/bin/sh", "-c", script);
	}

	/**
	 * Sets the working directory.
	 * @param cwd a workspace path
	 * @return the changed copy
	 */
	public ExecSpec withCwd(String cwd) {
		return new ExecSpec(this.executable, this.args, WorkspacePath.parse(cwd), this.environment, this.timeout,
				this.maxOutputBytes, this.overflow, this.stdin);
	}

	/**
	 * Sets the environment, beside {@code PATH}, {@code HOME}, {@code LANG},
	 * {@code TMPDIR} and {@code TERM}, which an entry may override.
	 * @param environment names of letters, digits and underscores, and their values
	 * @return the changed copy
	 */
	public ExecSpec withEnvironment(Map<String, String> environment) {
		Map<String, String> copy = new LinkedHashMap<>();
		environment.forEach((name, value) -> {
			if (!ENVIRONMENT_NAME.matcher(name).matches()) {
				throw invalid("'environment' has a name that is not of letters, digits and underscores: '"
						+ name.replace("\0", "\\0") + "'");
			}
			validateText("'environment." + name + "'", value);
			if (bytes(name) + bytes(value) + 2L > MAX_STRING_BYTES + 1L) {
				throw invalid("'environment." + name + "' is longer than " + MAX_STRING_BYTES
						+ " bytes; pass it in a file or on standard input");
			}
			copy.put(name, value);
		});
		return new ExecSpec(this.executable, this.args, this.cwd, Collections.unmodifiableMap(copy), this.timeout,
				this.maxOutputBytes, this.overflow, this.stdin)
			.validated();
	}

	/**
	 * Sets the deadline, counted from the admission of the command.
	 * @param timeout more than zero, at most 2<sup>31</sup>-1 milliseconds
	 * @return the changed copy
	 */
	public ExecSpec withTimeout(Duration timeout) {
		Objects.requireNonNull(timeout, "'timeout' must not be null");
		if (timeout.isZero() || timeout.isNegative() || timeout.compareTo(MAX_TIMEOUT) > 0) {
			throw invalid("'timeout' must be more than zero and at most " + MAX_TIMEOUT.toMillis() + " ms");
		}
		return new ExecSpec(this.executable, this.args, this.cwd, this.environment, timeout, this.maxOutputBytes,
				this.overflow, this.stdin);
	}

	/**
	 * Sets how many bytes of output are kept, both streams together, and what happens
	 * beyond.
	 * @param maxOutputBytes more than zero
	 * @param overflow what happens beyond
	 * @return the changed copy
	 */
	public ExecSpec withMaxOutput(long maxOutputBytes, OutputOverflow overflow) {
		Objects.requireNonNull(overflow, "'overflow' must not be null");
		if (maxOutputBytes <= 0 || maxOutputBytes > Integer.MAX_VALUE - 64) {
			throw invalid("'maxOutputBytes' must be more than zero and less than 2 GiB");
		}
		return new ExecSpec(this.executable, this.args, this.cwd, this.environment, this.timeout, maxOutputBytes,
				overflow, this.stdin);
	}

	/**
	 * Sets what the command reads on standard input. Without it the command reads the end
	 * of the file at once.
	 * @param stdin the bytes, copied
	 * @return the changed copy
	 */
	public ExecSpec withStdin(byte[] stdin) {
		return new ExecSpec(this.executable, this.args, this.cwd, this.environment, this.timeout, this.maxOutputBytes,
				this.overflow, stdin.clone());
	}

	/**
	 * Returns the program.
	 * @return a path inside the sandbox or a name
	 */
	public String executable() {
		return this.executable;
	}

	/**
	 * Returns the arguments.
	 * @return the arguments, without the program
	 */
	public List<String> args() {
		return this.args;
	}

	/**
	 * Returns the working directory.
	 * @return a workspace path
	 */
	public WorkspacePath cwd() {
		return this.cwd;
	}

	/**
	 * Returns the environment of the command.
	 * @return names and values
	 */
	public Map<String, String> environment() {
		return this.environment;
	}

	/**
	 * Returns the deadline.
	 * @return the time from admission
	 */
	public Duration timeout() {
		return this.timeout;
	}

	/**
	 * Returns how many bytes of output are kept.
	 * @return the bytes of both streams together
	 */
	public long maxOutputBytes() {
		return this.maxOutputBytes;
	}

	/**
	 * Returns what happens beyond {@link #maxOutputBytes()}.
	 * @return the policy
	 */
	public OutputOverflow overflow() {
		return this.overflow;
	}

	/**
	 * Returns what the command reads on standard input.
	 * @return the bytes, copied
	 */
	public byte[] stdin() {
		return this.stdin.clone();
	}

	/**
	 * Names the program only: arguments, environment and input may hold secrets.
	 */
	@Override
	public String toString() {
		return "ExecSpec[executable=" + this.executable + ", " + this.args.size() + " args, cwd=" + this.cwd
				+ ", timeout=" + this.timeout + "]";
	}

	private ExecSpec validated() {
		long total = bytes(this.executable) + 9L;
		for (String arg : this.args) {
			total += bytes(arg) + 9L;
		}
		for (Map.Entry<String, String> entry : this.environment.entrySet()) {
			total += bytes(entry.getKey()) + bytes(entry.getValue()) + 10L;
		}
		if (total > MAX_TOTAL_BYTES) {
			throw invalid("'args' and 'environment' together are longer than " + MAX_TOTAL_BYTES
					+ " bytes; pass the data in a file or on standard input");
		}
		return this;
	}

	private static void validateText(String what, String text) {
		if (text.indexOf('\0') >= 0) {
			throw invalid(what + " must not contain NUL");
		}
		if (!StandardCharsets.UTF_8.newEncoder().canEncode(text)) {
			throw invalid(what + " must be well-formed Unicode");
		}
		if (bytes(text) > MAX_STRING_BYTES) {
			throw invalid(
					what + " is longer than " + MAX_STRING_BYTES + " bytes; pass it in a file or on standard input");
		}
	}

	private static int bytes(String text) {
		return text.getBytes(StandardCharsets.UTF_8).length;
	}

	private static SandboxException invalid(String message) {
		return new SandboxException(ErrorCode.SANDBOX_INVALID, message + ".");
	}

}
