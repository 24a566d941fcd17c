package io.sandbox4j;

/**
 * Where a driver puts what a command prints. Each method is called by one thread at a
 * time; the two may run beside each other. A call may block: that is the back-pressure.
 *
 * @since 0.1.0
 */
public interface OutputSink {

	/**
	 * Takes bytes of standard output.
	 * @param buffer the bytes, not to be kept
	 * @param offset where they start
	 * @param length how many they are
	 */
	void stdout(byte[] buffer, int offset, int length);

	/**
	 * Takes bytes of standard error.
	 * @param buffer the bytes, not to be kept
	 * @param offset where they start
	 * @param length how many they are
	 */
	void stderr(byte[] buffer, int offset, int length);

}
