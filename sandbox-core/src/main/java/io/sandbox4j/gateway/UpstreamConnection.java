package io.sandbox4j.gateway;

import java.io.Closeable;
import java.io.FilterInputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.time.Duration;

import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;

import org.apache.hc.core5.http.ClassicHttpRequest;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.ConnectionClosedException;
import org.apache.hc.core5.http.HttpEntity;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.HttpHeaders;
import org.apache.hc.core5.http.HttpRequest;
import org.apache.hc.core5.http.MalformedChunkCodingException;
import org.apache.hc.core5.http.MessageConstraintException;
import org.apache.hc.core5.http.TruncatedChunkException;
import org.apache.hc.core5.http.config.Http1Config;
import org.apache.hc.core5.http.impl.DefaultConnectionReuseStrategy;
import org.apache.hc.core5.http.impl.io.DefaultBHttpClientConnection;
import org.apache.hc.core5.http.impl.io.SocketHolder;
import org.apache.hc.core5.http.io.SessionInputBuffer;
import org.apache.hc.core5.http.io.entity.HttpEntityWrapper;
import org.apache.hc.core5.http.message.MessageSupport;
import org.apache.hc.core5.http.protocol.HttpCoreContext;
import org.apache.hc.core5.io.CloseMode;
import org.apache.hc.core5.util.Timeout;
import org.jspecify.annotations.Nullable;

/**
 * A connection to an origin: {@link #send}, then {@link #receiveFinalHead}, then the
 * answer's entity to its end, then back to the pool. Of one thread at a time, but for
 * {@link #abort()}.
 * <p>
 * An answer may come before the request is sent whole. A final one of 300 and more ends
 * the sending; a successful one does not, since its server may still read. If the origin
 * then closes, the answer counts, not the write that failed. HttpCore's own strategy
 * takes an interim answer for a final one and would cut the upload off.
 * <p>
 * A request whose body cannot be read to its end is never ended properly: the connection
 * is closed instead, where HttpCore would write the last chunk and have the origin take
 * half of a body for the whole.
 */
final class UpstreamConnection extends DefaultBHttpClientConnection {

	private static final int BUFFER = 16 * 1024;

	private static final int MAX_FIELDS = 256;

	private static final int MAX_INTERIM = 16;

	private final UpstreamRoute route;

	private final ResponseHeadParser parser;

	private final Socket socket;

	// One object, for AbortHandle compares by identity.
	private final Closeable aborting = this::abort;

	private volatile @Nullable AbortHandle handle;

	private int leases;

	private long receivedBefore;

	private @Nullable ClassicHttpResponse early;

	private int interim;

	private boolean cut;

	private boolean sent;

	private boolean answerEnded;

	private boolean keepAlive;

	private boolean writeFailed;

	private UpstreamConnection(UpstreamRoute route, Http1Config config, ResponseHeadParser parser, Socket socket) {
		super(config, null, null, null, null,
				(request, connection, in, total, next) -> ((UpstreamConnection) connection).refusedEarly(), null,
				(same) -> parser);
		this.route = route;
		this.parser = parser;
		this.socket = socket;
	}

	/**
	 * Takes a connected socket over.
	 * @param route what the connection is for
	 * @param limits bounds heads
	 * @param socket the socket; the caller closes it if this fails
	 * @return the connection
	 * @throws IOException if the socket is closed already
	 */
	static UpstreamConnection over(UpstreamRoute route, GatewayLimits limits, Socket socket) throws IOException {
		Http1Config config = Http1Config.custom()
			.setBufferSize(BUFFER)
			.setChunkSizeHint(BUFFER)
			.setMaxLineLength(limits.headBytes())
			.setMaxHeaderCount(MAX_FIELDS)
			.setMaxEmptyLineCount(1)
			.build();
		UpstreamConnection connection = new UpstreamConnection(route, config,
				new ResponseHeadParser(config, limits.headBytes()), socket);
		connection.bind(connection.new Wire(socket));
		return connection;
	}

	/**
	 * Goes on in TLS.
	 * @param secure over the same socket, after its handshake
	 * @throws IOException if the socket is closed
	 */
	void secure(SSLSocket secure) throws IOException {
		bind(new Wire(secure, this.socket));
	}

	UpstreamRoute route() {
		return this.route;
	}

	/**
	 * Hands the connection to a request.
	 * @param handle aborts it until {@link #end()}
	 * @param idleTimeout bounds each wait for a byte
	 */
	void begin(AbortHandle handle, Duration idleTimeout) {
		this.leases++;
		this.keepAlive = false;
		this.receivedBefore = received();
		setSocketTimeout(Timeout.of(idleTimeout));
		this.handle = handle;
		handle.attach(this.aborting);
	}

	/**
	 * Takes the connection back from its request, once.
	 * @return whether another request may follow: request and answer are complete,
	 * nothing more came, both sides keep the connection, and nobody aborted it
	 */
	boolean end() {
		AbortHandle handle = this.handle;
		this.handle = null;
		return handle != null && handle.detach(this.aborting) && this.keepAlive && this.sent && this.answerEnded
				&& buffered() == 0 && isOpen();
	}

