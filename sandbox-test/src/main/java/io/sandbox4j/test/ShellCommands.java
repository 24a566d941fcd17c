package io.sandbox4j.test;

import java.util.ArrayList;
import java.util.List;

import io.sandbox4j.ExecSpec;

/**
 * The contract's commands for sandboxes with a POSIX shell and {@code cat}, {@code head},
 * {@code sleep} and {@code yes}.
 *
 * @since 0.1.0
 */
public final class ShellCommands implements ContractCommands {

	/**
	 * Creates the commands.
	 */
	public ShellCommands() {
	}

	@Override
	public ExecSpec exit(int code) {
		return shell("exit \"$1\"", Integer.toString(code));
	}

	@Override
	public ExecSpec print(String stdout, String stderr, int code) {
		return shell("printf %s \"$1\"; printf %s \"$2\" >&2; exit \"$3\"", stdout, stderr, Integer.toString(code));
	}

	@Override
	public ExecSpec printAndWait(String stdout, String stderr) {
		return shell("printf %s \"$1\"; printf %s \"$2\" >&2; exec sleep 3600", stdout, stderr);
	}

	@Override
	public ExecSpec printInPieces(byte[]... pieces) {
		List<String> octal = new ArrayList<>();
		for (byte[] piece : pieces) {
			StringBuilder text = new StringBuilder();
			for (byte value : piece) {
				text.append(String.format("\\%03o", value));
			}
			octal.add(text.toString());
		}
		return shell("for piece; do printf \"$piece\"; sleep 0.05; done", octal.toArray(String[]::new));
	}

	@Override
	public ExecSpec printBytes(int stdout, int stderr) {
		return shell("head -c \"$1\" /dev/zero; head -c \"$2\" /dev/zero >&2", Integer.toString(stdout),
				Integer.toString(stderr));
	}

	@Override
	public ExecSpec printWithoutEnd() {
		return shell("exec yes");
	}

	@Override
	public ExecSpec printInput() {
		return shell("exec cat");
	}

	@Override
	public ExecSpec printVariable(String name) {
		return shell("printf %s \"$" + name + "\"");
	}

	@Override
	public ExecSpec printWorkingDirectory() {
		return shell("printf %s \"$(pwd)\"");
	}

	@Override
	public ExecSpec printFile(String path) {
		return shell("exec cat -- \"$1\"", path);
	}

	@Override
	public ExecSpec writeFile(String path, String content) {
		return shell("printf %s \"$2\" > \"$1\"", path, content);
	}

	@Override
	public ExecSpec exitOnTerm(String stdout, int code) {
		return shell("code=$2; trap 'exit \"$code\"' TERM; printf %s \"$1\"; while :; do sleep 0.05; done", stdout,
				Integer.toString(code));
	}

	@Override
	public ExecSpec ignoreTerm(String stdout) {
		return shell("trap '' TERM INT; printf %s \"$1\"; while :; do sleep 1; done", stdout);
	}

	@Override
	public ExecSpec killItself() {
		return shell("kill -KILL $$");
	}

	@Override
	public ExecSpec printAndLeaveProcessBehind(String stdout) {
		return shell("sleep 3600 & printf %s \"$1\"", stdout);
	}

	// The values are arguments, so that the shell expands nothing in them.
	private static ExecSpec shell(String script, String... values) {
		List<String> args = new ArrayList<>(List.of("-c", script, "sh"));
		args.addAll(List.of(values));
		return ExecSpec.of("/bin/sh", args);
	}

}
