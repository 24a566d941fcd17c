package io.sandbox4j.tools;

import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;

import io.sandbox4j.SandboxSession;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets a person decide. A call that is held waits on its thread until its owner approves
 * or refuses it, until its deadline, an interrupt, the end of its session or
 * {@link #close}; without an approval it has no effect. While it waits it takes no slot
 * of a command, and holds up only calls that change the same path. An approved call runs
 * once, and only if what was approved is still so. Thread-safe.
 * <p>
 * The answer to an id that is unknown, answered, too late or not the principal's to
 * answer is always {@code false}, so that nobody learns what others wait for.
 *
 * @since 0.1.0
 */
public final class ToolApprovals implements ToolAuthorization, AutoCloseable {

	private static final Logger logger = LoggerFactory.getLogger(ToolApprovals.class);

	private static final int ID_BYTES = 32;

	private static final int MAX_REASON = 500;

	private static final String ASK = "Do not repeat it; ask the user, or go on without it.";

	private final SecureRandom random = new SecureRandom();

	private final Map<String, HeldCall> calls = new ConcurrentHashMap<>();

	private final Supplier<String> owner;

	private final Predicate<ToolRequest> held;

	private final ToolAuthorization others;

	private final BiPredicate<PendingApproval, String> approvers;

	private final Duration timeout;

	private final Semaphore places;

	private final ApprovalListener listener;

	private volatile boolean closed;

	ToolApprovals(ToolApprovalsBuilder builder) {
		this.owner = builder.owner;
		this.held = builder.held;
		this.others = builder.others;
		this.approvers = builder.approvers;
		this.timeout = builder.timeout;
		this.places = new Semaphore(builder.maxPending);
		this.listener = builder.listener;
	}

	/**
	 * Starts approvals for the calls of one principal.
	 * @param owner the principal
	 * @return the builder
	 */
	public static ToolApprovalsBuilder builder(String owner) {
		requirePrincipal(owner);
		return builder(() -> owner);
	}

	/**
	 * Starts approvals for the calls of several principals.
	 * @param owner returns the principal of the call on whose thread it is asked; without
	 * one the call is refused
	 * @return the builder
	 */
	public static ToolApprovalsBuilder builder(Supplier<String> owner) {
		return new ToolApprovalsBuilder(owner);
	}

	@Override
	public boolean authorize(ToolRequest request) {
		return this.held.test(request) ? ask(request, null) : this.others.authorize(request);
	}

	@Override
	public boolean authorize(ToolRequest request, SandboxSession session) {
		return this.held.test(request) ? ask(request, session) : this.others.authorize(request, session);
	}

	private boolean ask(ToolRequest request, @Nullable SandboxSession session) {
		String principal = requirePrincipal(this.owner.get());
		if (!this.places.tryAcquire()) {
			throw new ToolRefusedException(RefusalCode.SANDBOX_BUSY, "Too many calls wait for a person already.",
					"Wait until some of them are answered, or go on without it.");
		}
		try {
			return isApproved(await(new HeldCall(pending(request, session, principal), this.timeout), session));
		}
		finally {
			this.places.release();
		}
	}

	private PendingApproval pending(ToolRequest request, @Nullable SandboxSession session, String principal) {
		byte[] id = new byte[ID_BYTES];
		this.random.nextBytes(id);
		Instant now = Instant.now();
		return new PendingApproval(HexFormat.of().formatHex(id), (session != null) ? session.id() : null, request,
				principal, now, now.plus(this.timeout));
	}

	private HeldCall.Answer await(HeldCall call, @Nullable SandboxSession session) {
		PendingApproval pending = call.pending();
		this.calls.put(pending.id(), call);
		try {
			// Whoever closes ends what it finds, and this finds that it was closed.
			if (this.closed) {
				call.end(ApprovalOutcome.STOPPED);
			}
			tell((listener) -> listener.waiting(pending));
			HeldCall.Answer answer = call.await(() -> requireActive(session));
			tell((listener) -> listener.ended(pending, answer.outcome()));
			return answer;
		}
		finally {
			this.calls.remove(pending.id());
			// After an error nobody may believe that an answer still counts.
			call.end(ApprovalOutcome.STOPPED);
		}
	}

	private static void requireActive(@Nullable SandboxSession session) {
		if (session != null) {
			session.files().stat(".");
		}
	}

	private static boolean isApproved(HeldCall.Answer answer) {
		return switch (answer.outcome()) {
			case APPROVED -> true;
			case REFUSED -> throw new ToolRefusedException(RefusalCode.FORBIDDEN, answer.reason().isEmpty()
					? "A person refused this call." : "A person refused this call: " + answer.reason(), ASK);
			case EXPIRED ->
				throw new ToolRefusedException(RefusalCode.FORBIDDEN, "Nobody approved this call in time.", ASK);
			case INTERRUPTED -> throw new ToolRefusedException(RefusalCode.SANDBOX_BUSY,
					"The call was interrupted while it waited for a person.", "Call again if it is still wanted.");
			case STOPPED -> throw new ToolRefusedException(RefusalCode.SANDBOX_UNAVAILABLE,
					"Nobody can approve calls any more.", ASK);
		};
	}

	private void tell(Consumer<ApprovalListener> event) {
		try {
			event.accept(this.listener);
		}
		catch (RuntimeException ex) {
			logger.warn("A listener failed on a call that waits for approval", ex);
		}
	}

	/**
	 * Returns the calls that wait, whoever may answer them. Not for showing to a
	 * principal.
	 * @return the calls, the oldest first
	 */
	public List<PendingApproval> pending() {
		return this.calls.values()
			.stream()
			.filter(HeldCall::isOpen)
			.map(HeldCall::pending)
			.sorted(Comparator.comparing(PendingApproval::since))
			.toList();
	}

	/**
	 * Returns the calls that a principal may answer.
	 * @param principal the principal, as the application knows it
	 * @return the calls, the oldest first
	 */
	public List<PendingApproval> pending(String principal) {
		return pending().stream().filter((call) -> mayAnswer(call, principal)).toList();
	}

	/**
	 * Lets a call go on.
	 * @param id the id of the call
	 * @param principal who approves, as the application knows it, not as a request says
	 * @return whether this decided; {@code false} if there is no such call for this
	 * principal to answer any more
	 */
	public boolean approve(String id, String principal) {
		return answer(id, principal, new HeldCall.Answer(ApprovalOutcome.APPROVED, ""));
	}

	/**
	 * Refuses a call.
	 * @param id the id of the call
	 * @param principal who refuses, as the application knows it, not as a request says
	 * @param reason why; the model is told, at most 500 characters; may be empty
	 * @return as of {@link #approve}
	 */
	public boolean refuse(String id, String principal, String reason) {
		return answer(id, principal, new HeldCall.Answer(ApprovalOutcome.REFUSED, shown(reason.strip())));
	}

	private static String shown(String reason) {
		if (reason.length() <= MAX_REASON) {
			return reason;
		}
		int end = Character.isHighSurrogate(reason.charAt(MAX_REASON - 1)) ? MAX_REASON - 1 : MAX_REASON;
		return reason.substring(0, end) + "...";
	}

	private boolean answer(String id, String principal, HeldCall.Answer answer) {
		HeldCall call = this.calls.get(id);
		return call != null && mayAnswer(call.pending(), principal) && call.answer(answer);
	}

	private boolean mayAnswer(PendingApproval call, String principal) {
		try {
			return !principal.isBlank() && this.approvers.test(call, principal);
		}
		catch (RuntimeException ex) {
			// To let it out would tell that there is a call with this id.
			logger.warn("Whether a principal may answer a call is unknown, so it may not", ex);
			return false;
		}
	}

	private static String requirePrincipal(@Nullable String principal) {
		if (principal == null || principal.isBlank()) {
			throw new IllegalArgumentException("A call that waits for approval must have an owner");
		}
		return principal;
	}

	/**
	 * Ends every wait, and refuses all calls that would be held from now on.
	 */
	@Override
	public void close() {
		this.closed = true;
		this.calls.values().forEach((call) -> call.end(ApprovalOutcome.STOPPED));
	}

}
