package io.sandbox4j.test;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CountDownLatch;

import io.sandbox4j.ExecSpec;
import io.sandbox4j.Signal;

/**
 * The contract's commands as programs of a {@link FakeSandboxBackend}.
 */
final class FakeCommands implements ContractCommands {

	static FakeSandboxBackend registerOn(FakeSandboxBackend backend) {
		return backend.on("exit", (program) -> number(program, 0))
			.on("print", FakeCommands::print)
			.on("print-and-wait", (program) -> {
				print(program);
				return waitForever();
			})
			.on("print-pieces", FakeCommands::printPieces)
			.on("print-bytes", FakeCommands::printBytes)
			.on("print-without-end", FakeCommands::printWithoutEnd)
			.on("print-variable", (program) -> {
				program.print(program.environment().getOrDefault(program.args().get(0), ""));
				return 0;
			})
			.on("print-directory", (program) -> {
				program.print(program.cwd().toString());
				return 0;
			})
			.on("write", (program) -> {
				program.writeText(program.args().get(0), program.args().get(1));
				return 0;
			})
			.on("exit-on-term", FakeCommands::exitOnTerm)
			.on("ignore-term", (program) -> {
				program.onSignal((signal) -> {
				});
				program.print(program.args().get(0));
				return waitForever();
			})
			.on("kill-itself", (program) -> {
				program.raise(Signal.KILL);
				return 0;
			});
	}

	private static int number(FakeInvocation program, int argument) {
		return Integer.parseInt(program.args().get(argument));
	}

	private static int print(FakeInvocation program) throws IOException {
		program.print(program.args().get(0));
		program.printError(program.args().get(1));
		return number(program, 2);
	}

	private static int waitForever() throws InterruptedException {
		Thread.sleep(Long.MAX_VALUE);
		return 0;
	}

	private static int printPieces(FakeInvocation program) throws IOException {
		for (String piece : program.args()) {
			program.stdout().write(Base64.getDecoder().decode(piece));
		}
		return 0;
	}

	private static int printBytes(FakeInvocation program) throws IOException {
		printBytes(program.stdout(), number(program, 0));
		printBytes(program.stderr(), number(program, 1));
		return 0;
	}

	// In blocks, as programs do: nobody could hold back a single write.
	private static void printBytes(OutputStream out, int count) throws IOException {
		byte[] block = new byte[8192];
		for (int left = count; left > 0; left -= block.length) {
			out.write(block, 0, Math.min(left, block.length));
		}
	}

	private static int printWithoutEnd(FakeInvocation program) throws IOException {
		byte[] lines = "y\n".repeat(512).getBytes(StandardCharsets.US_ASCII);
		while (true) {
			program.stdout().write(lines);
		}
	}

	private static int exitOnTerm(FakeInvocation program) throws Exception {
		CountDownLatch caught = new CountDownLatch(1);
		program.onSignal((signal) -> caught.countDown());
		program.print(program.args().get(0));
		caught.await();
		return number(program, 1);
	}

	@Override
	public ExecSpec exit(int code) {
		return ExecSpec.of("exit", Integer.toString(code));
	}

	@Override
	public ExecSpec print(String stdout, String stderr, int code) {
		return ExecSpec.of("print", stdout, stderr, Integer.toString(code));
	}

	@Override
	public ExecSpec printAndWait(String stdout, String stderr) {
		return ExecSpec.of("print-and-wait", stdout, stderr, "0");
	}

	@Override
	public ExecSpec printInPieces(byte[]... pieces) {
		List<String> args = new ArrayList<>();
		for (byte[] piece : pieces) {
			args.add(Base64.getEncoder().encodeToString(piece));
		}
		return ExecSpec.of("print-pieces", args);
	}

	@Override
	public ExecSpec printBytes(int stdout, int stderr) {
		return ExecSpec.of("print-bytes", Integer.toString(stdout), Integer.toString(stderr));
	}

	@Override
	public ExecSpec printWithoutEnd() {
		return ExecSpec.of("print-without-end");
	}

	@Override
	public ExecSpec printInput() {
		return ExecSpec.of("cat");
	}

	@Override
	public ExecSpec printVariable(String name) {
		return ExecSpec.of("print-variable", name);
	}

	@Override
	public ExecSpec printWorkingDirectory() {
		return ExecSpec.of("print-directory");
	}

	@Override
	public ExecSpec printFile(String path) {
		return ExecSpec.of("cat", path);
	}

	@Override
	public ExecSpec writeFile(String path, String content) {
		return ExecSpec.of("write", path, content);
	}

	@Override
	public ExecSpec exitOnTerm(String stdout, int code) {
		return ExecSpec.of("exit-on-term", stdout, Integer.toString(code));
	}

	@Override
	public ExecSpec ignoreTerm(String stdout) {
		return ExecSpec.of("ignore-term", stdout);
	}

	@Override
	public ExecSpec killItself() {
		return ExecSpec.of("kill-itself");
	}

	@Override
	public ExecSpec printAndLeaveProcessBehind(String stdout) {
		return print(stdout, "", 0);
	}

}
