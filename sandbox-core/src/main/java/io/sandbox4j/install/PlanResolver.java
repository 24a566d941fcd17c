package io.sandbox4j.install;

import java.io.IOException;
import java.io.InputStream;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.FileType;
import io.sandbox4j.SandboxException;
import io.sandbox4j.SandboxFiles;
import io.sandbox4j.WorkspacePath;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Chooses the command of one directory. What the workspace holds chooses between the
 * commands of the plan, and is never a part of one.
 */
final class PlanResolver {

	private static final JsonMapper MAPPER = JsonMapper.builder().build();

	private static final String MANIFEST = "package.json";

	private static final int MAX_MANIFEST = 1 << 20;

	private final InstallPlan plan;

	private final SandboxFiles files;

	private final WorkspacePath directory;

	PlanResolver(InstallPlan plan, SandboxFiles files, WorkspacePath directory) {
		this.plan = plan;
		this.files = files;
		this.directory = directory;
	}

	InstallResolution resolve(@Nullable String repository) {
		InstallPlan.Override override = this.plan.override(repository);
		if (!isDirectory()) {
			return new InstallResolution.Skip("There is no directory '" + this.directory.relative() + "'.");
		}
		if (override != null) {
			return new InstallResolution.Command(String.valueOf(repository), override.command(), allFiles(),
					List.of(override.tree()), false);
		}
		List<InstallRule> fitting = this.plan.rules().stream().filter((rule) -> anyExists(rule.manifests())).toList();
		if (fitting.isEmpty()) {
			return new InstallResolution.Skip("There is none of " + this.plan.rules()
				.stream()
				.flatMap((rule) -> rule.manifests().stream())
				.distinct()
				.collect(Collectors.joining(", ")) + ".");
		}
		InstallRule pinned = pinned(fitting);
		if (pinned != null) {
			boolean locked = pinned.unlocked() == null || anyExists(pinned.lockfiles());
			return command(pinned, locked ? pinned.locked() : pinned.unlocked());
		}
		for (InstallRule rule : fitting) {
			if (anyExists(rule.lockfiles())) {
				return command(rule, rule.locked());
			}
		}
		for (InstallRule rule : fitting) {
			if (rule.unlocked() != null) {
				return command(rule, rule.unlocked());
			}
		}
		return new InstallResolution.Skip("There is no lockfile of "
				+ fitting.stream().map(InstallRule::manager).distinct().collect(Collectors.joining(", "))
				+ ", and the plan has no command without one.");
	}

	private InstallResolution command(InstallRule rule, @Nullable InstallCommand command) {
		String text = (command != null) ? command.text(this.plan.scripts()) : null;
		if (command == null || text == null) {
			return new InstallResolution.Skip("An install by " + rule.manager()
					+ " runs code of the project or of its packages, which this plan does not allow.");
		}
		return new InstallResolution.Command(rule.manager(), text, rule.files(), rule.trees(),
				command.skipsScripts(this.plan.scripts()));
	}

	private List<String> allFiles() {
		Set<String> all = new LinkedHashSet<>();
		this.plan.rules().forEach((rule) -> all.addAll(rule.files()));
		return List.copyOf(all);
	}

	private @Nullable InstallRule pinned(List<InstallRule> fitting) {
		String pin = fitting.stream().anyMatch((rule) -> rule.manifests().contains(MANIFEST)) ? pin() : null;
		for (InstallRule rule : fitting) {
			if (rule.manager().equals(pin) && rule.manifests().contains(MANIFEST)) {
				return rule;
			}
		}
		return null;
	}

	// What cannot be read pins nothing; the manager will say what is wrong with it.
	private @Nullable String pin() {
		try (InputStream content = this.files.open(path(this.directory, MANIFEST).toString())) {
			byte[] bytes = content.readNBytes(MAX_MANIFEST + 1);
			JsonNode pin = (bytes.length <= MAX_MANIFEST) ? MAPPER.readTree(bytes).get("packageManager") : null;
			return (pin != null && pin.isString()) ? pin.asString().split("@", 2)[0] : null;
		}
		catch (IOException | JacksonException ex) {
			return null;
		}
		catch (SandboxException ex) {
			if (ex.code() != ErrorCode.SANDBOX_PATH && ex.code() != ErrorCode.SANDBOX_NOT_FOUND) {
				throw ex;
			}
			return null;
		}
	}

	private boolean isDirectory() {
		try {
			return this.files.stat(this.directory.toString()).type() == FileType.DIRECTORY;
		}
		catch (SandboxException ex) {
			if (ex.code() != ErrorCode.SANDBOX_PATH && ex.code() != ErrorCode.SANDBOX_NOT_FOUND) {
				throw ex;
			}
			return false;
		}
	}

	private boolean anyExists(List<String> names) {
		return names.stream().anyMatch((name) -> exists(this.files, this.directory, name));
	}

	/**
	 * Whether there is an entry of a name.
	 * @param files the workspace's files
	 * @param directory the directory
	 * @param name its name in it, or a path below {@code /workspace}
	 * @return {@code true} for an entry of any type
	 */
	static boolean exists(SandboxFiles files, WorkspacePath directory, String name) {
		try {
			return files.exists(path(directory, name).toString());
		}
		catch (SandboxException ex) {
			// A link on the way: what is behind it is not looked at.
			if (ex.code() != ErrorCode.SANDBOX_PATH && ex.code() != ErrorCode.SANDBOX_NOT_FOUND) {
				throw ex;
			}
			return false;
		}
	}

	static WorkspacePath path(WorkspacePath directory, String name) {
		WorkspacePath path = WorkspacePath.parse(name);
		if (name.startsWith("/")) {
			return path;
		}
		WorkspacePath joined = directory;
		for (String segment : path.segments()) {
			joined = joined.child(segment);
		}
		return joined;
	}

}
