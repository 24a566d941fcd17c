package io.sandbox4j.test.ai;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;
import java.util.Objects;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.type.TypeReference;

/**
 * The turns that answer one message of the user. Calls are numbered from 1 over all
 * turns.
 *
 * @param turns the turns, of which only the last may be without calls
 */
record ReplayScript(List<ReplayTurn> turns) {

	private static final TypeReference<List<@Nullable ReplayTurn>> TURNS = new TypeReference<>() {
	};

	ReplayScript {
		turns = List.copyOf(turns);
		if (turns.isEmpty()) {
			throw new IllegalArgumentException("A script must have a turn");
		}
		int answered = 0;
		for (int i = 0; i < turns.size(); i++) {
			ReplayTurn turn = turns.get(i);
			if (turn.last() && i < turns.size() - 1) {
				throw new IllegalArgumentException("Turn " + (i + 1) + " has no calls, so no turn can follow it");
			}
			for (ReplayCall call : turn.calls()) {
				checkReferences(i + 1, call, answered);
			}
			answered += turn.calls().size();
		}
	}

	private static void checkReferences(int turn, ReplayCall call, int answered) {
		for (int number : Reference.numbersIn(call.arguments())) {
			if (number < 1 || number > answered) {
				throw new IllegalArgumentException("Turn " + turn + ", tool '" + call.tool()
						+ "': refers to the answer to call " + number + ", which is not answered by then");
			}
		}
	}

	static ReplayScript read(InputStream in) throws IOException {
		byte[] bytes = in.readAllBytes();
		try {
			List<@Nullable ReplayTurn> turns = Json.MAPPER.readValue(bytes, TURNS);
			if (turns == null) {
				throw new IllegalArgumentException("The script is no list of turns");
			}
			return new ReplayScript(turns.stream().map((turn) -> Objects.requireNonNull(turn, "no turn")).toList());
		}
		catch (JacksonException | NullPointerException ex) {
			throw new IllegalArgumentException("The script cannot be read: " + ex.getMessage(), ex);
		}
	}

	void write(OutputStream out) throws IOException {
		out.write(Json.MAPPER.writerWithDefaultPrettyPrinter().writeValueAsBytes(this.turns));
	}

	/**
	 * Returns the number of the first call of a turn.
	 * @param position the turn, from 0
	 * @return the number, from 1
	 */
	int firstCall(int position) {
		return 1 + this.turns.subList(0, position).stream().mapToInt((turn) -> turn.calls().size()).sum();
	}

	static String id(int number) {
		return "call-" + number;
	}

}
