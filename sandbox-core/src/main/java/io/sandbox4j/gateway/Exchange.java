package io.sandbox4j.gateway;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.Set;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.Origin;
import io.sandbox4j.OriginRule;
import io.sandbox4j.SandboxEvent;
import io.sandbox4j.SandboxException;
import org.apache.hc.core5.http.ClassicHttpRequest;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpEntity;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.HttpHeaders;
import org.apache.hc.core5.http.HttpVersion;
import org.apache.hc.core5.http.NameValuePair;
import org.apache.hc.core5.http.io.entity.ByteArrayEntity;
import org.apache.hc.core5.http.message.BasicClassicHttpRequest;
import org.apache.hc.core5.http.message.BasicClassicHttpResponse;
import org.apache.hc.core5.http.message.MessageSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One request, from its head to the last byte of its answer: policy, credential, origin,
 * filtered answer. Lives on the connection's thread.
 */
final class Exchange {

	/**
	 * The header that tells a guest the code of a refusal.
	 */
	static final String REASON_HEADER = "Sandbox-Reason";

	/**
	 * The type of a refusal's body.
	 */
	static final String TEXT = "text/plain; charset=utf-8";

	private static final Logger logger = LoggerFactory.getLogger(Exchange.class);

	/**
	 * A body up to here is kept while a credential may have to be tried again.
	 */
	private static final int REPLAYABLE_BYTES = 64 * 1024;

	private static final int MAX_PATH = 256;

	private static final String UNKNOWN = "-";

	private static final String GUEST_LEFT = "guest_left";

	private static final String ABORTED = "aborted";

	private static final Set<String> IDEMPOTENT = Set.of("GET", "HEAD", "OPTIONS", "PUT", "DELETE");

	private final GuestConnection guest;

	private final GatewaySession session;

	private final SandboxGateway gateway;

	private final @Nullable String command;

	private SessionPolicy policy;

	private Instant time = Instant.now();

	private long started = System.nanoTime();

	private String method = UNKNOWN;

	private String path = UNKNOWN;

	private @Nullable Origin origin;

	private int status;

	private String reason = "ok";

	private @Nullable RequestBody requestBody;

	private @Nullable ResponseBody responseBody;

	private boolean answerStarted;

	Exchange(GuestConnection guest, GatewaySession session, @Nullable String command) {
		this.guest = guest;
		this.session = session;
		this.gateway = session.gateway();
		this.command = command;
		this.policy = session.policy();
	}

	/**
	 * Serves a request whose head was read.
	 * @param head the head, with the entity that reads its body
	 * @return whether the connection can serve another one
	 */
	boolean serve(ClassicHttpRequest head) {
		this.time = this.gateway.clock().instant();
		this.started = System.nanoTime();
		this.policy = this.session.policy();
		this.method = head.getMethod();
		AbortHandle abort = new AbortHandle();
		boolean reusable = false;
		try {
			RequestHead.check(head);
			RequestTarget target = target(head);
			this.path = shortened(target.path());
			OriginRule rule = this.policy.table().find(target);
			this.origin = rule.origin();
			PolicyTable.check(rule, this.method, target);
			reusable = admit(head, target, rule, abort);
		}
		catch (RefusedException ex) {
			reusable = refuse(ex, head);
		}
		catch (IOException | HttpException | RuntimeException ex) {
			reusable = fail(ex, head);
		}
		finally {
			abort.abort();
			this.guest.end();
			audit();
		}
		return reusable && !this.guest.isShut() && this.guest.expired() == null && !this.guest.isBroken();
	}

	private static RequestTarget target(ClassicHttpRequest head) throws RefusedException {
		List<String> hosts = Arrays.stream(head.getHeaders(HttpHeaders.HOST)).map(NameValuePair::getValue).toList();
		return RequestTarget.parse(head.getMethod(), head.getRequestUri(), hosts);
	}

	private boolean admit(ClassicHttpRequest head, RequestTarget target, OriginRule rule, AbortHandle abort)
			throws IOException, HttpException {
		if (!this.session.tryEnter()) {
			throw new RefusedException(Refusal.BUSY, "Too many requests at once.", Duration.ofSeconds(1), null);
		}
		try {
			RateLimit rate = this.policy.rates().get(rule);
			Duration wait = (rate != null) ? rate.tryAcquire() : Duration.ZERO;
			if (!wait.isZero()) {
				throw new RefusedException(Refusal.RATE_LIMITED, "Too many requests in a minute.", wait, null);
			}
			this.guest.begin(Objects.requireNonNullElse(rule.timeout(), this.gateway.limits().requestTimeout()), abort);
			return forward(head, target, rule, abort);
		}
		finally {
			this.session.leave();
		}
	}

