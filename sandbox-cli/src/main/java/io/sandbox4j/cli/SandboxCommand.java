package io.sandbox4j.cli;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.SandboxException;

/**
 * Runs one command in a sandbox, from a shell, or examines the host.
 * <p>
 * The exit code of {@code doctor} is 1 if anything fails. That of {@code run} is the
 * command's own, 128 and the number of the signal that ended it, or one of these: 64 for
 * a wrong command line, 65 for a directory that cannot be used, 69 if this host cannot
 * run a sandbox, 70 for another failure, 124 after the time-out, 127 for a program that
 * could not be started.
 *
 * @since 0.1.0
 */
public final class SandboxCommand {

	static final int USAGE = 64;

	static final int INVALID = 65;

	static final int UNAVAILABLE = 69;

	static final int FAILED = 70;

	private static final String HELP = """
			Usage: sandbox run [OPTIONS] -- COMMAND [ARGUMENT...]

			Runs one command in a sandbox, over a copy of a directory. The copy is discarded
			with every change to it when the command ends: use --in-place to keep changes, or
			--git to see them and --apply to take them over.
			Input, output and exit code are the command's. There is no terminal inside.

			  --dir D               the directory, the current one unless given
			  --in-place            work on the directory itself, not on a copy. For root, the
			                        command runs as the directory's owner, who must not be root
			  --git                 work on the Git working tree that the directory is in, with what is
			                        not committed and without what is ignored; print afterwards, on
			                        standard error, what the command changed, as a patch
			  --apply               with --git: bring the changes to the tree if the command ends with 0
			  --network deny|host   no network at all (default), or that of the host
			  --network ORIGIN,...  only these, such as https://api.example.com, through the gateway; the
			                        command asks for http://api.example.com/
			  --timeout S           kill the command after S seconds
			  --report              print afterwards, on standard error, what isolation held
			  --help                print this

			Exit code: the command's own; 128+N if signal N ended it; 124 after the time-out;
			127 if the program could not be started; 64 wrong usage; 65 the directory cannot
			be used, or a change not be applied; 69 this host cannot run a sandbox; 70 another
			failure, or files that both sides changed.
			""";

	private static final String DOCTOR_HELP = """
			Usage: sandbox doctor [--json]

			Looks whether this host is fit for sandboxes: at bubblewrap, the isolation, limits,
			directories, disk, clock and the programs inside a sandbox. Changes nothing.

			  --json                print JSON
			  --help                print this

			Exit code: 0 if nothing fails, also with warnings; 1 if something does; 64 wrong usage.
			""";

	private SandboxCommand() {
	}

	/**
	 * Runs the command line and exits.
	 * @param args {@code run} or {@code doctor}, and its options
	 */
	public static void main(String[] args) {
		System.exit(execute(List.of(args), System.out, System.err));
	}

	static int execute(List<String> args, PrintStream out, PrintStream err) {
		try {
			if (isHelp(args)) {
				out.print(args.get(0).equals("doctor") ? DOCTOR_HELP : HELP);
				return 0;
			}
			if (!args.isEmpty() && args.get(0).equals("doctor")) {
				return doctor(args.subList(1, args.size()), out);
			}
			if (args.isEmpty() || !args.get(0).equals("run")) {
				throw new UsageException("Expected 'run' or 'doctor'.");
			}
			RunOptions options = RunOptions.parse(args.subList(1, args.size()));
			if (!Files.isDirectory(options.directory())) {
				throw new UsageException("'" + options.directory() + "' is not a directory.");
			}
			return run(options, err);
		}
		catch (UsageException ex) {
			err.println("sandbox: " + ex.getMessage() + " See 'sandbox " + command(args) + " --help'.");
			return USAGE;
		}
		catch (SandboxException ex) {
			err.println("sandbox: " + ex.getMessage());
			return exitCode(ex.code());
		}
		catch (IOException ex) {
			err.println("sandbox: " + ex);
			return FAILED;
		}
	}

	private static String command(List<String> args) {
		return (!args.isEmpty() && args.get(0).equals("doctor")) ? "doctor" : "run";
	}

	private static boolean isHelp(List<String> args) {
		// What stands behind '--' is the command's.
		int end = args.contains("--") ? args.indexOf("--") : args.size();
		List<String> options = args.subList(0, end);
		return options.contains("--help") || options.contains("-h") || options.equals(List.of("help"));
	}

	private static int doctor(List<String> options, PrintStream out) throws IOException {
		if (!options.isEmpty() && !options.equals(List.of("--json"))) {
			throw new UsageException("'doctor' takes --json, or nothing.");
		}
		return new DoctorRun(!options.isEmpty(), out).execute(Path.of(System.getProperty("java.io.tmpdir")));
	}

	private static int run(RunOptions options, PrintStream err) throws IOException {
		try (SandboxRun run = new SandboxRun(options, err)) {
			// Whatever ends this process short of SIGKILL takes the sandbox and the files
			// with it.
			Runtime.getRuntime().addShutdownHook(new Thread(run::close, "sandbox-shutdown"));
			return run.execute(Path.of(System.getProperty("java.io.tmpdir")));
		}
	}

	private static int exitCode(ErrorCode code) {
		return switch (code) {
			case SANDBOX_UNAVAILABLE -> UNAVAILABLE;
			case SANDBOX_INVALID, SANDBOX_LIMIT, SANDBOX_PATH, SANDBOX_NOT_FOUND -> INVALID;
			default -> FAILED;
		};
	}

}