	boolean leased() {
		return this.handle != null;
	}

	/**
	 * Returns how many bytes came that are not read yet, after the first head.
	 * @return the bytes
	 */
	int buffered() {
		return this.parser.buffered();
	}

	/**
	 * Whether another request was served before. Then the origin may have closed the
	 * connection just as this request was sent.
	 * @return {@code false} for a new connection
	 */
	boolean reused() {
		return this.leases > 1;
	}

	/**
	 * Whether a byte of an answer came since the lease. If not, a request that is
	 * idempotent may be sent again.
	 * @return {@code true} after the first byte
	 */
	boolean answered() {
		return received() > this.receivedBefore;
	}

	/**
	 * Sends a request and its body. Returns early if an answer refuses the rest, and if
	 * the origin takes no more: then {@link #receiveFinalHead} tells.
	 * @param request the request, with the fields that frame its entity
	 * @throws RefusedException if the origin fails
	 * @throws IOException if the entity cannot be read
	 */
	void send(ClassicHttpRequest request) throws IOException {
		this.early = null;
		this.interim = 0;
		this.cut = false;
		this.sent = false;
		this.answerEnded = false;
		try {
			sendRequestHeader(request);
			sendRequestEntity(request);
			if (this.sent) {
				flush();
			}
		}
		catch (HttpException ex) {
			throw failure(ex);
		}
		catch (IOException ex) {
			if (!this.writeFailed) {
				throw ex;
			}
			this.sent = false;
		}
	}

	@Override
	public void sendRequestEntity(ClassicHttpRequest request) throws HttpException, IOException {
		HttpEntity entity = request.getEntity();
		if (entity == null) {
			this.sent = true;
			return;
		}
		Upload upload = new Upload(entity);
		request.setEntity(upload);
		try {
			super.sendRequestEntity(request);
			this.sent = upload.whole && !this.cut;
		}
		catch (IOException ex) {
			if (upload.broken || !this.writeFailed) {
				throw ex;
			}
		}
		finally {
			request.setEntity(entity);
		}
	}

	/**
	 * Waits for the final answer. Interim ones are skipped.
	 * @param request what was sent
	 * @return the answer; its entity is {@code null} if it has none, whatever its fields
	 * say
	 * @throws RefusedException if there is none, or it is not well-formed
	 */
	ClassicHttpResponse receiveFinalHead(ClassicHttpRequest request) throws RefusedException {
		try {
			ClassicHttpResponse answer = this.early;
			while (answer == null) {
				answer = receiveHead();
			}
			this.early = null;
			boolean body = MessageSupport.canResponseHaveBody(request.getMethod(), answer);
			if (body) {
				receiveResponseEntity(answer);
			}
			this.answerEnded = this.answerEnded || !body;
			this.keepAlive = keepsAlive(request, answer, body);
			return answer;
		}
		catch (HttpException | IOException ex) {
			throw failure(ex);
		}
	}

	/**
	 * Says what an exception of this connection means.
	 * @param ex the exception, also one of reading the answer's entity
	 * @return the refusal; its message quotes nothing that the origin sent
	 */
	RefusedException failure(Exception ex) {
		if (ex instanceof RefusedException refused) {
			return refused;
		}
		if (ex instanceof SocketTimeoutException) {
			return failure(Refusal.UPSTREAM_TIMEOUT, "sent nothing for too long", ex);
		}
		if (ex instanceof SSLException) {
			return failure(Refusal.UPSTREAM_TLS, "broke TLS off", ex);
		}
		boolean malformed = ex instanceof HttpException || ex instanceof MessageConstraintException
				|| (ex instanceof MalformedChunkCodingException && !(ex instanceof TruncatedChunkException));
		if (malformed && !(ex instanceof ConnectionClosedException)) {
			// No cause: it quotes the line.
			return failure(Refusal.UPSTREAM_MALFORMED, "does not answer in well-formed HTTP/1.1", null);
		}
		return failure(Refusal.UPSTREAM_CLOSED, "closed the connection", ex);
	}

	/**
	 * Whether the connection is as it was left. Bytes that came meanwhile belong to no
	 * request (often they are a 408), and would answer the next one.
	 * @param always also without a sign; this costs up to a millisecond
	 * @return {@code false} if it must not be used
	 */
	boolean quiet(boolean always) {
		try {
			if (!always && buffered() == 0 && this.socket.getInputStream().available() == 0) {
				return true;
			}
			return !isStale() && buffered() == 0;
		}
		catch (IOException ex) {
			return false;
		}
	}

	/**
	 * Closes at once, from any thread, whatever goes on. The origin sees a reset, so it
	 * does not go on either.
	 */
	void abort() {
		try {
			this.socket.setSoLinger(true, 0);
		}
		catch (SocketException ex) {
			// It is closed already.
		}
		close();
	}

	/**
	 * Closes without a word in TLS and without what is still buffered: to write it could
	 * block.
	 */
	@Override
	public void close() {
		try {
			this.socket.close();
		}
		catch (IOException ex) {
			// It is as good as closed.
		}
	}

