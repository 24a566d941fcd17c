package io.sandbox4j.tools;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.ExecResult;
import io.sandbox4j.ExecStatus;
import io.sandbox4j.SandboxException;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Says for a model what a command did. Long output is shown in part if the whole of it is
 * kept.
 */
final class CommandReport {

	private final int outputBytes;

	private final @Nullable KeptOutputs kept;

	CommandReport(ToolLimits limits, @Nullable KeptOutputs kept) {
		this.outputBytes = limits.outputBytes();
		this.kept = kept;
	}

	/**
	 * Returns how much a command may print before it is killed.
	 * @return the bytes of both streams together
	 */
	int collectedBytes() {
		return (this.kept != null) ? Math.max(this.outputBytes, this.kept.collectedBytes()) : this.outputBytes;
	}

	boolean keeps() {
		return this.kept != null;
	}

	void write(ToolRequest.Command command, ExecResult result, ObjectNode output) {
		if (result.status() == ExecStatus.LAUNCH_FAILED) {
			throw new SandboxException(ErrorCode.SANDBOX_INVALID, result.reason());
		}
		output.put("executable", command.executable());
		writeEnd(result, "outcome", output);
		if (this.kept == null || result.stdout().length + result.stderr().length <= this.outputBytes) {
			output.put("stdout", result.stdoutText());
			output.put("stderr", result.stderrText());
		}
		else {
			writePreview(this.kept, command, result, output);
		}
		if (result.truncated()) {
			output.put("omittedBytes", result.omittedStdout() + result.omittedStderr());
		}
	}

	/**
	 * Writes how a command ended.
	 * @param result what it did
	 * @param name what the outcome is called
	 * @param output where to write it
	 */
	static void writeEnd(ExecResult result, String name, ObjectNode output) {
		output.put(name, switch (result.status()) {
			case EXITED, SIGNALLED, RESOURCE_LIMIT, STOPPED -> "exited";
			case TIMED_OUT -> "timeout";
			case OUTPUT_LIMIT -> "output-limit";
			case CANCELLED -> "cancelled";
			case LAUNCH_FAILED -> "failed";
		});
		switch (result.status()) {
			case EXITED, SIGNALLED, RESOURCE_LIMIT -> output.put("exitCode", result.exitCode());
			case STOPPED -> output.put("signal", "SIGKILL");
			default -> {
			}
		}
		if (!result.reason().isEmpty()) {
			output.put("reason", result.reason());
		}
	}

	private void writePreview(KeptOutputs outputs, ToolRequest.Command command, ExecResult result, ObjectNode output) {
		int budget = (result.stdout().length > 0 && result.stderr().length > 0) ? this.outputBytes / 2
				: this.outputBytes;
		HeadTail.Preview stdout = HeadTail.of(result.stdout(), budget);
		HeadTail.Preview stderr = HeadTail.of(result.stderr(), budget);
		output.put("stdout", stdout.head() + stdout.tail());
		output.put("stderr", stderr.head() + stderr.tail());
		try {
			KeptOutputs.Kept kept = outputs.keep(command, result.stdout(), result.stderr());
			ObjectNode artifact = output.putObject("artifact");
			artifact.put("reference", kept.reference());
			artifact.put("bytes", kept.bytes());
			artifact.put("truncated", result.truncated());
			artifact.put("headBytes", stdout.headBytes() + stderr.headBytes());
			artifact.put("tailBytes", stdout.tailBytes() + stderr.tailBytes());
			artifact.put("omittedBytes", stdout.omittedBytes() + stderr.omittedBytes());
		}
		catch (Refusal ex) {
			// The command did what it did, whether or not its output is kept.
			output.put("notKept", ex.getMessage() + " The middle of the output, "
					+ (stdout.omittedBytes() + stderr.omittedBytes()) + " bytes, is lost.");
		}
	}

}
