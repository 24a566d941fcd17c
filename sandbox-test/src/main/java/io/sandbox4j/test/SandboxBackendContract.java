package io.sandbox4j.test;

import io.sandbox4j.SandboxBackend;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;

/**
 * What every {@link SandboxBackend} must do, as tests. A backend's author extends this
 * class, and needs {@code junit-jupiter} to run it:
 *
 * <pre class="code">
 * class MyBackendTests extends SandboxBackendContract {
 *
 *     &#64;TempDir
 *     Path directory;
 *
 *     &#64;Override
 *     protected SandboxBackend openBackend(BackendSetup setup) {
 *         return new MyBackend(this.directory, setup.name(), setup.sessionLimits(), setup.listener());
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
 * What isolation a backend gives is not asked here: that needs tests of its own, from
 * inside its sandboxes.
 *
 * @since 0.1.0
 */
@Timeout(120)
public abstract class SandboxBackendContract implements TemplateFacts, SessionFacts, LeaseFacts, CommandFacts,
		LimitFacts, ProcessFacts, AdmissionFacts, FileFacts, ScanFacts, FileRefusalFacts, ShutdownFacts {

	private @Nullable ContractFixture fixture;

	/**
	 * Opens a backend. All that one test opens share one storage; two tests share none.
	 * @param setup what to open it with
	 * @return the backend, closed after the test
	 */
	protected abstract SandboxBackend openBackend(BackendSetup setup);

	/**
	 * Returns the commands that the backend's sandboxes understand.
	 * @return the commands
	 */
	protected abstract ContractCommands vocabulary();

	@Override
	public final ContractFixture fixture() {
		ContractFixture known = this.fixture;
		if (known == null) {
			known = new ContractFixture(this::openBackend);
			this.fixture = known;
		}
		return known;
	}

	@Override
	public final ContractCommands commands() {
		return vocabulary();
	}

	@AfterEach
	void closeBackends() {
		fixture().close();
	}

}