	private boolean forward(ClassicHttpRequest head, RequestTarget target, OriginRule rule, AbortHandle abort)
			throws IOException, HttpException {
		RequestBody body = body(head, rule);
		this.guest.enter(GuestConnection.Phase.ORIGIN);
		RuleSecrets secrets = this.gateway.secrets(rule, this.session.id());
		boolean retried = false;
		boolean fresh = false;
		while (true) {
			UpstreamConnection upstream = this.gateway.connect(rule, secrets, fresh, abort);
			boolean whole = false;
			try {
				ClassicHttpResponse answer = attempt(upstream, head, target, rule, secrets, body);
				if (answer != null && (retried || !rotates(secrets, answer))) {
					boolean open = relay(head, answer, upstream, rule, secrets);
					whole = true;
					return open;
				}
				if (answer != null) {
					requireRepeatable(body);
					retried = true;
				}
				fresh = true;
			}
			finally {
				this.gateway.release(upstream, whole);
			}
			secrets = this.gateway.secrets(rule, this.session.id());
		}
	}

	private static void requireRepeatable(@Nullable RequestBody body) throws RefusedException {
		if (body != null && !body.isRepeatable()) {
			throw new RefusedException(Refusal.CREDENTIAL_ROTATED, "The origin refused a credential.",
					Duration.ofSeconds(1), null);
		}
	}

	private boolean rotates(RuleSecrets secrets, ClassicHttpResponse answer) {
		return (answer.getCode() == 401 || answer.getCode() == 429)
				&& secrets.refused(answer.getCode(), retryAfter(answer));
	}

	// RFC 9110 section 10.2.3; a date is taken for no time.
	private static @Nullable Duration retryAfter(ClassicHttpResponse answer) {
		Header field = answer.getFirstHeader(HttpHeaders.RETRY_AFTER);
		return (field != null && field.getValue() != null && field.getValue().matches("\\d{1,9}"))
				? Duration.ofSeconds(Long.parseLong(field.getValue())) : null;
	}

	private @Nullable RequestBody body(ClassicHttpRequest head, OriginRule rule) throws IOException {
		HttpEntity entity = head.getEntity();
		if (entity == null) {
			return null;
		}
		long limit = Objects.requireNonNullElse(rule.maxRequestBytes(), this.gateway.limits().requestBytes());
		if (entity.getContentLength() > limit) {
			throw new RefusedException(Refusal.REQUEST_TOO_LARGE,
					"A request for " + rule.origin() + " says that its body is larger than " + limit + " bytes.");
		}
		boolean keep = rule.hasSecrets() && entity.getContentLength() >= 0
				&& entity.getContentLength() <= REPLAYABLE_BYTES;
		RequestBody body = new RequestBody(this.guest, entity, limit, head.containsHeader(HttpHeaders.EXPECT), keep);
		this.requestBody = body;
		return body;
	}

	// Returns null if the connection was an old one that the origin had closed, and the
	// request may be sent again.
	private @Nullable ClassicHttpResponse attempt(UpstreamConnection upstream, ClassicHttpRequest head,
			RequestTarget target, OriginRule rule, RuleSecrets secrets, @Nullable RequestBody body) throws IOException {
		ClassicHttpRequest request = new BasicClassicHttpRequest(this.method, target.sent());
		request.setVersion(HttpVersion.HTTP_1_1);
		request.addHeader(HttpHeaders.HOST, rule.origin().authority().toString());
		HeaderLists.request(head.getHeaders(), rule, secrets).forEach(request::addHeader);
		try {
			if (body != null) {
				body.describe(request);
				request.setEntity(body.entity());
			}
			this.guest.enter(GuestConnection.Phase.ORIGIN);
			upstream.send(request);
			this.guest.enter(GuestConnection.Phase.ORIGIN);
			return upstream.receiveFinalHead(request);
		}
		catch (RequestBody.GuestFailedException ex) {
			throw ex.toRefusal(this.guest.expired());
		}
		catch (RefusedException ex) {
			boolean idempotent = body == null && IDEMPOTENT.contains(this.method);
			boolean stale = ex.refusal() == Refusal.UPSTREAM_CLOSED && upstream.reused() && !upstream.answered();
			if (idempotent && stale && this.guest.expired() == null && !this.guest.isShut()) {
				// RFC 9110 section 9.2.2: the origin may have closed while it was idle.
				logger.debug("A connection to {} was closed while it was idle", rule.origin());
				return null;
			}
			throw ex;
		}
	}

