package io.sandbox4j;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * What a backend's probe found to hold on this host, proven from inside a sandbox.
 *
 * @param checks every check, in the order in which they ran
 * @since 0.1.0
 */
public record Isolation(List<Check> checks) {

	/**
	 * Copies the list.
	 * @param checks every check
	 */
	public Isolation {
		checks = List.copyOf(checks);
	}

	/**
	 * Returns the restrictions for which every check held.
	 * @return the restrictions
	 */
	public Set<Restriction> held() {
		Set<Restriction> held = EnumSet.noneOf(Restriction.class);
		this.checks.forEach((check) -> held.add(check.restriction()));
		this.checks.stream().filter((check) -> !check.held()).forEach((check) -> held.remove(check.restriction()));
		return held;
	}

	/**
	 * Returns the checks that did not hold.
	 * @return the gaps
	 */
	public List<Check> gaps() {
		return this.checks.stream().filter((check) -> !check.held()).toList();
	}

	/**
	 * One check.
	 *
	 * @param name what was checked, lower-case words with dashes
	 * @param restriction what it belongs to
	 * @param held whether it held
	 * @param detail what was seen
	 */
	public record Check(String name, Restriction restriction, boolean held, String detail) {

	}

}
