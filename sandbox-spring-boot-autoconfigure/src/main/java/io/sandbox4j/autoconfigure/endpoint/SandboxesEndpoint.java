package io.sandbox4j.autoconfigure.endpoint;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

import io.sandbox4j.AdmissionStatus;
import io.sandbox4j.ErrorCode;
import io.sandbox4j.LeaseOwner;
import io.sandbox4j.SandboxBackend;
import io.sandbox4j.SandboxException;
import io.sandbox4j.SandboxHandle;
import io.sandbox4j.SessionInfo;
import io.sandbox4j.autoconfigure.SandboxInstalls;
import io.sandbox4j.autoconfigure.SandboxTemplates;
import io.sandbox4j.checkpoint.Checkpoints;
import io.sandbox4j.doctor.DoctorFinding;
import io.sandbox4j.doctor.DoctorReport;
import io.sandbox4j.doctor.DoctorStatus;
import io.sandbox4j.doctor.SandboxDoctor;
import io.sandbox4j.gateway.GatewayStatus;
import io.sandbox4j.gateway.SandboxGateway;
import io.sandbox4j.install.Installs;
import io.sandbox4j.lease.LeaseInfo;
import io.sandbox4j.lease.LeaseStatus;
import io.sandbox4j.lease.SandboxLeases;
import io.sandbox4j.run.SandboxRuns;
import io.sandbox4j.run.SandboxWork;
import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.annotation.RegisterReflectionForBinding;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;

/**
 * {@link Endpoint @Endpoint} that shows, stops and deletes sandboxes, shows and ends
 * leases, and examines the host.
 *
 * @since 0.1.0
 */
@Endpoint(id = "sandboxes")
public final class SandboxesEndpoint {

	private static final String DOCTOR = "doctor";

	private final SandboxBackend backend;

	private final @Nullable SandboxTemplates templates;

	private final @Nullable SandboxGateway gateway;

	private final @Nullable SandboxDoctor doctor;

	private final @Nullable SandboxLeases leases;

	private final @Nullable SandboxRuns runs;

	private final @Nullable SandboxInstalls installs;

	private final @Nullable Checkpoints checkpoints;

	/**
	 * Creates the endpoint.
	 * @param backend the backend
	 * @param templates the templates whose names are shown, if any are known
	 * @param gateway the gateway whose figures are shown, if there is one
	 * @param doctor the doctor who examines the host, if there is one
	 * @param leases the leases that are shown and ended, if there are any
	 * @param runs the durable runs that are shown with their sandbox, if there are any
	 * @param installs the installs that are shown with their sandbox, if there are any
	 * @param checkpoints the checkpoints that are shown with their sandbox, if there are
	 * any
	 */
	public SandboxesEndpoint(SandboxBackend backend, @Nullable SandboxTemplates templates,
			@Nullable SandboxGateway gateway, @Nullable SandboxDoctor doctor, @Nullable SandboxLeases leases,
			@Nullable SandboxRuns runs, @Nullable SandboxInstalls installs, @Nullable Checkpoints checkpoints) {
		this.backend = Objects.requireNonNull(backend, "'backend' must not be null");
		this.templates = templates;
		this.gateway = gateway;
		this.doctor = doctor;
		this.leases = leases;
		this.runs = runs;
		this.installs = installs;
		this.checkpoints = checkpoints;
	}

	/**
	 * Lists the sandboxes and the leases.
	 * @return both, sorted by creation
	 */
	@ReadOperation
	public SandboxesDescriptor sandboxes() {
		return new SandboxesDescriptor(this.backend.name(), (this.gateway != null) ? this.gateway.status() : null,
				(this.leases != null) ? describe(this.leases) : null,
				this.backend.sessions().stream().map((session) -> describe(session, null, null)).toList());
	}

	private static LeasesDescriptor describe(SandboxLeases leases) {
		LeaseStatus status = leases.status();
		Instant now = Instant.now();
		return new LeasesDescriptor(status.active(), status.maxActive(), status.idle(), status.waiting(),
				leases.list().stream().map((lease) -> describe(lease, now)).toList());
	}

	private static LeaseDescriptor describe(LeaseInfo lease, Instant now) {
		return new LeaseDescriptor(lease.key().toString(), lease.phase(), lease.sessionId(), lease.uses(),
				lease.created(), Math.max(0, Duration.between(lease.created(), now).toSeconds()),
				lease.remaining().toSeconds());
	}

	/**
	 * Shows a sandbox, or examines the host. Ids have 64 digits, so none is taken for the
	 * other.
	 * @param id the session's id, or {@code doctor}
	 * @return the {@link SandboxDescriptor sandbox}, or {@code null} if there is none;
	 * for {@code doctor} the {@link DoctorDescriptor report}
	 */
	@ReadOperation
	@RegisterReflectionForBinding({ SandboxDescriptor.class, DoctorDescriptor.class })
	public @Nullable OperationResponseBody show(@Selector String id) {
		if (this.doctor != null && id.equals(DOCTOR)) {
			DoctorReport report = this.doctor.examine().withoutPaths();
			return new DoctorDescriptor(report.status(), report.findings());
		}
		return find(id).map(this::describeWithWork).orElse(null);
	}