	private boolean relay(ClassicHttpRequest head, ClassicHttpResponse answer, UpstreamConnection upstream,
			OriginRule rule, RuleSecrets secrets) throws IOException, HttpException {
		int code = answer.getCode();
		if (code >= 300 && code < 400 && code != 304) {
			throw new RefusedException(Refusal.REDIRECT_REFUSED, rule.origin() + " answered with the redirect " + code
					+ ". Redirects are not followed: list the target's origin if it is to be reached.");
		}
		long limit = Objects.requireNonNullElse(rule.maxResponseBytes(), this.gateway.limits().responseBytes());
		Redactor redactor = rule.redact() ? secrets.redactor() : Redactor.NONE;
		ClassicHttpResponse response = new BasicClassicHttpResponse(code);
		response.setVersion(HttpVersion.HTTP_1_1);
		HeaderLists.Answer passed = HeaderLists.response(code, answer.getHeaders(), rule, redactor);
		passed.headers().forEach(response::addHeader);
		ResponseBody body = (answer.getEntity() != null)
				? ResponseBody.of(this.guest, upstream, answer, response, limit, redactor) : null;
		boolean close = wantsClose(head) || !isRead();
		frame(response, answer, body, head, close);
		this.responseBody = body;
		this.status = code;
		this.guest.enter(GuestConnection.Phase.GUEST_TAKES);
		this.answerStarted = true;
		this.guest.http().sendResponseHeader(response);
		if (body != null) {
			response.setEntity(body);
			this.guest.http().sendResponseEntity(response);
		}
		this.guest.http().flush();
		if (passed.redacted() || (body != null && body.found())) {
			this.reason = "secret_redacted";
		}
		if (!isRead()) {
			this.guest.linger();
		}
		return !close;
	}

	// A guest of HTTP/1.0 gets one answer a connection, and its end is the answer's.
	private static boolean wantsClose(ClassicHttpRequest head) {
		Iterator<String> options = MessageSupport.iterateTokens(head, HttpHeaders.CONNECTION);
		while (options.hasNext()) {
			if (options.next().equalsIgnoreCase("close")) {
				return true;
			}
		}
		return head.getVersion() == null || head.getVersion().lessEquals(HttpVersion.HTTP_1_0);
	}

	private boolean isRead() {
		return this.requestBody == null || this.requestBody.isRead();
	}

	// The gateway's own framing: of the origin's only the length of what is not sent.
	private void frame(ClassicHttpResponse response, ClassicHttpResponse answer, @Nullable ResponseBody body,
			ClassicHttpRequest head, boolean close) {
		boolean old = head.getVersion() != null && head.getVersion().lessEquals(HttpVersion.HTTP_1_0);
		if (body != null && body.getContentLength() >= 0) {
			response.setHeader(HttpHeaders.CONTENT_LENGTH, body.getContentLength());
		}
		else if (body != null && !old) {
			response.setHeader(HttpHeaders.TRANSFER_ENCODING, "chunked");
		}
		else if (body == null && this.method.equals("HEAD") && answer.containsHeader(HttpHeaders.CONTENT_LENGTH)) {
			response.setHeader(answer.getFirstHeader(HttpHeaders.CONTENT_LENGTH));
		}
		else if (body == null && answer.getCode() != 204 && answer.getCode() != 304) {
			response.setHeader(HttpHeaders.CONTENT_LENGTH, 0);
		}
		if (close || old) {
			response.setHeader(HttpHeaders.CONNECTION, "close");
		}
	}

	// ------------------------------------------------------------------- refusals

	/**
	 * Answers a request whose head could not be read.
	 * @param refused why
	 */
	void refuseUnread(RefusedException refused) {
		this.reason = refused.refusal().code();
		answer(refused, null);
		this.guest.linger();
		audit();
	}

	private boolean fail(Exception failure, ClassicHttpRequest head) {
		if (this.answerStarted && this.guest.expired() == null && !this.guest.isShut()) {
			// What fails on the origin's side comes as a refusal.
			this.reason = GUEST_LEFT;
			logger.debug("A guest of session {} took no whole answer", this.session.id(), failure);
			return false;
		}
		if (failure instanceof RuntimeException) {
			logger.warn("The gateway failed on a request of session {}", this.session.id(), failure);
			return refuse(new RefusedException(Refusal.INTERNAL, "The gateway failed.", null, failure), head);
		}
		return refuse(
				new RefusedException(Refusal.UPSTREAM_CLOSED, this.origin + " closed the connection.", null, failure),
				head);
	}

