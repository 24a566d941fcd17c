package io.sandbox4j.session;

import java.io.InputStream;

import io.sandbox4j.OutputSink;

/**
 * Where a command's output goes, and what of it belongs in the result.
 */
interface CommandOutput extends OutputSink {

	/**
	 * Lets every further byte in without waiting: the command is being killed, and
	 * whoever delivers its last bytes must not wait for a reader.
	 */
	void release();

	/**
	 * No byte comes any more.
	 */
	void finish();

	byte[] stdoutBytes();

	byte[] stderrBytes();

	long omittedStdout();

	long omittedStderr();

	InputStream stdout();

	InputStream stderr();

}
