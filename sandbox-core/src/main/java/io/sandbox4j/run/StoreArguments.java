package io.sandbox4j.run;

import java.time.Instant;
import java.util.Objects;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.SandboxException;
import io.sandbox4j.SandboxState;
import org.jspecify.annotations.Nullable;

/**
 * What no store takes, so that every store takes the rest and returns it as it was. A
 * name is what databases sort by and have in keys; a text is not.
 */
final class StoreArguments {

	private static final Instant EARLIEST = Instant.parse("0000-01-01T00:00:00Z");

	private static final Instant LATEST = Instant.parse("9999-12-31T23:59:59.999999999Z");

	private StoreArguments() {
	}

	static void limit(int limit) {
		if (limit < 1 || limit > RunView.MAX_PAGE) {
			throw invalid("'limit' must be between 1 and " + RunView.MAX_PAGE + ".");
		}
	}

	static void number(String name, long number, long least) {
		if (number < least) {
			throw invalid("'" + name + "' must be at least " + least + ".");
		}
	}

	static void id(String name, String id) {
		if (id.isEmpty()) {
			throw invalid("'" + name + "' must not be empty.");
		}
		name(name, id, RunStore.MAX_ID_BYTES);
	}

	static void idOrEmpty(String name, String id) {
		name(name, id, RunStore.MAX_ID_BYTES);
	}

	static void name(String name, @Nullable String value, int maxBytes) {
		if (value != null && (bytes(name, value) > maxBytes || value.indexOf('\0') >= 0)) {
			throw invalid("'" + name + "' must have no NUL and at most " + maxBytes + " bytes of UTF-8.");
		}
	}

	static void text(String name, String text) {
		if (bytes(name, text) > RunStore.MAX_TEXT_BYTES) {
			throw new SandboxException(ErrorCode.SANDBOX_LIMIT,
					"'" + name + "' must have at most " + RunStore.MAX_TEXT_BYTES + " bytes of UTF-8.");
		}
	}

	static void time(String name, @Nullable Instant time) {
		if (time != null && (time.isBefore(EARLIEST) || time.isAfter(LATEST))) {
			throw invalid("'" + name + "' must be in a year from 0 to 9999.");
		}
	}

	static void record(SandboxRecord sandbox) {
		SandboxState state = sandbox.state();
		if (state != null) {
			id("state.backend", state.backend());
			id("state.sessionId", state.sessionId());
			id("state.templateKey", state.templateKey());
		}
		name("checkpoint", sandbox.checkpoint(), RunStore.MAX_PATH_BYTES);
		number("operations", sandbox.operations(), 0);
		time("created", sandbox.created());
		time("used", sandbox.used());
	}

	static void record(RunRecord run) {
		id("id", run.id());
		id("conversation", run.conversation());
		name("parent", run.parent(), RunStore.MAX_ID_BYTES);
		name("cwd", run.cwd(), RunStore.MAX_PATH_BYTES);
		time("created", run.created());
	}

	static void record(OperationRecord operation) {
		id("run", operation.run());
		id("id", operation.id());
		number("number", operation.number(), 0);
		text("text", operation.text());
		text("answer", operation.answer());
		idOrEmpty("owner", operation.owner());
		time("submitted", operation.submitted());
		time("settled", operation.settled());
		if ((operation.status() == OperationStatus.UNANSWERED) != (operation.reason() != null)) {
			throw invalid("'reason' must be there if and only if the operation is unanswered.");
		}
	}

	static void record(CheckoutRecord checkout) {
		name("directory", checkout.directory(), RunStore.MAX_PATH_BYTES);
		Objects.requireNonNull(checkout.kind(), "'kind' must not be null");
		name("repository", checkout.repository(), RunStore.MAX_PATH_BYTES);
		time("noted", checkout.noted());
	}

	// Half of a character has no UTF-8, and would come back as something else.
	private static long bytes(String name, String text) {
		long bytes = 0;
		for (int i = 0; i < text.length(); i++) {
			char character = text.charAt(i);
			if (Character.isHighSurrogate(character) && i + 1 < text.length()
					&& Character.isLowSurrogate(text.charAt(i + 1))) {
				bytes += 4;
				i++;
			}
			else if (Character.isSurrogate(character)) {
				throw invalid("'" + name + "' must be whole characters: it has half of a surrogate pair.");
			}
			else {
				bytes += (character < 0x80) ? 1 : ((character < 0x800) ? 2 : 3);
			}
		}
		return bytes;
	}

	private static SandboxException invalid(String message) {
		return new SandboxException(ErrorCode.SANDBOX_INVALID, message);
	}

}
