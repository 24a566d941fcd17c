package io.sandbox4j.install;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.ExecSpec;
import io.sandbox4j.SandboxException;
import io.sandbox4j.SandboxFiles;
import io.sandbox4j.WorkspacePath;
import org.jspecify.annotations.Nullable;

/**
 * Which command installs the dependencies of a directory. The order of the rules decides
 * between several managers. Immutable.
 * <p>
 * Scripts of packages do not run unless they are allowed. That is about packages: code
 * that the workspace itself holds may run all the same, and always inside the sandbox.
 *
 * @since 0.1.0
 */
public final class InstallPlan {

	private static final Pattern REPOSITORY = Pattern.compile("[A-Za-z0-9._-]{1,100}/[A-Za-z0-9._-]{1,100}");

	private static final Duration LONGEST = Duration.ofHours(24);

	private final List<InstallRule> rules;

	private final Map<String, Override> overrides;

	private final boolean scripts;

	private final Duration timeout;

	private InstallPlan(Builder builder) {
		this.rules = builder.rules;
		this.overrides = Map.copyOf(builder.overrides);
		this.scripts = builder.scripts;
		this.timeout = builder.timeout;
	}

	/**
	 * Returns the plan of pnpm, yarn, bun, npm, uv, pip, Maven, Gradle, Cargo and Go, in
	 * this order, without scripts of packages.
	 * @return the plan
	 */
	public static InstallPlan defaults() {
		return builder().build();
	}

	/**
	 * Starts a plan with what {@link #defaults()} has.
	 * @return a builder
	 */
	public static Builder builder() {
		return new Builder();
	}

	/**
	 * Returns the rules.
	 * @return the rules, the first that fits wins
	 */
	public List<InstallRule> rules() {
		return this.rules;
	}

	/**
	 * Whether scripts of packages may run.
	 * @return {@code true} if they were allowed
	 */
	public boolean scripts() {
		return this.scripts;
	}

	/**
	 * Returns how long a command may take.
	 * @return the time
	 */
	public Duration timeout() {
		return this.timeout;
	}

	/**
	 * Decides what a directory needs: the override of its repository; else nothing
	 * without a manifest; else the manager that {@code package.json} pins; else the first
	 * rule whose lockfile is there; else the first rule that does without one.
	 * @param files the workspace's files
	 * @param directory a workspace path
	 * @param repository the repository as {@code owner/repo}, or {@code null}
	 * @return the command, or the reason why there is none
	 */
	public InstallResolution resolve(SandboxFiles files, String directory, @Nullable String repository) {
		return new PlanResolver(this, files, WorkspacePath.parse(directory)).resolve(repository);
	}

	@Nullable Override override(@Nullable String repository) {
		return (repository != null) ? this.overrides.get(repositoryKey(repository)) : null;
	}

	private static String repositoryKey(String repository) {
		if (!REPOSITORY.matcher(repository).matches()) {
			throw new SandboxException(ErrorCode.SANDBOX_INVALID,
					"'repository' of an install must be 'owner/repo', of letters, digits, dots, dashes and '_'.");
		}
		return repository.toLowerCase(Locale.ROOT);
	}

	/**
	 * What a repository gets in place of the rules.
	 *
	 * @param command the text for the shell
	 * @param tree where it installs to
	 */
	record Override(String command, String tree) {

	}

	/**
	 * Builds a plan. Not thread-safe.
	 */
	public static final class Builder {

		private List<InstallRule> rules = DefaultRules.all();

		private final Map<String, Override> overrides = new HashMap<>();

		private boolean scripts;

		private Duration timeout = Duration.ofMinutes(20);

		private Builder() {
		}

		/**
		 * Replaces the rules.
		 * @param rules the rules, the first that fits wins
		 * @return this builder
		 */
		public Builder rules(List<InstallRule> rules) {
			this.rules = List.copyOf(rules);
			return this;
		}

		/**
		 * Sets the command of one repository, which is run as it is, whether scripts are
		 * allowed or not.
		 * @param repository the repository as {@code owner/repo}, in any case of letters
		 * @param command the text for {@code /bin/sh}
		 * @param tree where it installs to, relative to the directory, or a path below
		 * {@code /workspace}
		 * @return this builder
		 */
		public Builder override(String repository, String command, String tree) {
			WorkspacePath.parse(tree);
			InstallCommand.requireText(command);
			this.overrides.put(repositoryKey(repository), new Override(command, tree));
			return this;
		}

		/**
		 * Lets code of packages run: install scripts, builds of source packages, plugins
		 * of build tools.
		 * @param scripts whether it may; not unless set
		 * @return this builder
		 */
		public Builder scripts(boolean scripts) {
			this.scripts = scripts;
			return this;
		}

		/**
		 * Sets how long a command may take.
		 * @param timeout the time; 20 minutes unless set, at most a day
		 * @return this builder
		 */
		public Builder timeout(Duration timeout) {
			Objects.requireNonNull(timeout, "'timeout' must not be null");
			if (timeout.compareTo(LONGEST) > 0) {
				throw new SandboxException(ErrorCode.SANDBOX_INVALID,
						"'timeout' of an install must be at most " + LONGEST.toHours() + " hours.");
			}
			// Refuses what is not positive.
			ExecSpec.of("true").withTimeout(timeout);
			this.timeout = timeout;
			return this;
		}

		/**
		 * Builds the plan.
		 * @return the plan
		 */
		public InstallPlan build() {
			return new InstallPlan(this);
		}

	}

}
