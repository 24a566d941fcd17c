package io.sandbox4j.gateway;

/**
 * How much a gateway does.
 *
 * @param sessions how many sockets are open
 * @param connections how many connections of guests are open
 * @param requests how many requests are being served
 * @param upstreamConnections how many connections to origins are open, idle ones included
 * @since 0.1.0
 */
public record GatewayStatus(int sessions, int connections, int requests, int upstreamConnections) {

}
