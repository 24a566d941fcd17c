package io.sandbox4j.gateway;

import java.net.InetAddress;
import java.net.UnknownHostException;

/**
 * Asks the host's resolver: {@link InetAddress#getAllByName}, which may block for long.
 */
@FunctionalInterface
interface NameLookup {

	InetAddress[] lookup(String host) throws UnknownHostException;

}
