package io.sandbox4j.gateway;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

import org.apache.hc.core5.http.ClassicHttpRequest;
import org.apache.hc.core5.http.HttpEntity;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.HttpHeaders;
import org.apache.hc.core5.http.HttpStatus;
import org.apache.hc.core5.http.io.entity.AbstractHttpEntity;
import org.apache.hc.core5.http.message.BasicClassicHttpResponse;
import org.jspecify.annotations.Nullable;

/**
 * The body of a guest's request, on its way to an origin: counted as it passes, never
 * held, but for a short one that may have to be sent a second time.
 */
final class RequestBody {

	private final GuestConnection guest;

	private final HttpEntity entity;

	private final long limit;

	private final boolean keep;

	private boolean awaited;

	private byte @Nullable [] kept;

	private boolean begun;

	private boolean read;

	private long count;

	/**
	 * Creates a body.
	 * @param guest the connection that it is read from
	 * @param entity reads it
	 * @param limit how many bytes it may have
	 * @param awaited whether the guest waits for a go-ahead (RFC 9110 section 10.1.1)
	 * @param keep whether to hold it, so that it can be sent again
	 */
	RequestBody(GuestConnection guest, HttpEntity entity, long limit, boolean awaited, boolean keep) {
		this.guest = guest;
		this.entity = entity;
		this.limit = limit;
		this.awaited = awaited;
		this.keep = keep;
	}

	boolean isRepeatable() {
		return this.kept != null || !this.begun;
	}

	/**
	 * Whether the guest's bytes have all been read, so that what follows on the
	 * connection is a request.
	 * @return {@code true} if so
	 */
	boolean isRead() {
		return this.read;
	}

	long count() {
		return this.count;
	}

	/**
	 * Adds the framing to a request.
	 * @param request the request
	 */
	void describe(ClassicHttpRequest request) {
		long length = this.entity.getContentLength();
		if (length >= 0) {
			request.setHeader(HttpHeaders.CONTENT_LENGTH, length);
		}
		else {
			request.setHeader(HttpHeaders.TRANSFER_ENCODING, "chunked");
		}
	}

	/**
	 * Returns what sends the body. It throws {@link GuestFailedException} when the guest
	 * fails, and whoever sends must then abort: the end of a stream would make the part
	 * look whole.
	 * @return the entity
	 * @throws IOException if a body that is held could not be read
	 */
	HttpEntity entity() throws IOException {
		if (this.keep && this.kept == null) {
			this.kept = readAll();
		}
		byte[] held = this.kept;
		return (held != null) ? new Entity(new ByteArrayInputStream(held), true)
				: new Entity(this.entity.getContent(), false);
	}

	private byte[] readAll() throws IOException {
		try {
			goAhead();
			this.guest.enter(GuestConnection.Phase.GUEST_GIVES);
			byte[] all = this.entity.getContent().readAllBytes();
			this.read = true;
			return all;
		}
		catch (IOException ex) {
			throw new GuestFailedException(ex).toRefusal(this.guest.expired());
		}
	}

	private void goAhead() throws IOException {
		this.begun = true;
		if (!this.awaited) {
			return;
		}
		this.awaited = false;
		try {
			this.guest.enter(GuestConnection.Phase.GUEST_TAKES);
			this.guest.http().sendResponseHeader(new BasicClassicHttpResponse(HttpStatus.SC_CONTINUE));
			this.guest.http().flush();
		}
		catch (HttpException ex) {
			throw new IOException(ex);
		}
	}

	private void pump(InputStream in, boolean held, OutputStream out) throws IOException {
		byte[] buffer = this.guest.buffer();
		this.count = 0;
		while (true) {
			int n = held ? in.read(buffer) : readGuest(in, buffer);
			if (n < 0) {
				return;
			}
			this.count += n;
			if (this.count > this.limit) {
				throw new GuestFailedException(new RefusedException(Refusal.REQUEST_TOO_LARGE,
						"A request's body is larger than " + this.limit + " bytes."));
			}
			this.guest.enter(GuestConnection.Phase.ORIGIN);
			out.write(buffer, 0, n);
			if (!held && in.available() == 0) {
				out.flush();
			}
		}
	}

	private int readGuest(InputStream in, byte[] buffer) throws GuestFailedException {
		try {
			goAhead();
			this.guest.enter(GuestConnection.Phase.GUEST_GIVES);
			int n = in.read(buffer);
			this.read |= n < 0;
			return n;
		}
		catch (IOException ex) {
			throw new GuestFailedException(ex);
		}
	}

	/**
	 * The guest did not deliver what it said.
	 */
	static final class GuestFailedException extends IOException {

		private final IOException failure;

		GuestFailedException(IOException failure) {
			super(failure);
			this.failure = failure;
		}

		/**
		 * Returns what the guest is answered.
		 * @param expired why it was cut off, if it was
		 * @return the refusal
		 */
		RefusedException toRefusal(@Nullable Refusal expired) {
			if (this.failure instanceof RefusedException refused) {
				return refused;
			}
			return new RefusedException((expired != null) ? expired : Refusal.MALFORMED_REQUEST,
					"A request's body ended early, or was not well-formed.", null, this.failure);
		}

	}

	private final class Entity extends AbstractHttpEntity {

		private final InputStream content;

		private final boolean held;

		Entity(InputStream content, boolean held) {
			super((String) null, null, RequestBody.this.entity.getContentLength() < 0);
			this.content = content;
			this.held = held;
		}

		@Override
		public void writeTo(OutputStream out) throws IOException {
			pump(this.content, this.held, out);
		}

		@Override
		public InputStream getContent() {
			return this.content;
		}

		@Override
		public long getContentLength() {
			return RequestBody.this.entity.getContentLength();
		}

		@Override
		public boolean isStreaming() {
			return true;
		}

		@Override
		public void close() {
		}

	}

}
