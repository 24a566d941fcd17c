CREATE TABLE sandbox4j_sandbox (
	sandbox TEXT NOT NULL PRIMARY KEY,
	state_backend TEXT,
	state_session TEXT,
	state_template TEXT,
	prepared INTEGER NOT NULL,
	checkpoint TEXT,
	operations INTEGER NOT NULL,
	created TEXT NOT NULL,
	used TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE sandbox4j_run (
	sandbox TEXT NOT NULL REFERENCES sandbox4j_sandbox (sandbox) ON DELETE CASCADE,
	run TEXT NOT NULL,
	conversation TEXT NOT NULL,
	parent TEXT,
	cwd TEXT NOT NULL,
	stopped INTEGER NOT NULL,
	created TEXT NOT NULL,
	PRIMARY KEY (sandbox, run)
) STRICT, WITHOUT ROWID;

CREATE INDEX sandbox4j_run_conversation ON sandbox4j_run (sandbox, conversation);

CREATE TABLE sandbox4j_operation (
	sandbox TEXT NOT NULL,
	run TEXT NOT NULL,
	operation TEXT NOT NULL,
	number INTEGER NOT NULL,
	content BLOB NOT NULL,
	status TEXT NOT NULL,
	reason TEXT,
	answer BLOB NOT NULL,
	owner TEXT NOT NULL,
	submitted TEXT NOT NULL,
	settled TEXT,
	unsettled INTEGER NOT NULL,
	PRIMARY KEY (sandbox, run, operation),
	FOREIGN KEY (sandbox, run) REFERENCES sandbox4j_run (sandbox, run) ON DELETE CASCADE
) STRICT;

CREATE UNIQUE INDEX sandbox4j_operation_number ON sandbox4j_operation (sandbox, number);

CREATE INDEX sandbox4j_operation_of_run ON sandbox4j_operation (sandbox, run, number);

CREATE INDEX sandbox4j_operation_unsettled ON sandbox4j_operation (sandbox, run, number, owner)
	WHERE unsettled = 1;

CREATE INDEX sandbox4j_operation_begun ON sandbox4j_operation (sandbox, run) WHERE owner <> '';

CREATE TABLE sandbox4j_message (
	sandbox TEXT NOT NULL,
	run TEXT NOT NULL,
	operation TEXT NOT NULL,
	place INTEGER NOT NULL,
	message TEXT NOT NULL,
	digest TEXT NOT NULL,
	content BLOB NOT NULL,
	PRIMARY KEY (sandbox, run, operation, place),
	UNIQUE (sandbox, run, operation, message),
	FOREIGN KEY (sandbox, run, operation)
		REFERENCES sandbox4j_operation (sandbox, run, operation) ON DELETE CASCADE
) STRICT;

CREATE TABLE sandbox4j_checkout (
	sandbox TEXT NOT NULL REFERENCES sandbox4j_sandbox (sandbox) ON DELETE CASCADE,
	directory TEXT NOT NULL,
	kind TEXT NOT NULL,
	repository TEXT,
	noted TEXT NOT NULL,
	PRIMARY KEY (sandbox, directory)
) STRICT, WITHOUT ROWID;
