package io.sandbox4j.gateway;

import java.time.Duration;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.SandboxException;

/**
 * Bounds of the gateway. Where a rule sets its own, the rule's counts.
 *
 * @param requests how many requests of one session are served at once; more get 503
 * @param connections how many connections of one session are open at once
 * @param headBytes how many bytes the head of a request or of an answer may have
 * @param requestBytes how many bytes the body of a request may have
 * @param responseBytes how many bytes the body of an answer may have
 * @param headTimeout how long the head of a request may take, from its first byte
 * @param connectTimeout how long the resolution and the connection may take each
 * @param idleTimeout how long either side may neither send nor take a byte within a
 * request
 * @param keepAlive how long a guest's connection without a request stays open
 * @param requestTimeout how long a request may take, from its head to the last byte of
 * its answer
 * @since 0.1.0
 */
public record GatewayLimits(int requests, int connections, int headBytes, long requestBytes, long responseBytes,
		Duration headTimeout, Duration connectTimeout, Duration idleTimeout, Duration keepAlive,
		Duration requestTimeout) {

	/**
	 * The limits unless others are set: 16 requests and 64 connections at once, heads of
	 * 64 KiB, bodies of 1 MiB, 10 seconds for a head and a connection, 30 seconds without
	 * a byte and for a whole request.
	 */
	public static final GatewayLimits DEFAULT = new GatewayLimits(16, 64, 64 * 1024, 1024 * 1024, 1024 * 1024,
			Duration.ofSeconds(10), Duration.ofSeconds(10), Duration.ofSeconds(30), Duration.ofSeconds(60),
			Duration.ofSeconds(30));

	/**
	 * Refuses what is not positive.
	 */
	public GatewayLimits {
		requirePositive("max-requests", requests);
		requirePositive("max-connections", connections);
		requirePositive("max-head", headBytes);
		requireNotNegative("max-request-body", requestBytes);
		requireNotNegative("max-response-body", responseBytes);
		requirePositive("head-timeout", headTimeout.toNanos());
		requirePositive("connect-timeout", connectTimeout.toNanos());
		requirePositive("idle-timeout", idleTimeout.toNanos());
		requirePositive("keep-alive", keepAlive.toNanos());
		requirePositive("request-timeout", requestTimeout.toNanos());
	}

	private static void requirePositive(String name, long value) {
		if (value <= 0) {
			throw new SandboxException(ErrorCode.SANDBOX_INVALID, "'gateway." + name + "' must be positive.");
		}
	}

	private static void requireNotNegative(String name, long value) {
		if (value < 0) {
			throw new SandboxException(ErrorCode.SANDBOX_INVALID, "'gateway." + name + "' must not be negative.");
		}
	}

}
