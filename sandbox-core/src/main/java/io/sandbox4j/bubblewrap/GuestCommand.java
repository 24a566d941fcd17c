package io.sandbox4j.bubblewrap;

import java.util.Map;

import io.sandbox4j.ExecSpec;

/**
 * A command as it is handed to a sandbox.
 *
 * @param id its id, unique within the session
 * @param mark the unguessable word that starts what the guest's shell reports
 * @param program its program, for messages
 * @param line what the guest's shell evaluates
 */
record GuestCommand(String id, Mark mark, String program, byte[] line) {

	/**
	 * Prepares a command.
	 * @param id its id
	 * @param mark the word
	 * @param command the command
	 * @param environment what it has besides its own environment
	 * @return the prepared command
	 */
	static GuestCommand of(String id, String mark, ExecSpec command, Map<String, String> environment) {
		return new GuestCommand(id, new Mark(mark), command.executable(),
				GuestScript.commandLine(command, environment, mark));
	}

}
