package io.sandbox4j.doctor;

import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

import io.sandbox4j.Isolation;
import io.sandbox4j.NetworkPolicy;
import io.sandbox4j.PreparedTemplate;
import io.sandbox4j.SandboxBackend;
import io.sandbox4j.SandboxException;
import io.sandbox4j.SandboxHandle;
import io.sandbox4j.SandboxRequest;
import io.sandbox4j.SandboxSession;
import io.sandbox4j.SandboxTemplate;
import org.jspecify.annotations.Nullable;

/**
 * What the checks of one examination look at. Thread-safe.
 *
 * @since 0.1.0
 */
public final class DoctorContext {

	private final SandboxBackend backend;

	private final DoctorSettings settings;

	private final ReentrantLock lock = new ReentrantLock();

	// Of its own, as a probe can take long and must not hold up the deletion.
	private final ReentrantLock probing = new ReentrantLock();

	private @Nullable Isolation isolation;

	private @Nullable SandboxException unavailable;

	private @Nullable SandboxHandle sandbox;

	private boolean closed;

	DoctorContext(SandboxBackend backend, DoctorSettings settings) {
		this.backend = backend;
		this.settings = settings;
	}

	/**
	 * Returns the backend that is examined.
	 * @return the backend
	 */
	public SandboxBackend backend() {
		return this.backend;
	}

	/**
	 * Returns where the backend keeps templates and sessions.
	 * @return the directory, or {@code null} if the doctor was not told
	 */
	public @Nullable Path stateDirectory() {
		return this.settings.stateDirectory();
	}

	/**
	 * Returns the policies that sandboxes get.
	 * @return the policies by name. They hold secrets
	 */
	public Map<String, NetworkPolicy> networks() {
		return this.settings.networks();
	}

	/**
	 * Returns a sandbox for this examination alone, without files and without network. It
	 * is deleted afterwards.
	 * @return its session
	 * @throws SandboxException as {@link SandboxBackend#create}
	 */
	public SandboxSession session() {
		SandboxHandle known = known();
		if (known != null) {
			return known.session();
		}
		PreparedTemplate template = this.backend.prewarm(SandboxTemplate.named("doctor").build());
		SandboxHandle made = this.backend
			.create(SandboxRequest.from(template).network(NetworkPolicy.denyAll()).build());
		this.lock.lock();
		try {
			if (!this.closed && this.sandbox == null) {
				this.sandbox = made;
				return made.session();
			}
		}
		finally {
			this.lock.unlock();
		}
		// Another check was faster, or this one too slow.
		made.delete();
		return session();
	}

	private @Nullable SandboxHandle known() {
		this.lock.lock();
		try {
			if (this.closed) {
				throw new IllegalStateException("The examination is over");
			}
			return this.sandbox;
		}
		finally {
			this.lock.unlock();
		}
	}

	DoctorSettings settings() {
		return this.settings;
	}

	// Asked once: where no sandbox can run, each question would probe anew.
	Isolation isolation() throws InterruptedException {
		this.probing.lockInterruptibly();
		try {
			if (this.unavailable != null) {
				throw this.unavailable;
			}
			Isolation known = this.isolation;
			if (known == null) {
				known = this.backend.isolation();
				this.isolation = known;
			}
			return known;
		}
		catch (SandboxException ex) {
			this.unavailable = ex;
			throw ex;
		}
		finally {
			this.probing.unlock();
		}
	}

	void close() {
		SandboxHandle made;
		this.lock.lock();
		try {
			this.closed = true;
			made = this.sandbox;
			this.sandbox = null;
		}
		finally {
			this.lock.unlock();
		}
		if (made != null) {
			made.delete();
		}
	}

}
