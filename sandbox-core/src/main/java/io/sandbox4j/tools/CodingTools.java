package io.sandbox4j.tools;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.Restriction;
import io.sandbox4j.SandboxException;
import io.sandbox4j.SandboxSession;
import org.jspecify.annotations.Nullable;

/**
 * The tools of a coding agent over one session: files, search, commands. Each is a
 * description with a JSON Schema and a call that takes JSON and answers JSON, so any
 * framework can offer it. A call never throws, and an answer never names a path of the
 * host. Thread-safe.
 * <p>
 * <b>Not promised.</b> A program in the sandbox can change a file between the last look
 * at it and the write; then one of the two is lost, inside the workspace. Once the
 * session is stopped, its tools refuse every call.
 *
 * @since 0.1.0
 */
public final class CodingTools {

	/**
	 * Directories that searches skip unless others are set.
	 */
	public static final Set<String> DEFAULT_EXCLUDED_DIRECTORIES = Set.of(".git", ".next", ".stitchkit", "build",
			"coverage", "dist", "node_modules");

	/**
	 * The names of all tools, in order. Which of them are offered depends on what there
	 * is to run and on whether outputs are kept.
	 */
	public static final List<String> NAMES = List.of("read_file", "write_file", "append_file", "edit_file", "move_path",
			"remove_path", "list_directory", "glob", "search_files", "run_command", "read_command", "stop_command",
			"read_output", "search_output");

	/**
	 * What a session must hold unless other restrictions are set.
	 */
	public static final Set<Restriction> DEFAULT_RESTRICTIONS = Set.of(Restriction.WRITE_CONTAINED,
			Restriction.PROCESS_CONTAINED, Restriction.SECRETS_HIDDEN);

	private final List<SandboxTool> tools;

	private CodingTools(List<SandboxTool> tools) {
		this.tools = List.copyOf(tools);
	}

	/**
	 * Starts a set of tools that refuses every call until it is told what authorizes one.
	 * @param session the session they work on
	 * @return the builder
	 */
	public static Builder builder(SandboxSession session) {
		return new Builder(session);
	}

	/**
	 * Returns the tools.
	 * @return the tools; {@code run_command}, {@code read_command} and
	 * {@code stop_command} are among them only if there is something that may run,
	 * {@code read_output} and {@code search_output} only if outputs are kept
	 */
	public List<SandboxTool> tools() {
		return this.tools;
	}

	/**
	 * Calls a tool by its name.
	 * @param name the name
	 * @param arguments a JSON object, as a model wrote it
	 * @return the output or the refusal; for an unknown name a refusal that lists the
	 * tools
	 */
	public ToolResult call(String name, String arguments) {
		for (SandboxTool tool : this.tools) {
			if (tool.name().equals(name)) {
				return tool.call(arguments);
			}
		}
		List<String> names = this.tools.stream().map(SandboxTool::name).toList();
		return new DescribedTool("unknown", "", List.of(), (none, output) -> {
			throw Refusal.notFound("There is no such tool.", "Use one of " + names + ".");
		}).call("");
	}

	/**
	 * What the tools are and may do. Not thread-safe.
	 */
	public static final class Builder {

		private final SandboxSession session;

		private ToolAuthorization authorization = (request) -> false;

		private PathAuthorization paths = (path) -> true;

		private ToolLimits limits = ToolLimits.DEFAULT;

		private final Map<String, String> executables = new LinkedHashMap<>();

		private boolean shell;

		private Map<String, String> environment = Map.of();

		private Set<String> excluded = DEFAULT_EXCLUDED_DIRECTORIES;

		private Set<Restriction> required = DEFAULT_RESTRICTIONS;

		private boolean readOnly;

		private @Nullable Set<String> offered;

		private @Nullable Set<String> aliases;

		private @Nullable ArtifactStore artifacts;

		private Builder(SandboxSession session) {
			this.session = Objects.requireNonNull(session, "'session' must not be null");
		}

		/**
		 * Sets what decides of each call.
		 * @param authorization the decision; without one every call is refused
		 * @return this builder
		 */
		public Builder authorize(ToolAuthorization authorization) {
			this.authorization = Objects.requireNonNull(authorization, "'authorization' must not be null");
			return this;
		}

		/**
		 * Sets what decides of each path, whatever is done with it.
		 * @param paths the decision; without one every path of the workspace is allowed
		 * @return this builder
		 */
		public Builder authorizePath(PathAuthorization paths) {
			this.paths = Objects.requireNonNull(paths, "'paths' must not be null");
			return this;
		}

		/**
		 * Sets the bounds.
		 * @param limits the bounds
		 * @return this builder
		 */
		public Builder limits(ToolLimits limits) {
			this.limits = Objects.requireNonNull(limits, "'limits' must not be null");
			return this;
		}

