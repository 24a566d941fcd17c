package io.sandbox4j.store.jdbc;

/**
 * What is read, in words that both databases know. Each is answered from an index.
 */
final class Queries {

	static final String SANDBOX = "SELECT * FROM sandbox4j_sandbox WHERE sandbox = ?";

	static final String SANDBOXES = "SELECT * FROM sandbox4j_sandbox WHERE sandbox > ? ORDER BY sandbox LIMIT ?";

	static final String UNSETTLED = "SELECT DISTINCT sandbox FROM sandbox4j_operation WHERE unsettled = 1 "
			+ "AND sandbox > ? ORDER BY sandbox LIMIT ?";

	static final String RUN = "SELECT * FROM sandbox4j_run WHERE sandbox = ? AND run = ?";

	static final String RUNS = "SELECT * FROM sandbox4j_run WHERE sandbox = ? AND run > ? ORDER BY run LIMIT ?";

	static final String OPERATION = "SELECT * FROM sandbox4j_operation WHERE sandbox = ? AND run = ? "
			+ "AND operation = ?";

	static final String OPERATIONS = "SELECT * FROM sandbox4j_operation WHERE sandbox = ? AND run = ? "
			+ "AND number > ? ORDER BY number LIMIT ?";

	static final String UNSETTLED_OPERATIONS = "SELECT * FROM sandbox4j_operation WHERE unsettled = 1 "
			+ "AND sandbox = ? ORDER BY number";

	static final String HAS_UNSETTLED = "SELECT 1 FROM sandbox4j_operation WHERE unsettled = 1 AND sandbox = ? LIMIT 1";

	static final String HAS_UNSETTLED_OF_RUN = "SELECT 1 FROM sandbox4j_operation WHERE unsettled = 1 "
			+ "AND sandbox = ? AND run = ? LIMIT 1";

	// SQLite keeps the order of a CROSS JOIN; PostgreSQL chooses one by what there is.
	static final String UNSETTLED_CONVERSATIONS = "SELECT r.conversation FROM sandbox4j_operation o "
			+ "CROSS JOIN sandbox4j_run r WHERE o.unsettled = 1 AND o.sandbox = ? "
			+ "AND r.sandbox = o.sandbox AND r.run = o.run GROUP BY r.conversation ORDER BY MIN(o.number)";

	// The inner part reads no text.
	static final String NEXT_OPERATION = "SELECT * FROM sandbox4j_operation WHERE sandbox = ? AND number = "
			+ "(SELECT MIN(o.number) FROM sandbox4j_run r CROSS JOIN sandbox4j_operation o "
			+ "WHERE r.sandbox = ? AND r.conversation = ? AND o.sandbox = r.sandbox AND o.run = r.run "
			+ "AND o.unsettled = 1 AND o.owner <> ?)";

	static final String HAS_TURNS = "SELECT 1 FROM sandbox4j_run r CROSS JOIN sandbox4j_operation o "
			+ "WHERE r.sandbox = ? AND r.conversation = ? AND o.sandbox = r.sandbox AND o.run = r.run "
			+ "AND o.owner <> '' LIMIT 1";

	static final String MESSAGES = "SELECT * FROM sandbox4j_message WHERE sandbox = ? AND run = ? "
			+ "AND operation = ? AND place >= ? ORDER BY place LIMIT ?";

	static final String MESSAGE = "SELECT place, message, digest, content FROM sandbox4j_message "
			+ "WHERE sandbox = ? AND run = ? AND operation = ? AND message = ?";

	static final String LAST_PLACE = "SELECT MAX(place) FROM sandbox4j_message "
			+ "WHERE sandbox = ? AND run = ? AND operation = ?";

	static final String CHECKOUTS = "SELECT * FROM sandbox4j_checkout WHERE sandbox = ? "
			+ "ORDER BY noted DESC, directory";

	static final String EVENTS = "SELECT * FROM sandbox4j_event WHERE sandbox = ? AND sequence > ? "
			+ "ORDER BY sequence LIMIT ?";

	static final String LAST_EVENT = "SELECT MAX(sequence) FROM sandbox4j_event WHERE sandbox = ?";

	private Queries() {
	}

}
