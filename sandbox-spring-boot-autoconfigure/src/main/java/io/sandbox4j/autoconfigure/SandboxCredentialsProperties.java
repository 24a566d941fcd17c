package io.sandbox4j.autoconfigure;

import java.util.List;
import java.util.Set;

import io.sandbox4j.autoconfigure.SandboxNetworkProperties.Rule;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Properties of the credentials that leases get. Values are checked when the application
 * starts. A property that is not known here fails the start: a restriction with a
 * misspelled name would otherwise be none.
 *
 * @param broker Id of the broker that issues the credentials of leases: 'static',
 * 'gateway' or that of a CredentialBroker bean.
 * @param environment Comma-separated list of the names of the variables that the broker
 * 'static' gives to commands, with the values that the application's environment has for
 * them. Guests can read them.
 * @param gateway What the broker 'gateway' grants.
 * @since 0.1.0
 */
@ConfigurationProperties(prefix = "sandbox.credentials", ignoreUnknownFields = false)
public record SandboxCredentialsProperties(@DefaultValue("static") String broker, @DefaultValue Set<String> environment,
		@DefaultValue Gateway gateway) {

	/**
	 * What the broker 'gateway' grants.
	 *
	 * @param allow List of the origins that leases of the broker 'gateway' may reach
	 * besides those of their policy, with 'credentials' that no other sandbox gets. An
	 * origin has the properties of those of 'sandbox.network.allow', but no 'headers'.
	 */
	public record Gateway(@DefaultValue List<Rule> allow) {

	}

}
