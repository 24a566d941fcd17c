-- The ledger outlives its sandbox, so it refers to none.
CREATE TABLE sandbox4j_event (
	sandbox TEXT NOT NULL,
	sequence INTEGER NOT NULL,
	happened TEXT NOT NULL,
	kind TEXT NOT NULL,
	run TEXT NOT NULL,
	operation TEXT NOT NULL,
	content BLOB NOT NULL,
	PRIMARY KEY (sandbox, sequence)
) STRICT;

INSERT INTO sandbox4j_event (sandbox, sequence, happened, kind, run, operation, content)
	SELECT sandbox, 1, '${now}', 'runtime/baseline', '', '',
		CAST('{"described":"' || used || '","created":"' || created || '"}' AS BLOB)
	FROM sandbox4j_sandbox;
