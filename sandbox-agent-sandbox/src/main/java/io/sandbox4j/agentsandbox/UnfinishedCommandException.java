package io.sandbox4j.agentsandbox;

import io.sandbox4j.ExecResult;
import org.springaicommunity.sandbox.SandboxException;

/**
 * A command did not run to its end. The message says why and holds no output; what the
 * command had printed by then is in {@link #result()}, and cannot be serialized with the
 * exception: it stays in this process.
 *
 * @since 0.1.0
 */
public final class UnfinishedCommandException extends SandboxException {

	private final ExecResult result;

	UnfinishedCommandException(ExecResult result, Throwable cause) {
		super(result.reason(), cause);
		this.result = result;
	}

	/**
	 * Returns what the command did until it was ended, or why it could not be started.
	 * @return the result, with the output that was kept
	 */
	public ExecResult result() {
		return this.result;
	}

}
