-- The ledger outlives its sandbox, so it refers to none.
CREATE TABLE sandbox4j_event (
	sandbox TEXT COLLATE "C" NOT NULL,
	sequence BIGINT NOT NULL,
	happened TEXT COLLATE "C" NOT NULL,
	kind TEXT COLLATE "C" NOT NULL,
	run TEXT COLLATE "C" NOT NULL,
	operation TEXT COLLATE "C" NOT NULL,
	content BYTEA NOT NULL,
	PRIMARY KEY (sandbox, sequence)
);

INSERT INTO sandbox4j_event (sandbox, sequence, happened, kind, run, operation, content)
	SELECT sandbox, 1, '${now}', 'runtime/baseline', '', '',
		convert_to('{"described":"' || used || '","created":"' || created || '"}', 'UTF8')
	FROM sandbox4j_sandbox;
