package io.sandbox4j.cli;

import java.io.PrintStream;
import java.util.Comparator;
import java.util.Set;
import java.util.stream.Collectors;

import io.sandbox4j.Isolation;
import io.sandbox4j.Isolation.Check;
import io.sandbox4j.NetworkPolicy;
import io.sandbox4j.Restriction;

/**
 * What isolation a run had, for people.
 *
 * @param isolation what the probe found, in a sandbox without network
 * @param restrictions what held for the command
 * @param network what the command might reach
 */
record IsolationReport(Isolation isolation, Set<Restriction> restrictions, NetworkPolicy network) {

	void print(PrintStream out) {
		out.println("sandbox: held for this command: " + restrictions().stream()
			.sorted(Comparator.naturalOrder())
			.map(Restriction::id)
			.collect(Collectors.joining(", ")));
		int width = isolation().checks().stream().mapToInt((check) -> check.name().length()).max().orElse(1);
		for (Check check : isolation().checks()) {
			out.printf("sandbox:   %-9s %-" + width + "s  %s%n", verdict(check), check.name(),
					check.detail().replaceAll("\\s+", " "));
		}
	}

	private String verdict(Check check) {
		boolean asked = switch (check.restriction()) {
			case NETWORK_DENIED -> network() instanceof NetworkPolicy.DenyAll;
			case EGRESS_BROKERED -> network() instanceof NetworkPolicy.AllowList;
			default -> true;
		};
		if (!asked) {
			return "not asked";
		}
		return check.held() ? "held" : "NOT HELD";
	}

}
