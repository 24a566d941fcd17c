package io.sandbox4j.run;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.NetworkPolicy;
import io.sandbox4j.PreparedTemplate;
import io.sandbox4j.SandboxBackend;
import io.sandbox4j.SandboxException;
import io.sandbox4j.SandboxHandle;
import io.sandbox4j.SandboxSession;
import org.jspecify.annotations.Nullable;

/**
 * Builds {@link SandboxRuns}. Not thread-safe.
 *
 * @since 0.1.0
 */
public final class SandboxRunsBuilder {

	private final SandboxBackend backend;

	private final PreparedTemplate template;

	private final RunStore store;

	private final RunAdapter adapter;

	private @Nullable NetworkPolicy network;

	private Map<String, String> environment = Map.of();

	private Map<String, String> networkEnvironment = Map.of();

	private Consumer<SandboxSession> prepare = (session) -> {
	};

	private Consumer<SandboxHandle> beforeStop = (sandbox) -> {
	};

	private Duration idleTimeout = Duration.ofMinutes(5);

	private int maxTurns = 16;

	private Duration drainTimeout = Duration.ofSeconds(20);

	private byte[] debugSecret = new byte[0];

	private Duration firstPause = Duration.ofSeconds(1);

	private InstantSource clock = InstantSource.system();

	SandboxRunsBuilder(SandboxBackend backend, PreparedTemplate template, RunStore store, RunAdapter adapter) {
		this.backend = Objects.requireNonNull(backend, "'backend' must not be null");
		this.template = Objects.requireNonNull(template, "'template' must not be null");
		this.store = Objects.requireNonNull(store, "'store' must not be null");
		this.adapter = Objects.requireNonNull(adapter, "'adapter' must not be null");
	}

	/**
	 * Sets the network policy of every sandbox.
	 * @param network the policy; there is none unless set
	 * @return this builder
	 */
	public SandboxRunsBuilder network(NetworkPolicy network) {
		this.network = Objects.requireNonNull(network, "'network' must not be null");
		return this;
	}

	/**
	 * Sets variables of every command, which its own win over. They are not secret: every
	 * command of the agent sees them.
	 * @param environment names and values
	 * @return this builder
	 */
	public SandboxRunsBuilder environment(Map<String, String> environment) {
		this.environment = Map.copyOf(environment);
		return this;
	}

	/**
	 * Sets variables that lead programs to the network as the policy has it. They win
	 * over a command's own.
	 * @param environment names and values, none of them in {@link #environment(Map)}
	 * @return this builder
	 */
	public SandboxRunsBuilder networkEnvironment(Map<String, String> environment) {
		this.networkEnvironment = Map.copyOf(environment);
		return this;
	}

	/**
	 * Sets what is done once with each new session, before anybody gets it. If it throws,
	 * or the application ends meanwhile, there is no session.
	 * @param prepare the work
	 * @return this builder
	 */
	public SandboxRunsBuilder prepare(Consumer<SandboxSession> prepare) {
		this.prepare = Objects.requireNonNull(prepare, "'prepare' must not be null");
		return this;
	}

	/**
	 * Sets what is done each time before a sandbox is stopped: because nobody used it, by
	 * a release, or because the application ends. It may be a backup, such as
	 * {@code checkpoints::backUp}. If it throws, the sandbox is stopped nevertheless and
	 * an event tells of it.
	 * @param beforeStop the work
	 * @return this builder
	 */
	public SandboxRunsBuilder beforeStop(Consumer<SandboxHandle> beforeStop) {
		this.beforeStop = Objects.requireNonNull(beforeStop, "'beforeStop' must not be null");
		return this;
	}

	/**
	 * Sets after which time without use a sandbox is stopped. Its files stay.
	 * @param idleTimeout more than zero; 5 minutes unless set
	 * @return this builder
	 */
	public SandboxRunsBuilder idleTimeout(Duration idleTimeout) {
		if (idleTimeout.isZero() || idleTimeout.isNegative()) {
			throw invalid("'idleTimeout' must be more than zero.");
		}
		this.idleTimeout = idleTimeout;
		return this;
	}

	/**
	 * Sets how many turns run at once. Further ones wait.
	 * @param maxTurns 1 to 1000; 16 unless set
	 * @return this builder
	 */
	public SandboxRunsBuilder maxTurns(int maxTurns) {
		if (maxTurns < 1 || maxTurns > 1000) {
			throw invalid("'maxTurns' must be between 1 and 1000.");
		}
		this.maxTurns = maxTurns;
		return this;
	}

	/**
	 * Sets how long turns may go on when the application ends. Those that are left are
	 * ended, and settled as lost.
	 * @param drainTimeout zero or more; 20 seconds unless set
	 * @return this builder
	 */
	public SandboxRunsBuilder drainTimeout(Duration drainTimeout) {
		if (drainTimeout.isNegative()) {
			throw invalid("'drainTimeout' must not be negative.");
		}
		this.drainTimeout = drainTimeout;
		return this;
	}

	/**
	 * Allows {@link DurableSandbox#reset} and {@link DurableSandbox#destroy} to whoever
	 * knows a secret. Without one nobody may call them.
	 * @param secret at least 16 characters
	 * @return this builder
	 */
	public SandboxRunsBuilder debugSecret(String secret) {
		if (secret.length() < 16) {
			throw invalid("'debugSecret' must have at least 16 characters.");
		}
		this.debugSecret = secret.getBytes(StandardCharsets.UTF_8);
		return this;
	}

	SandboxRunsBuilder firstPause(Duration firstPause) {
		this.firstPause = firstPause;
		return this;
	}

	SandboxRunsBuilder clock(InstantSource clock) {
		this.clock = clock;
		return this;
	}

	/**
	 * Builds the runs, and goes on with what an earlier application left unfinished.
	 * @return the runs
	 * @throws SandboxException {@link ErrorCode#SANDBOX_INVALID} without a network
	 * policy, or if a variable is set twice
	 */
	public SandboxRuns build() {
		if (this.network == null) {
			throw invalid("'network' must be set, for example NetworkPolicy.denyAll().");
		}
		return new SandboxRuns(new RunSettings(this.backend, this.template.key(), this.store, this.adapter,
				this.network, new CommandEnvironment(this.environment, this.networkEnvironment), this.prepare,
				this.beforeStop, this.idleTimeout, this.maxTurns, this.drainTimeout, this.debugSecret, this.firstPause,
				this.clock));
	}

	private static SandboxException invalid(String message) {
		return new SandboxException(ErrorCode.SANDBOX_INVALID, message);
	}

}
