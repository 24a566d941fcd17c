package io.sandbox4j.test;

import io.sandbox4j.SandboxDriver;
import org.junit.jupiter.api.Timeout;

/**
 * What every {@link SandboxDriver} must do by itself, as tests: what a session over it
 * relies on and never shows. A driver's author extends this class, before there is a
 * backend, and needs {@code junit-jupiter} to run it:
 *
 * <pre class="code">
 * class MyDriverTests extends SandboxDriverContract {
 *
 *     &#64;TempDir
 *     Path directory;
 *
 *     &#64;Override
 *     protected SandboxDriver openDriver() {
 *         return new MyDriver(this.directory, NetworkPolicy.denyAll());
 *     }
 *
 *     &#64;Override
 *     protected ContractCommands vocabulary() {
 *         return new ShellCommands();
 *     }
 *
 * }
 * </pre>
 *
 * It asks how commands start, read, print and end, and what they leave behind. What they
 * get, what the files do and how limits hold is asked through a session, by
 * {@link SandboxBackendContract}: a driver that is done passes both.
 *
 * @since 0.1.0
 */
@Timeout(120)
public abstract class SandboxDriverContract implements DriverFacts, DriverStreamFacts {

	/**
	 * Opens the driver of a new session, under a policy that denies all network. It is
	 * asked for once in each test, and what it needs is closed by whoever extends this
	 * class.
	 * @return the driver
	 */
	protected abstract SandboxDriver openDriver();

	/**
	 * Returns the commands that the driver's sandboxes understand.
	 * @return the commands
	 */
	protected abstract ContractCommands vocabulary();

	@Override
	public final SandboxDriver driver() {
		return openDriver();
	}

	@Override
	public final ContractCommands commands() {
		return vocabulary();
	}

}
