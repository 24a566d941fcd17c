package io.sandbox4j.cli;

import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;

import io.sandbox4j.NetworkPolicy;
import io.sandbox4j.OriginRule;
import io.sandbox4j.SandboxException;

/**
 * What {@code run} was asked for.
 *
 * @param directory the directory to work on
 * @param source how the sandbox gets it
 * @param network what the command may reach
 * @param timeout its deadline
 * @param report whether to print the isolation afterwards
 * @param command the program and its arguments
 */
record RunOptions(Path directory, Source source, NetworkPolicy network, Duration timeout, boolean report,
		List<String> command) {

	/**
	 * The longest deadline that the contract knows, more than 24 days: as good as none.
	 */
	static final Duration NO_TIMEOUT = Duration.ofMillis(Integer.MAX_VALUE);

	private static final long MAX_BODY = 1L << 30;

	private static final Duration MAX_REQUEST = Duration.ofMinutes(10);

	boolean git() {
		return source() == Source.GIT || source() == Source.GIT_APPLY;
	}

	static RunOptions parse(List<String> args) {
		Reader reader = new Reader(args);
		Path directory = Path.of("");
		NetworkPolicy network = NetworkPolicy.denyAll();
		Duration timeout = NO_TIMEOUT;
		Source source = Source.COPY;
		boolean apply = false;
		boolean report = false;
		for (String option = reader.option(); !option.equals("--"); option = reader.option()) {
			switch (option) {
				case "--dir" -> {
					directory = Path.of(reader.value());
				}
				case "--network" -> {
					network = network(reader.value());
				}
				case "--timeout" -> {
					timeout = timeout(reader.value());
				}
				case "--in-place" -> {
					source = reader.source(source, Source.IN_PLACE);
				}
				case "--git" -> {
					source = reader.source(source, Source.GIT);
				}
				case "--apply" -> {
					apply = reader.flag();
				}
				case "--report" -> {
					report = reader.flag();
				}
				default -> throw new UsageException("Unknown option '" + option + "'.");
			}
		}
		if (apply && source != Source.GIT) {
			throw new UsageException("'--apply' needs '--git'.");
		}
		return new RunOptions(directory.toAbsolutePath().normalize(), (apply) ? Source.GIT_APPLY : source, network,
				timeout, report, reader.command());
	}

	private static NetworkPolicy network(String value) {
		return switch (value) {
			case "deny" -> NetworkPolicy.denyAll();
			case "host" -> NetworkPolicy.allowAll();
			default -> {
				if (!value.contains("://")) {
					throw new UsageException("'--network' must be 'deny', 'host' or origins such as "
							+ "https://api.example.com, separated by commas, not '" + value + "'.");
				}
				yield origins(value.split(",", -1));
			}
		};
	}

	// Whoever names an origin on a command line wants to download from it.
	private static NetworkPolicy origins(String... origins) {
		try {
			List<OriginRule> rules = new ArrayList<>();
			for (String origin : origins) {
				rules.add(OriginRule.builder(origin.strip())
					.maxRequestBytes(MAX_BODY)
					.maxResponseBytes(MAX_BODY)
					.timeout(MAX_REQUEST)
					.build());
			}
			return NetworkPolicy.allow(rules.toArray(OriginRule[]::new));
		}
		catch (SandboxException ex) {
			throw new UsageException("'--network' has an origin that cannot be used: " + ex.getMessage());
		}
	}

	private static Duration timeout(String value) {
		try {
			// A long exponent would make the conversion run for hours.
			if (value.length() <= 16 && value.chars().allMatch((c) -> c == '.' || (c >= '0' && c <= '9'))) {
				Duration timeout = Duration.ofMillis(new BigDecimal(value).movePointRight(3).longValue());
				if (!timeout.isZero() && timeout.compareTo(NO_TIMEOUT) <= 0) {
					return timeout;
				}
			}
		}
		catch (NumberFormatException ex) {
			// Refused below, with the other malformed ones.
		}
		throw new UsageException("'--timeout' must be a number of seconds, more than 0 and at most "
				+ NO_TIMEOUT.toSeconds() + ", not '" + value + "'.");
	}

	/**
	 * How the sandbox gets the directory.
	 */
	enum Source {

		/**
		 * As a copy that is discarded.
		 */
		COPY,

		/**
		 * As it is.
		 */
		IN_PLACE,

		/**
		 * As a seeded Git working tree, whose changes are shown.
		 */
		GIT,

		/**
		 * As a seeded Git working tree, whose changes are shown and applied.
		 */
		GIT_APPLY

	}

	/**
	 * Splits a command line into options, their values and the command.
	 */
	private static final class Reader {

		private final Iterator<String> args;

		private final Set<String> seen = new HashSet<>();

		private String option = "";

		private boolean assigned;

		private String assignedValue = "";

		Reader(List<String> args) {
			this.args = args.iterator();
		}

		String option() {
			if (!this.args.hasNext()) {
				throw new UsageException("The command is missing. Write it after '--'.");
			}
			String arg = this.args.next();
			if (!arg.startsWith("-")) {
				throw new UsageException("Unexpected '" + arg + "'. Write '--' before the command.");
			}
			int assignment = arg.startsWith("--") ? arg.indexOf('=') : -1;
			this.assigned = assignment >= 0;
			this.assignedValue = this.assigned ? arg.substring(assignment + 1) : "";
			this.option = this.assigned ? arg.substring(0, assignment) : arg;
			if (!this.seen.add(this.option)) {
				throw new UsageException("'" + this.option + "' stands twice.");
			}
			return this.option;
		}

		String value() {
			if (this.assigned) {
				return this.assignedValue;
			}
			if (!this.args.hasNext()) {
				throw new UsageException("'" + this.option + "' needs a value.");
			}
			return this.args.next();
		}

		boolean flag() {
			if (this.assigned) {
				throw new UsageException("'" + this.option + "' takes no value.");
			}
			return true;
		}

		Source source(Source known, Source named) {
			flag();
			if (known != Source.COPY) {
				throw new UsageException("'--in-place' and '--git' exclude each other.");
			}
			return named;
		}

		List<String> command() {
			if (!this.args.hasNext()) {
				throw new UsageException("The command is missing. Write it after '--'.");
			}
			List<String> command = new ArrayList<>();
			this.args.forEachRemaining(command::add);
			if (command.get(0).isBlank()) {
				throw new UsageException("The command must not be empty.");
			}
			return List.copyOf(command);
		}

	}

}
