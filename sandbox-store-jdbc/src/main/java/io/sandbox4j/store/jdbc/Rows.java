package io.sandbox4j.store.jdbc;

import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

import io.sandbox4j.SandboxState;
import io.sandbox4j.run.CheckoutRecord;
import io.sandbox4j.run.MessageRecord;
import io.sandbox4j.run.OperationRecord;
import io.sandbox4j.run.OperationStatus;
import io.sandbox4j.run.RunEvent;
import io.sandbox4j.run.RunRecord;
import io.sandbox4j.run.SandboxRecord;
import io.sandbox4j.run.UnansweredReason;
import org.jspecify.annotations.Nullable;

/**
 * Records as rows. A text is bytes, since PostgreSQL has no text with a NUL; a time is
 * text of one length, which sorts as the time does, to the nanosecond, and people can
 * read.
 */
final class Rows {

	private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSSSSS'Z'")
		.withZone(ZoneOffset.UTC);

	private Rows() {
	}

	static String time(Instant time) {
		return TIME.format(time);
	}

	static @Nullable String timeOrNull(@Nullable Instant time) {
		return (time != null) ? time(time) : null;
	}

	static byte[] text(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

	private static String text(ResultSet row, String column) throws SQLException {
		return new String(row.getBytes(column), StandardCharsets.UTF_8);
	}

	private static Instant time(ResultSet row, String column) throws SQLException {
		return Instant.parse(row.getString(column));
	}

	static SandboxRecord sandbox(ResultSet row) throws SQLException {
		String backend = row.getString("state_backend");
		SandboxState state = (backend != null)
				? new SandboxState(backend, row.getString("state_session"), row.getString("state_template")) : null;
		return new SandboxRecord(row.getString("sandbox"), state, row.getInt("prepared") != 0,
				row.getString("checkpoint"), row.getLong("operations"), time(row, "created"), time(row, "used"));
	}

	static RunRecord run(ResultSet row) throws SQLException {
		return new RunRecord(row.getString("sandbox"), row.getString("run"), row.getString("conversation"),
				row.getString("parent"), row.getString("cwd"), row.getInt("stopped") != 0, time(row, "created"));
	}

	static OperationRecord operation(ResultSet row) throws SQLException {
		String reason = row.getString("reason");
		String settled = row.getString("settled");
		return new OperationRecord(row.getString("sandbox"), row.getString("run"), row.getString("operation"),
				row.getLong("number"), text(row, "content"), OperationStatus.valueOf(row.getString("status")),
				(reason != null) ? UnansweredReason.valueOf(reason) : null, text(row, "answer"), row.getString("owner"),
				time(row, "submitted"), (settled != null) ? Instant.parse(settled) : null);
	}

	static MessageRecord message(ResultSet row) throws SQLException {
		return new MessageRecord(row.getInt("place"), row.getString("message"), row.getString("digest"),
				text(row, "content"));
	}

	static CheckoutRecord checkout(ResultSet row) throws SQLException {
		return new CheckoutRecord(row.getString("directory"), CheckoutRecord.Kind.valueOf(row.getString("kind")),
				row.getString("repository"), time(row, "noted"));
	}

	static RunEvent event(ResultSet row) throws SQLException {
		return new RunEvent(row.getString("sandbox"), row.getLong("sequence"), time(row, "happened"),
				row.getString("kind"), row.getString("run"), row.getString("operation"), text(row, "content"));
	}

}