	/**
	 * Stops a sandbox. Its workspace stays.
	 * @param id the session's id
	 * @param action {@code stop}
	 * @return the sandbox, or {@code null} if there is none
	 * @throws SandboxException {@link ErrorCode#SANDBOX_INVALID} for another action,
	 * {@link ErrorCode#SANDBOX_BUSY} if another process owns the session, or as
	 * {@link SandboxHandle#stop()}
	 */
	@WriteOperation
	public @Nullable SandboxDescriptor change(@Selector String id, String action) {
		if (!"stop".equals(action)) {
			throw new SandboxException(ErrorCode.SANDBOX_INVALID, "'action' must be 'stop'.");
		}
		Optional<SandboxHandle> handle = this.backend.handle(id);
		handle.ifPresent(SandboxHandle::stop);
		SessionInfo session = find(id).orElse(null);
		if (session == null) {
			return null;
		}
		if (handle.isEmpty() && session.status() != SessionInfo.Status.STOPPED) {
			throw new SandboxException(ErrorCode.SANDBOX_BUSY,
					"The session is owned by another process. Stop it there.");
		}
		return describeWithWork(session);
	}

	/**
	 * Stops a sandbox and deletes it with its workspace. If it is that of a lease, the
	 * lease ends: its credentials are revoked, and the other steps of its end are done.
	 * @param id the session's id
	 * @return {@code false} if there is none
	 * @throws SandboxException as {@link SandboxBackend#delete}
	 */
	@DeleteOperation
	public boolean delete(@Selector String id) {
		boolean ended = this.leases != null && end(this.leases, id);
		// The end of a lease does not tell what it could not delete.
		return this.backend.delete(id) || ended;
	}

	private static boolean end(SandboxLeases leases, String id) {
		return leases.list()
			.stream()
			.filter((lease) -> id.equals(lease.sessionId()))
			.findFirst()
			.map((lease) -> leases.end(lease.key()))
			.orElse(false);
	}

	private Optional<SessionInfo> find(String id) {
		return this.backend.sessions().stream().filter((session) -> session.id().equals(id)).findFirst();
	}

	private SandboxDescriptor describeWithWork(SessionInfo session) {
		return describe(session, (this.runs != null) ? this.runs.work(session.id()).orElse(null) : null,
				(this.checkpoints != null) ? CheckpointsDescriptor.of(this.checkpoints, session.id()) : null);
	}

	private SandboxDescriptor describe(SessionInfo session, @Nullable SandboxWork work,
			@Nullable CheckpointsDescriptor checkpoints) {
		LeaseOwner owner = session.owner();
		return new SandboxDescriptor(session.id(), session.status(), session.created(), session.templateKey(),
				templateName(session.templateKey()),
				(owner != null) ? new OwnerDescriptor(owner.host(), owner.pid(), owner.acquired()) : null,
				this.backend.handle(session.id()).map((handle) -> handle.session().admission()).orElse(null), work,
				installs(session.id()), checkpoints);
	}

	private @Nullable List<InstallDescriptor> installs(String id) {
		Installs known = (this.installs != null) ? this.installs.find(id) : null;
		return (known != null) ? InstallDescriptor.of(known) : null;
	}

	private @Nullable String templateName(String key) {
		if (this.templates == null) {
			return null;
		}
		SandboxTemplates known = this.templates;
		return known.names().stream().filter((name) -> known.get(name).key().equals(key)).findFirst().orElse(null);
	}

	/**
	 * The sandboxes of a backend.
	 *
	 * @param backend the backend's name
	 * @param gateway what the gateway does now, if there is one
	 * @param leases the leases, if there are any
	 * @param sandboxes the sandboxes
	 */
	public record SandboxesDescriptor(String backend, @Nullable GatewayStatus gateway,
			@Nullable LeasesDescriptor leases, List<SandboxDescriptor> sandboxes) implements OperationResponseBody {

	}

	/**
	 * A sandbox: no path, no policy, nothing of its commands.
	 *
	 * @param id the session's id
	 * @param status whether somebody owns it
	 * @param created when it was made
	 * @param templateKey the key of its template
	 * @param template the name of its template, if this application declares it
	 * @param owner who took its lease last
	 * @param admission its commands, if this application owns it
	 * @param work its durable runs and what is not settled of them, without any text;
	 * only if it is asked for alone, and runs here
	 * @param installs its installs, if this application asked for some since it runs
	 * @param checkpoints its checkpoints; only if it is asked for alone, and this
	 * application has a store of them
	 */
	public record SandboxDescriptor(String id, SessionInfo.Status status, Instant created, String templateKey,
			@Nullable String template, @Nullable OwnerDescriptor owner, @Nullable AdmissionStatus admission,
			@Nullable SandboxWork work, @Nullable List<InstallDescriptor> installs,
			@Nullable CheckpointsDescriptor checkpoints) implements OperationResponseBody {

	}

	/**
	 * What the doctor found: no path of the host.
	 *
	 * @param status the worst status of all findings
	 * @param findings the findings, in the order of the checks
	 */
	public record DoctorDescriptor(DoctorStatus status, List<DoctorFinding> findings) implements OperationResponseBody {

	}

	/**
	 * The leases.
	 *
	 * @param active those whose sandbox runs, starts or ends
	 * @param limit how many may
	 * @param idle those whose sandbox is stopped
	 * @param waiting callers that wait for a place
	 * @param leases the leases
	 */
	public record LeasesDescriptor(int active, int limit, int idle, int waiting, List<LeaseDescriptor> leases) {

	}

	/**
	 * A lease: nothing of its credentials.
	 *
	 * @param key its key, as it is logged
	 * @param phase what it does
	 * @param sandbox the session's id, if there is one yet
	 * @param uses how many have it open
	 * @param created when it was made
	 * @param ageSeconds how long ago that was
	 * @param remainingSeconds how long it lives if it is not renewed
	 */
	public record LeaseDescriptor(String key, LeaseInfo.Phase phase, @Nullable String sandbox, int uses,
			Instant created, long ageSeconds, long remainingSeconds) {

	}

	/**
	 * Who took a session's lease.
	 *
	 * @param host the host's name
	 * @param pid the process
	 * @param acquired when it was taken
	 */
	public record OwnerDescriptor(String host, long pid, Instant acquired) {

	}

}
