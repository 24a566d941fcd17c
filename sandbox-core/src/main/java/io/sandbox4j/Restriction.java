package io.sandbox4j;

/**
 * Something that holds for every command of a session.
 *
 * @since 0.1.0
 */
public enum Restriction {

	/**
	 * No network at all, not even through a gateway.
	 */
	NETWORK_DENIED("network-denied"),

	/**
	 * Nothing outside the workspace can be written that outlives the command.
	 */
	WRITE_CONTAINED("write-contained"),

	/**
	 * The host's homes, environment, processes and sockets are not visible.
	 */
	SECRETS_HIDDEN("secrets-hidden"),

	/**
	 * No process outlives its command, gains privileges, or sees a process of the host.
	 */
	PROCESS_CONTAINED("process-contained"),

	/**
	 * The listed origins are reachable through the gateway, and nothing else.
	 */
	EGRESS_BROKERED("egress-brokered"),

	/**
	 * Open files, processes, file sizes, CPU time and scratch space are bounded.
	 */
	RESOURCES_BOUNDED("resources-bounded");

	private final String id;

	Restriction(String id) {
		this.id = id;
	}

	/**
	 * Returns the stable identifier.
	 * @return a lower-case word with dashes
	 */
	public String id() {
		return this.id;
	}

}