	@Override
	public void close(CloseMode mode) {
		if (mode == CloseMode.IMMEDIATE) {
			abort();
		}
		else {
			close();
		}
	}

	@Override
	public boolean isOpen() {
		return !this.socket.isClosed();
	}

	@Override
	protected InputStream createContentInputStream(long length, SessionInputBuffer buffer, InputStream in) {
		this.answerEnded = length == 0;
		return new Answer(super.createContentInputStream(length, buffer, in));
	}

	@Override
	public String toString() {
		return "UpstreamConnection[origin=" + this.route.origin() + "]";
	}

	// Asked before each write of a request's body.
	private boolean refusedEarly() throws IOException {
		try {
			while (this.early == null && hasInput()) {
				this.early = receiveHead();
			}
		}
		catch (HttpException | IOException ex) {
			throw failure(ex);
		}
		this.cut = this.early != null && this.early.getCode() >= 300;
		return this.cut;
	}

	// The wait is for TLS, where bytes on the socket need not be the application's.
	private boolean hasInput() throws IOException {
		boolean sign = buffered() > 0 || getSocketHolder().getInputStream().available() > 0
				|| this.socket.getInputStream().available() > 0;
		return sign && isDataAvailable(Timeout.ONE_MILLISECOND);
	}

	private @Nullable ClassicHttpResponse receiveHead() throws HttpException, IOException {
		ClassicHttpResponse answer;
		try {
			answer = receiveResponseHeader();
		}
		catch (IllegalArgumentException ex) {
			throw new HttpException("The status is no status.", ex);
		}
		ResponseHead.check(answer);
		if (answer.getCode() >= 200) {
			return answer;
		}
		if (answer.getCode() == 101 || ++this.interim > MAX_INTERIM) {
			throw failure(Refusal.UPSTREAM_MALFORMED, (answer.getCode() == 101) ? "changes the protocol, unasked"
					: "sends more than " + MAX_INTERIM + " interim answers", null);
		}
		return null;
	}

	private static boolean keepsAlive(HttpRequest request, ClassicHttpResponse answer, boolean body) {
		boolean mayDeclare = body || request.getMethod().equals("HEAD") || answer.getCode() == 304;
		String length = (answer.getFirstHeader(HttpHeaders.CONTENT_LENGTH) != null)
				? answer.getFirstHeader(HttpHeaders.CONTENT_LENGTH).getValue() : "0";
		boolean declares = answer.containsHeader(HttpHeaders.TRANSFER_ENCODING) || !isZero(length);
		// A body where none may be: some send it.
		return (mayDeclare || !declares)
				&& DefaultConnectionReuseStrategy.INSTANCE.keepAlive(request, answer, HttpCoreContext.create());
	}

	private static boolean isZero(String length) {
		return length.chars().allMatch((c) -> c == '0');
	}

	private RefusedException failure(Refusal refusal, String what, @Nullable Throwable cause) {
		return new RefusedException(refusal, this.route.origin() + " " + what + ".", null, cause);
	}

	private long received() {
		return getEndpointDetails().getReceivedBytesCount();
	}

	/**
	 * The socket, or TLS over it. Knows whether it was a write to the origin that failed,
	 * or the body's source.
	 */
	private final class Wire extends SocketHolder {

		Wire(Socket socket) {
			super(socket);
		}

		Wire(SSLSocket secure, Socket socket) {
			super(secure, socket);
		}

		@Override
		protected OutputStream getOutputStream(Socket socket) throws IOException {
			return new FilterOutputStream(super.getOutputStream(socket)) {

				@Override
				public void write(int b) throws IOException {
					write(new byte[] { (byte) b }, 0, 1);
				}

				@Override
				public void write(byte[] bytes, int offset, int length) throws IOException {
					try {
						this.out.write(bytes, offset, length);
					}
					catch (IOException ex) {
						UpstreamConnection.this.writeFailed = true;
						throw ex;
					}
				}

			};
		}

	}

	/**
	 * The body of a request.
	 */
	private final class Upload extends HttpEntityWrapper {

		private boolean whole;

		private boolean broken;

		Upload(HttpEntity entity) {
			super(entity);
		}

		@Override
		public void writeTo(OutputStream out) throws IOException {
			boolean ended = false;
			try {
				super.writeTo(out);
				ended = true;
				this.whole = true;
			}
			finally {
				if (!ended && !UpstreamConnection.this.writeFailed && UpstreamConnection.this.early == null) {
					this.broken = true;
					abort();
				}
			}
		}

	}

	/**
	 * The body of an answer. Closing does not read the rest, which could be endless; the
	 * connection is not reused then.
	 */
	private final class Answer extends FilterInputStream {

		Answer(InputStream in) {
			super(in);
		}

		@Override
		public int read() throws IOException {
			int next = super.read();
			if (next < 0) {
				UpstreamConnection.this.answerEnded = true;
			}
			return next;
		}

		@Override
		public int read(byte[] bytes, int offset, int length) throws IOException {
			int count = super.read(bytes, offset, length);
			if (count < 0) {
				UpstreamConnection.this.answerEnded = true;
			}
			return count;
		}

		@Override
		public void close() {
		}

	}

}
