CREATE TABLE sandbox4j_sandbox (
	sandbox TEXT COLLATE "C" NOT NULL PRIMARY KEY,
	state_backend TEXT COLLATE "C",
	state_session TEXT COLLATE "C",
	state_template TEXT COLLATE "C",
	prepared SMALLINT NOT NULL,
	checkpoint TEXT COLLATE "C",
	operations BIGINT NOT NULL,
	created TEXT COLLATE "C" NOT NULL,
	used TEXT COLLATE "C" NOT NULL
);

CREATE TABLE sandbox4j_run (
	sandbox TEXT COLLATE "C" NOT NULL REFERENCES sandbox4j_sandbox (sandbox) ON DELETE CASCADE,
	run TEXT COLLATE "C" NOT NULL,
	conversation TEXT COLLATE "C" NOT NULL,
	parent TEXT COLLATE "C",
	cwd TEXT COLLATE "C" NOT NULL,
	stopped SMALLINT NOT NULL,
	created TEXT COLLATE "C" NOT NULL,
	PRIMARY KEY (sandbox, run)
);

CREATE INDEX sandbox4j_run_conversation ON sandbox4j_run (sandbox, conversation, run);

CREATE TABLE sandbox4j_operation (
	sandbox TEXT COLLATE "C" NOT NULL,
	run TEXT COLLATE "C" NOT NULL,
	operation TEXT COLLATE "C" NOT NULL,
	number BIGINT NOT NULL,
	content BYTEA NOT NULL,
	status TEXT COLLATE "C" NOT NULL,
	reason TEXT COLLATE "C",
	answer BYTEA NOT NULL,
	owner TEXT COLLATE "C" NOT NULL,
	submitted TEXT COLLATE "C" NOT NULL,
	settled TEXT COLLATE "C",
	unsettled SMALLINT NOT NULL,
	PRIMARY KEY (sandbox, run, operation),
	FOREIGN KEY (sandbox, run) REFERENCES sandbox4j_run (sandbox, run) ON DELETE CASCADE
);

CREATE UNIQUE INDEX sandbox4j_operation_number ON sandbox4j_operation (sandbox, number);

CREATE INDEX sandbox4j_operation_of_run ON sandbox4j_operation (sandbox, run, number);

CREATE INDEX sandbox4j_operation_unsettled ON sandbox4j_operation (sandbox, run, number, owner)
	WHERE unsettled = 1;

CREATE INDEX sandbox4j_operation_begun ON sandbox4j_operation (sandbox, run) WHERE owner <> '';

CREATE TABLE sandbox4j_message (
	sandbox TEXT COLLATE "C" NOT NULL,
	run TEXT COLLATE "C" NOT NULL,
	operation TEXT COLLATE "C" NOT NULL,
	place INTEGER NOT NULL,
	message TEXT COLLATE "C" NOT NULL,
	digest TEXT COLLATE "C" NOT NULL,
	content BYTEA NOT NULL,
	PRIMARY KEY (sandbox, run, operation, place),
	UNIQUE (sandbox, run, operation, message),
	FOREIGN KEY (sandbox, run, operation)
		REFERENCES sandbox4j_operation (sandbox, run, operation) ON DELETE CASCADE
);

CREATE TABLE sandbox4j_checkout (
	sandbox TEXT COLLATE "C" NOT NULL REFERENCES sandbox4j_sandbox (sandbox) ON DELETE CASCADE,
	directory TEXT COLLATE "C" NOT NULL,
	kind TEXT COLLATE "C" NOT NULL,
	repository TEXT COLLATE "C",
	noted TEXT COLLATE "C" NOT NULL,
	PRIMARY KEY (sandbox, directory)
);

-- Each writer updates its sandbox's row first: one whose snapshot is older than the lock that it was given
-- fails at this, and takes another snapshot.
CREATE TABLE sandbox4j_writer (
	sandbox TEXT COLLATE "C" NOT NULL PRIMARY KEY,
	writes BIGINT NOT NULL
) WITH (fillfactor = 50);
