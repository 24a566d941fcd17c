package io.sandbox4j.tools;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.sandbox4j.ExecSpec;
import io.sandbox4j.SandboxProcess;
import tools.jackson.databind.node.ObjectNode;

/**
 * The commands of a model that run in the background, with {@code read_command} and
 * {@code stop_command}. They are few, what they print is kept to a bound, and they end
 * with the session.
 */
final class BackgroundCommands {

	static final int MAX_UNFINISHED = 8;

	static final int MAX_FINISHED = 8;

	private static final int MIN_RING = 16;

	private final ToolAccess access;

	// The oldest first.
	private final Map<String, BackgroundCommand> commands = new LinkedHashMap<>();

	// Of commands that are about to be started.
	private int reserved;

	BackgroundCommands(ToolAccess access) {
		this.access = access;
	}

	List<SandboxTool> tools() {
		Parameter command = Parameter.required("command", Parameter.Type.TEXT, "What run_command answered as command.");
		return List.of(new DescribedTool("read_command",
				"Answers what a background command printed since the last call, at most "
						+ this.access.limits().outputBytes()
						+ " bytes, and its status: running, exited, timeout, cancelled or failed. more = true tells that "
						+ "there is more already. What is not read in time is pushed out by newer output and counted in "
						+ "omittedBytes.",
				List.of(command), this::read),
				new DescribedTool("stop_command",
						"Ends a background command with SIGTERM, and kills it with all its processes if it is there "
								+ "2 seconds later. What it printed can still be read with read_command.",
						List.of(command), this::stop));
	}

	/**
	 * Refuses if there are as many as there may be.
	 * @throws Refusal if no further command may start
	 */
	synchronized void requireRoom() {
		long unfinished = this.commands.values().stream().filter(BackgroundCommand::isRunning).count();
		if (unfinished + this.reserved >= MAX_UNFINISHED) {
			throw new Refusal(RefusalCode.SANDBOX_BUSY, MAX_UNFINISHED + " commands run in the background.",
					"Stop one with stop_command, or wait for the end of one, then call again.")
				.with("commands", List.copyOf(this.commands.keySet()));
		}
	}

	/**
	 * Starts a command.
	 * @param executable what the model calls the program
	 * @param command the command
	 * @param output where to write its id
	 */
	void start(String executable, ExecSpec command, ObjectNode output) {
		synchronized (this) {
			requireRoom();
			this.reserved++;
		}
		try {
			SandboxProcess process = this.access.session().start(command);
			BackgroundCommand started = new BackgroundCommand(executable, process,
					Math.max(MIN_RING, this.access.limits().outputBytes()));
			started.begin();
			add(started);
			output.put("executable", executable);
			output.put("command", started.id());
			output.put("status", "running");
		}
		finally {
			synchronized (this) {
				this.reserved--;
			}
		}
	}

	private synchronized void add(BackgroundCommand started) {
		long finished = this.commands.values().stream().filter((command) -> !command.isRunning()).count();
		Iterator<BackgroundCommand> all = this.commands.values().iterator();
		while (finished > MAX_FINISHED) {
			if (!all.next().isRunning()) {
				all.remove();
				finished--;
			}
		}
		// Last: one that has ended already is not one of those before it.
		this.commands.put(started.id(), started);
	}

	private void read(Arguments arguments, ObjectNode output) {
		String id = arguments.text("command", "");
		BackgroundCommand command = command(id);
		this.access.authorize(new ToolRequest.CommandRead(id));
		command.writeNew(this.access.limits().outputBytes(), output);
	}

	private void stop(Arguments arguments, ObjectNode output) throws InterruptedException {
		String id = arguments.text("command", "");
		BackgroundCommand command = command(id);
		this.access.authorize(new ToolRequest.CommandStop(id));
		command.stop(output);
	}

	private synchronized BackgroundCommand command(String id) {
		BackgroundCommand command = this.commands.get(id);
		if (command == null) {
			throw Refusal
				.notFound("There is no such background command.",
						"Use one that run_command answered; of those that ended, the last " + MAX_FINISHED
								+ " are there.")
				.with("commands", List.copyOf(this.commands.keySet()));
		}
		return command;
	}

}
