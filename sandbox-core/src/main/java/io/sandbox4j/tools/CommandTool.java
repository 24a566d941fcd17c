package io.sandbox4j.tools;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.sandbox4j.ExecSpec;
import io.sandbox4j.NetworkPolicy;
import io.sandbox4j.OutputOverflow;
import io.sandbox4j.Restriction;
import tools.jackson.databind.node.ObjectNode;

/**
 * {@code run_command}: one of the programs that the application names, or a shell if it
 * allows one.
 */
final class CommandTool {

	static final String SHELL = "shell";

	private final ToolAccess access;

	private final Map<String, String> executables;

	private final boolean shell;

	private final Map<String, String> environment;

	private final Set<Restriction> required;

	private final CommandReport report;

	private final BackgroundCommands background;

	CommandTool(ToolAccess access, Map<String, String> executables, boolean shell, Map<String, String> environment,
			Set<Restriction> required, CommandReport report, BackgroundCommands background) {
		this.access = access;
		this.executables = executables;
		this.shell = shell;
		this.environment = environment;
		this.required = required;
		this.report = report;
		this.background = background;
	}

	boolean isOffered() {
		return this.shell || !this.executables.isEmpty();
	}

	SandboxTool tool() {
		ToolLimits limits = this.access.limits();
		List<Parameter> parameters = new ArrayList<>();
		if (this.shell) {
			parameters.add(Parameter.optional("command", Parameter.Type.TEXT,
					"A line or script for /bin/sh, with pipes and all."));
		}
		if (!this.executables.isEmpty()) {
			parameters.add(Parameter.optional("executable", Parameter.Type.TEXT, "The program to run, without a shell.")
				.oneOf(List.copyOf(this.executables.keySet())));
			parameters.add(Parameter.optional("args", Parameter.Type.TEXTS, "Its arguments, each as it is."));
		}
		parameters.add(Parameter.optional("cwd", Parameter.Type.TEXT, "The working directory. Default '.'."));
		parameters.add(Parameter.optional("background", Parameter.Type.FLAG,
				"Whether to answer at once and let it run on. Default false."));
		return new DescribedTool("run_command", description(limits), parameters, this::run);
	}

	private String description(ToolLimits limits) {
		return "Runs a command in the sandbox, in /workspace/<cwd>, and waits for its end. It has "
				+ limits.commandTimeout().toSeconds() + " s and may print " + this.report.collectedBytes()
				+ " bytes; beyond either it is killed, and what it printed is answered"
				+ (this.report.keeps()
						? ": of more than " + limits.outputBytes()
								+ " bytes, the start and the end, and all of it with read_output and search_output"
						: "")
				+ ". With background = true it runs on for " + limits.backgroundTimeout().toSeconds()
				+ " s at most; see read_command and stop_command. Processes that it leaves behind are killed. It "
				+ "reads no input. A non-zero exitCode is a result, not an error.";
	}

	/**
	 * Refuses if the sandbox lacks a restriction.
	 * @throws Refusal with what is missing
	 */
	void requireRestrictions() {
		Set<Restriction> missing = EnumSet.noneOf(Restriction.class);
		missing.addAll(this.required);
		missing.removeAll(HeldRestrictions.of(this.access.session()));
		if (!missing.isEmpty()) {
			throw new Refusal(RefusalCode.SANDBOX_INSUFFICIENT,
					"The sandbox lacks what commands here need: " + missing.stream().map(Restriction::id).toList()
							+ ".",
					"Do not call it again; tell the user.")
				.with("missing", missing.stream().map(Restriction::id).toList());
		}
	}

	private void run(Arguments arguments, ObjectNode output) {
		ToolRequest.Command request = request(arguments);
		ExecSpec command = command(request);
		if (request.background()) {
			this.background.requireRoom();
		}
		this.access.directory(request.cwd());
		NetworkPolicy policy = this.access.session().networkPolicy();
		requireRestrictions();
		this.access.authorize(request);
		this.access.directory(request.cwd());
		if (!this.access.session().networkPolicy().equals(policy)) {
			throw Refusal.conflict("The sandbox's network policy changed while the command waited.",
					"Call again if the command is still wanted.");
		}
		requireRestrictions();
		if (request.background()) {
			this.background.start(request.executable(), command, output);
		}
		else {
			this.report.write(request, this.access.session().run(command), output);
		}
	}

	private ToolRequest.Command request(Arguments arguments) {
		boolean script = arguments.has("command");
		if (script == arguments.has("executable") || (script && arguments.has("args"))) {
			throw Refusal.badRequest("Give one thing to run.", this.executables.isEmpty() ? "Give command."
					: this.shell ? "Give either command, or executable and args." : "Give executable and args.");
		}
		List<String> args = script ? List.of(arguments.text("command", "")) : arguments.texts("args");
		ToolLimits limits = this.access.limits();
		if (args.size() > limits.commandArguments()) {
			throw Refusal.badRequest("There are more than " + limits.commandArguments() + " arguments.",
					"Put them into a file, or use several calls.");
		}
		long bytes = args.stream().mapToLong((arg) -> arg.getBytes(StandardCharsets.UTF_8).length).sum();
		if (bytes > limits.commandArgumentBytes()) {
			throw Refusal.badRequest(
					"The arguments have " + bytes + " bytes, more than " + limits.commandArgumentBytes() + ".",
					"Write a script with write_file and run that.");
		}
		return new ToolRequest.Command(script ? SHELL : arguments.text("executable", ""), args,
				this.access.path(arguments.text("cwd", ".")), arguments.flag("background"));
	}

	private ExecSpec command(ToolRequest.Command request) {
		ExecSpec command = request.executable().equals(SHELL) ? ExecSpec.shell(request.args().get(0))
				: ExecSpec.of(this.executables.getOrDefault(request.executable(), ""), request.args());
		ToolLimits limits = this.access.limits();
		return command.withCwd(request.cwd().toString())
			.withEnvironment(this.environment)
			.withTimeout(request.background() ? limits.backgroundTimeout() : limits.commandTimeout())
			.withMaxOutput(this.report.collectedBytes(), OutputOverflow.STOP);
	}

}