	private boolean refuse(RefusedException refused, ClassicHttpRequest head) {
		Refusal expired = this.guest.expired();
		if (expired == null && this.guest.isShut()) {
			this.reason = this.guest.hasLeft() ? GUEST_LEFT : ABORTED;
			logger.debug("A request of session {} was given up", this.session.id(), refused);
			return false;
		}
		Refusal refusal = (expired != null) ? expired : refused.refusal();
		this.reason = refusal.code();
		logger.debug("A request of session {} is refused with {}", this.session.id(), this.reason, refused);
		if (this.origin != null && refusal.isMatterOfTheHost()) {
			tellHost(refused, refusal);
		}
		return !this.answerStarted && answerAndKeep(refused, refusal, head);
	}

	private boolean answerAndKeep(RefusedException refused, Refusal refusal, ClassicHttpRequest head) {
		boolean read = head.getEntity() == null || (this.requestBody != null && this.requestBody.isRead());
		boolean keep = read && refusal.status() != 400 && refusal != Refusal.CONNECT_NOT_SUPPORTED && !wantsClose(head);
		boolean sent = answer(new RefusedException(refusal, "", refused.retryAfter(), null), keep ? head : null);
		if (!keep) {
			this.guest.linger();
		}
		return sent && keep;
	}

	private boolean answer(RefusedException refused, @Nullable ClassicHttpRequest keptFor) {
		Refusal refusal = refused.refusal();
		byte[] text = refusal.body().getBytes(StandardCharsets.UTF_8);
		ClassicHttpResponse response = new BasicClassicHttpResponse(refusal.status());
		response.setVersion(HttpVersion.HTTP_1_1);
		response.setHeader(HttpHeaders.CONTENT_TYPE, TEXT);
		response.setHeader(HttpHeaders.CONTENT_LENGTH, text.length);
		response.setHeader(REASON_HEADER, refusal.code());
		Duration wait = refused.retryAfter();
		if (wait != null) {
			response.setHeader(HttpHeaders.RETRY_AFTER, Math.max(1, wait.plusMillis(999).toSeconds()));
		}
		if (keptFor == null) {
			response.setHeader(HttpHeaders.CONNECTION, "close");
		}
		this.guest.enterLastWords();
		try {
			this.guest.http().sendResponseHeader(response);
			this.status = refusal.status();
			if (!this.method.equals("HEAD")) {
				response.setEntity(new ByteArrayEntity(text, null));
				this.guest.http().sendResponseEntity(response);
			}
			this.guest.http().flush();
			return true;
		}
		catch (IOException | HttpException ex) {
			logger.debug("A guest of session {} left before it was answered", this.session.id(), ex);
			return false;
		}
	}

	// The host learns what the guest does not. The cause stays out: an upstream can put
	// a reflected secret into what a parser quotes.
	private void tellHost(RefusedException refused, Refusal refusal) {
		ErrorCode code = (refusal == Refusal.REDIRECT_REFUSED) ? ErrorCode.SANDBOX_NETWORK_DENIED
				: (refusal == Refusal.RESPONSE_TOO_LARGE) ? ErrorCode.SANDBOX_LIMIT : ErrorCode.SANDBOX_UNAVAILABLE;
		Throwable cause = refused.getCause();
		String what = refused.getMessage() + ((cause != null) ? " (" + cause.getClass().getSimpleName() + ")" : "");
		this.session.publish(new SandboxEvent.GatewayFailure(this.session.id(), Objects.requireNonNull(this.origin),
				refusal.code(), new SandboxException(code, what)));
	}

	private void audit() {
		RequestBody sent = this.requestBody;
		ResponseBody received = this.responseBody;
		this.session.publish(new SandboxEvent.GatewayRequest(this.session.id(), this.command, this.time, this.origin,
				shortened(this.method), this.path, this.status, this.reason, (sent != null) ? sent.count() : 0,
				(received != null) ? received.count() : 0, Duration.ofNanos(System.nanoTime() - this.started)));
	}

	private static String shortened(String text) {
		return (text.length() > MAX_PATH) ? text.substring(0, MAX_PATH) : text;
	}

}
