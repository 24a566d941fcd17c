package io.sandbox4j.run;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.ExecSpec;
import io.sandbox4j.SandboxException;

/**
 * The variables of every command. A command's own win over the general ones, and those of
 * the network rules over both: a command may not lead its requests elsewhere.
 */
final class CommandEnvironment {

	private final Map<String, String> general;

	private final Map<String, String> network;

	CommandEnvironment(Map<String, String> general, Map<String, String> network) {
		this.general = Map.copyOf(general);
		this.network = Map.copyOf(network);
		TreeSet<String> both = new TreeSet<>(general.keySet());
		both.retainAll(network.keySet());
		if (!both.isEmpty()) {
			throw new SandboxException(ErrorCode.SANDBOX_INVALID,
					"'environment' may not set what the network rules set: " + String.join(", ", both) + ".");
		}
	}

	ExecSpec applyTo(ExecSpec command) {
		if (this.general.isEmpty() && this.network.isEmpty()) {
			return command;
		}
		Map<String, String> all = new HashMap<>(this.general);
		all.putAll(command.environment());
		all.putAll(this.network);
		return command.withEnvironment(all);
	}

}
