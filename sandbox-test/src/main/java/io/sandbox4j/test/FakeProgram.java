package io.sandbox4j.test;

/**
 * What a {@link FakeSandboxBackend} runs in place of a program.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface FakeProgram {

	/**
	 * Runs to the program's end, on a thread of its own. When the command is killed the
	 * thread is interrupted and its streams fail; a program that goes on all the same is
	 * one whose processes cannot be proven gone. What it throws is printed on standard
	 * error, and it exits with 1.
	 * @param invocation what it was started with
	 * @return the exit code, of which the lower eight bits count
	 * @throws Exception if the program fails
	 */
	int run(FakeInvocation invocation) throws Exception;

}
