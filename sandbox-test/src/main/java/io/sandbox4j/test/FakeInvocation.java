package io.sandbox4j.test;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

import io.sandbox4j.ExecSpec;
import io.sandbox4j.NetworkPolicy;
import io.sandbox4j.SandboxDriver;
import io.sandbox4j.Signal;
import io.sandbox4j.WorkspacePath;

/**
 * What a {@link FakeProgram} was started with, and all that it can touch.
 *
 * @since 0.1.0
 */
public final class FakeInvocation {

	private final ExecSpec command;

	private final Map<String, String> environment;

	private final SandboxDriver.Files files;

	private final NetworkPolicy networkPolicy;

	private final FakeExecution execution;

	FakeInvocation(ExecSpec command, Map<String, String> environment, SandboxDriver.Files files,
			NetworkPolicy networkPolicy, FakeExecution execution) {
		this.command = command;
		this.environment = environment;
		this.files = files;
		this.networkPolicy = networkPolicy;
		this.execution = execution;
	}

	/**
	 * Returns the program as the command named it.
	 * @return the path or name
	 */
	public String executable() {
		return this.command.executable();
	}

	/**
	 * Returns the arguments.
	 * @return the arguments, without the program
	 */
	public List<String> args() {
		return this.command.args();
	}

	/**
	 * Returns the whole environment: that of every command, and that of this one.
	 * @return names and values
	 */
	public Map<String, String> environment() {
		return this.environment;
	}

	/**
	 * Returns the working directory.
	 * @return a directory of the workspace
	 */
	public WorkspacePath cwd() {
		return this.command.cwd();
	}

	/**
	 * Returns standard input.
	 * @return the stream
	 */
	public InputStream stdin() {
		return this.execution.input();
	}

	/**
	 * Returns standard output. It has no buffer of its own.
	 * @return the stream
	 */
	public OutputStream stdout() {
		return this.execution.output();
	}

	/**
	 * Returns standard error. It has no buffer of its own.
	 * @return the stream
	 */
	public OutputStream stderr() {
		return this.execution.error();
	}

	/**
	 * Prints text on standard output.
	 * @param text the text
	 * @throws IOException if the command was killed
	 */
	public void print(String text) throws IOException {
		stdout().write(text.getBytes(StandardCharsets.UTF_8));
	}

	/**
	 * Prints text on standard error.
	 * @param text the text
	 * @throws IOException if the command was killed
	 */
	public void printError(String text) throws IOException {
		stderr().write(text.getBytes(StandardCharsets.UTF_8));
	}

	/**
	 * Returns the workspace.
	 * @return the files, in memory
	 */
	public SandboxDriver.Files files() {
		return this.files;
	}

	/**
	 * Finds a path as a program would, from the working directory.
	 * @param path a path below {@code /workspace}, or a relative one
	 * @return the workspace path
	 */
	public WorkspacePath resolve(String path) {
		WorkspacePath parsed = WorkspacePath.parse(path);
		if (path.startsWith("/") || cwd().isRoot()) {
			return parsed;
		}
		WorkspacePath resolved = cwd();
		for (String segment : parsed.segments()) {
			resolved = resolved.child(segment);
		}
		return resolved;
	}

	/**
	 * Reads a file of the workspace as UTF-8.
	 * @param path its path, from the working directory
	 * @return its text
	 */
	public String readText(String path) {
		try (InputStream content = this.files.open(resolve(path))) {
			return new String(content.readAllBytes(), StandardCharsets.UTF_8);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Writes a file of the workspace as UTF-8, with its directories.
	 * @param path its path, from the working directory
	 * @param text its text
	 */
	public void writeText(String path, String text) {
		byte[] content = text.getBytes(StandardCharsets.UTF_8);
		this.files.write(resolve(path), new ByteArrayInputStream(content), content.length);
	}

	/**
	 * Returns the network policy under which the command was started. A fake has no
	 * network; a program may act as if.
	 * @return the policy
	 */
	public NetworkPolicy networkPolicy() {
		return this.networkPolicy;
	}

	/**
	 * Catches {@link Signal#TERM} and {@link Signal#INT}, which otherwise end the
	 * program.
	 * @param handler told of each signal, on the sender's thread
	 */
	public void onSignal(Consumer<Signal> handler) {
		this.execution.catchSignals(handler);
	}

	/**
	 * Ends this program as a signal of its own would, whatever it returns afterwards.
	 * @param signal the signal
	 */
	public void raise(Signal signal) {
		this.execution.die(signal);
	}

	/**
	 * Whether the command was killed, so that a program that computes can leave.
	 * @return {@code true} once the program should be gone
	 */
	public boolean killed() {
		return this.execution.isEnded();
	}

}
