package io.sandbox4j.lease;

/**
 * Issues credentials for leases. Thread-safe.
 *
 * @since 0.1.0
 */
public interface CredentialBroker {

	/**
	 * Returns the name that specifications use.
	 * @return the id: a lower-case letter, then lower-case letters, digits and dashes
	 */
	String id();

	/**
	 * Issues what a new lease may use. Called once for each lease, before its sandbox is
	 * made, and again only for a lease that was found after a restart.
	 * @param request what it is for
	 * @return the grant, of this lease alone
	 */
	CredentialGrant issue(GrantRequest request);

}
