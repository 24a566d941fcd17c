package io.sandbox4j.lease;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListMap;

import org.jspecify.annotations.Nullable;

/**
 * Gives fixed values as environment: those that its own list and the specification's let
 * through.
 */
final class StaticBroker implements CredentialBroker {

	private final Map<String, String> values;

	StaticBroker(Map<String, String> values, Set<String> names) {
		this.values = new TreeMap<>(values);
		this.values.keySet().retainAll(names);
	}

	@Override
	public String id() {
		return CredentialBrokers.STATIC;
	}

	@Override
	public CredentialGrant issue(GrantRequest request) {
		Map<String, String> issued = new ConcurrentSkipListMap<>(this.values);
		Set<String> narrowed = request.environmentNames();
		if (narrowed != null) {
			issued.keySet().retainAll(narrowed);
		}
		return new Grant(issued);
	}

	@Override
	public String toString() {
		return "StaticBroker[names=" + this.values.keySet() + "]";
	}

	static String describe(String broker, String what, Iterable<String> names, @Nullable String remark) {
		Set<String> sorted = new TreeSet<>();
		names.forEach(sorted::add);
		if (sorted.isEmpty()) {
			return broker + ": no credentials were issued.";
		}
		return broker + ": " + sorted.size() + " " + what + ": " + String.join(", ", sorted) + "."
				+ ((remark != null) ? " " + remark : "");
	}

	/**
	 * The variables of one lease.
	 */
	private static final class Grant implements CredentialGrant {

		private final Map<String, String> environment;

		private final String description;

		Grant(Map<String, String> environment) {
			this.environment = environment;
			this.description = StaticBroker.describe(CredentialBrokers.STATIC, "environment variables",
					environment.keySet(), "Revoking does not rotate them.");
		}

		@Override
		public Map<String, String> environment() {
			return Map.copyOf(this.environment);
		}

		@Override
		public String describe() {
			return this.description;
		}

		@Override
		public void revoke() {
			this.environment.clear();
		}

		@Override
		public String toString() {
			return this.description;
		}

	}

}