		/**
		 * Lets {@code run_command} run a program.
		 * @param alias what a model calls it
		 * @param path the program's absolute path inside the sandbox
		 * @return this builder
		 */
		public Builder executable(String alias, String path) {
			// Whoever authorizes must be able to tell it from the shell.
			if (alias.isBlank() || alias.equals(CommandTool.SHELL) || !path.startsWith("/")) {
				throw new SandboxException(ErrorCode.SANDBOX_INVALID, "The executable '" + alias
						+ "' of the tools must have a name other than 'shell' and an absolute path.");
			}
			this.executables.put(alias, path);
			return this;
		}

		/**
		 * Lets {@code run_command} run shell scripts, and so every program of the
		 * sandbox.
		 * @param shell whether it may
		 * @return this builder
		 */
		public Builder shell(boolean shell) {
			this.shell = shell;
			return this;
		}

		/**
		 * Sets the environment of commands. Not for secrets: a command shows it to the
		 * model.
		 * @param environment names and values
		 * @return this builder
		 */
		public Builder environment(Map<String, String> environment) {
			this.environment = Map.copyOf(environment);
			return this;
		}

		/**
		 * Sets which directories searches skip.
		 * @param names their names, wherever they are
		 * @return this builder
		 */
		public Builder excludeDirectories(Collection<String> names) {
			this.excluded = Set.copyOf(names);
			return this;
		}

		/**
		 * Sets what the session must hold, now and at each command.
		 * @param restrictions the restrictions
		 * @return this builder
		 */
		public Builder requireRestrictions(Collection<Restriction> restrictions) {
			this.required = Set.copyOf(restrictions);
			return this;
		}

		/**
		 * Offers only tools without effects, and refuses effects before
		 * {@link #authorize} is asked.
		 * @param readOnly whether to
		 * @return this builder
		 */
		public Builder readOnly(boolean readOnly) {
			this.readOnly = readOnly;
			return this;
		}

		/**
		 * Offers only tools with these names. A name does not bring back what is not
		 * there for another reason.
		 * @param toolNames the names; none offers nothing
		 * @return this builder
		 */
		public Builder offer(Collection<String> toolNames) {
			this.offered = new LinkedHashSet<>(toolNames);
			return this;
		}

		/**
		 * Lets {@code run_command} run only these of the {@link #executable programs}.
		 * @param aliases their names, {@code shell} for the shell; none allows nothing
		 * @return this builder
		 */
		public Builder allowExecutables(Collection<String> aliases) {
			this.aliases = new LinkedHashSet<>(aliases);
			return this;
		}

		/**
		 * Keeps the whole output of commands that print more than is answered, and offers
		 * {@code read_output} and {@code search_output} for it. Without a store, such
		 * commands are killed.
		 * @param artifacts where outputs are kept, under the session's id; whoever
		 * deletes the session removes its outputs, or they expire
		 * @return this builder
		 */
		public Builder artifacts(ArtifactStore artifacts) {
			this.artifacts = Objects.requireNonNull(artifacts, "'artifacts' must not be null");
			return this;
		}

		/**
		 * Builds the tools.
		 * @return the tools
		 * @throws SandboxException {@link ErrorCode#SANDBOX_STOPPED} if the session was
		 * stopped, {@link ErrorCode#SANDBOX_UNAVAILABLE} if it lacks a restriction,
		 * {@link ErrorCode#SANDBOX_INVALID} if a tool or program is named that there is
		 * not
		 */
		public CodingTools build() {
			this.session.files().stat(".");
			ToolSelection selection = new ToolSelection(this.readOnly, this.offered, this.aliases);
			ToolAccess access = new ToolAccess(this.session, selection.authorization(this.authorization), this.paths,
					this.limits);
			KeptOutputs kept = (this.artifacts != null)
					? new KeptOutputs(this.artifacts, this.session.id(), this.limits.artifactBytes()) : null;
			BackgroundCommands background = new BackgroundCommands(access);
			CommandTool command = new CommandTool(access, selection.executables(this.executables, this.shell),
					selection.shell(this.shell), this.environment, this.required, new CommandReport(this.limits, kept),
					background);
			try {
				command.requireRestrictions();
			}
			catch (Refusal ex) {
				throw new SandboxException(ErrorCode.SANDBOX_UNAVAILABLE, ex.getMessage(), ex);
			}
			List<SandboxTool> tools = new ArrayList<>();
			tools.add(new ReadTool(access).tool());
			tools.addAll(new WriteTools(access).tools());
			tools.addAll(new FindTools(access, this.excluded).tools());
			tools.add(new SearchTool(access, this.excluded).tool());
			if (command.isOffered()) {
				tools.add(command.tool());
				tools.addAll(background.tools());
			}
			if (kept != null) {
				tools.addAll(new OutputTools(access, kept).tools());
			}
			return new CodingTools(selection.tools(tools));
		}

	}

}
