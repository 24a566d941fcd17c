package io.sandbox4j.tools;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.SandboxException;
import org.jspecify.annotations.Nullable;

/**
 * Which tools and programs are there at all. A name that is none is refused: a slip would
 * otherwise take away a tool, and nobody would know why.
 *
 * @param readOnly whether only tools without effects are there
 * @param offered the names of the tools, {@code null} for all
 * @param aliases the names of the programs, {@code null} for all
 */
record ToolSelection(boolean readOnly, @Nullable Set<String> offered, @Nullable Set<String> aliases) {

	// Those that read are named: a tool that is added later has an effect.
	private static final Set<String> WITHOUT_EFFECT = Set.of("read_file", "list_directory", "glob", "search_files");

	ToolAuthorization authorization(ToolAuthorization authorization) {
		return this.readOnly ? ToolAuthorization.readOnly().and(authorization) : authorization;
	}

	/**
	 * Selects the programs, and checks the names that were given.
	 * @param executables all programs
	 * @param shell whether there is a shell
	 * @return those that may be run
	 * @throws SandboxException if a name is unknown
	 */
	Map<String, String> executables(Map<String, String> executables, boolean shell) {
		Map<String, String> selected = new LinkedHashMap<>(executables);
		if (this.aliases != null) {
			List<String> known = new ArrayList<>(executables.keySet());
			if (shell) {
				known.add(CommandTool.SHELL);
			}
			requireKnown("executables", this.aliases, known);
			selected.keySet().retainAll(this.aliases);
		}
		return selected;
	}

	boolean shell(boolean shell) {
		return shell && (this.aliases == null || this.aliases.contains(CommandTool.SHELL));
	}

	/**
	 * Selects the tools, and checks the names that were given.
	 * @param tools all tools
	 * @return those that are offered
	 * @throws SandboxException if a name is unknown
	 */
	List<SandboxTool> tools(List<SandboxTool> tools) {
		if (this.offered != null) {
			requireKnown("tools", this.offered, CodingTools.NAMES);
		}
		return tools.stream().filter(this::isOffered).toList();
	}

	private boolean isOffered(SandboxTool tool) {
		return (this.offered == null || this.offered.contains(tool.name()))
				&& (!this.readOnly || WITHOUT_EFFECT.contains(tool.name()));
	}

	private static void requireKnown(String what, Collection<String> named, Collection<String> known) {
		List<String> unknown = named.stream().filter((name) -> !known.contains(name)).toList();
		if (!unknown.isEmpty()) {
			throw new SandboxException(ErrorCode.SANDBOX_INVALID,
					"There are no " + what + " " + unknown + ". Use some of " + known + ".");
		}
	}

}
