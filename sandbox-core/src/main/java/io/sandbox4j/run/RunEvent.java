package io.sandbox4j.run;

import java.time.Instant;

/**
 * Something that happened to a durable sandbox. Events are never changed.
 *
 * @param sandbox the sandbox's key
 * @param sequence its number, from 1 and without gaps
 * @param at when it happened
 * @param kind what happened, such as {@code operation/settled}
 * @param run the run's id, empty if it is of none
 * @param operation the operation's id, empty if it is of none
 * @param content what is to be told of it
 * @since 0.1.0
 */
public record RunEvent(String sandbox, long sequence, Instant at, String kind, String run, String operation,
		String content) {

}
