package io.sandbox4j.gateway;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Locale;
import java.util.zip.GZIPInputStream;

import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpEntity;
import org.apache.hc.core5.http.HttpHeaders;
import org.apache.hc.core5.http.HttpStatus;
import org.apache.hc.core5.http.io.entity.AbstractHttpEntity;
import org.jspecify.annotations.Nullable;

/**
 * The body of an answer, on its way to a guest: counted, searched for secrets, and handed
 * over as it comes.
 */
final class ResponseBody extends AbstractHttpEntity {

	private final GuestConnection guest;

	private final UpstreamConnection upstream;

	private final InputStream content;

	private final @Nullable RedactingInputStream redacting;

	private final long length;

	private final long limit;

	private long count;

	private ResponseBody(GuestConnection guest, UpstreamConnection upstream, InputStream content,
			@Nullable RedactingInputStream redacting, long length, long limit) {
		super((String) null, null, length < 0);
		this.guest = guest;
		this.upstream = upstream;
		this.content = content;
		this.redacting = redacting;
		this.length = length;
		this.limit = limit;
	}

	/**
	 * Prepares the body of an answer.
	 * @param guest the connection that takes it
	 * @param upstream the connection that it comes from
	 * @param answer the answer, with its entity
	 * @param response the head for the guest; loses the content coding that is undone
	 * here
	 * @param limit how many bytes it may have
	 * @param redactor masks secrets; what is encoded is decoded first, since nothing can
	 * be found in it
	 * @return the body
	 * @throws IOException if it says that it is too large, or has a coding that cannot be
	 * undone
	 */
	static ResponseBody of(GuestConnection guest, UpstreamConnection upstream, ClassicHttpResponse answer,
			ClassicHttpResponse response, long limit, Redactor redactor) throws IOException {
		HttpEntity entity = answer.getEntity();
		long length = entity.getContentLength();
		if (length > limit) {
			throw tooLarge(limit);
		}
		InputStream content = entity.getContent();
		if (redactor.isEmpty()) {
			return new ResponseBody(guest, upstream, content, null, length, limit);
		}
		if (isEncoded(answer)) {
			requireGzip(answer);
			content = new GZIPInputStream(content, 16 * 1024);
			length = -1;
			response.removeHeaders(HttpHeaders.CONTENT_ENCODING);
		}
		RedactingInputStream redacting = redactor.over(content);
		return new ResponseBody(guest, upstream, redacting, redacting, length, limit);
	}

	private static boolean isEncoded(ClassicHttpResponse answer) {
		Header coding = answer.getFirstHeader(HttpHeaders.CONTENT_ENCODING);
		return coding != null && !coding.getValue().equalsIgnoreCase("identity");
	}

	private static void requireGzip(ClassicHttpResponse answer) throws RefusedException {
		Header[] codings = answer.getHeaders(HttpHeaders.CONTENT_ENCODING);
		String coding = codings[0].getValue().toLowerCase(Locale.ROOT);
		boolean gzip = codings.length == 1 && (coding.equals("gzip") || coding.equals("x-gzip"));
		if (!gzip || answer.getCode() == HttpStatus.SC_PARTIAL_CONTENT) {
			throw new RefusedException(Refusal.RESPONSE_ENCODED,
					"An answer has a content coding in which secrets cannot be searched for. "
							+ "Set 'redact' of the rule to false if the origin reflects none.");
		}
	}

	private static RefusedException tooLarge(long limit) {
		return new RefusedException(Refusal.RESPONSE_TOO_LARGE, "An answer's body is larger than " + limit
				+ " bytes. Raise 'max-response-body' if that is to be allowed.");
	}

	/**
	 * Returns how many bytes were handed over.
	 * @return the count
	 */
	long count() {
		return this.count;
	}

	/**
	 * Whether a secret was found, and masked.
	 * @return {@code true} if so
	 */
	boolean found() {
		return this.redacting != null && this.redacting.found();
	}

	/**
	 * Hands the body over. When it cannot be completed the guest's connection is broken
	 * off before the failure is thrown: closing the stream would write the end of a
	 * chunked body, and a part would look whole.
	 */
	@Override
	public void writeTo(OutputStream out) throws IOException {
		byte[] buffer = this.guest.buffer();
		try {
			while (true) {
				this.guest.enter(GuestConnection.Phase.ORIGIN);
				int n = read(buffer);
				if (n < 0) {
					break;
				}
				this.count += n;
				if (this.count > this.limit) {
					throw tooLarge(this.limit);
				}
				this.guest.enter(GuestConnection.Phase.GUEST_TAKES);
				out.write(buffer, 0, n);
				if (this.count != this.length && this.content.available() == 0) {
					out.flush();
				}
			}
			this.guest.enter(GuestConnection.Phase.GUEST_TAKES);
		}
		catch (IOException | RuntimeException ex) {
			this.guest.breakOff();
			throw ex;
		}
	}

	private int read(byte[] buffer) throws RefusedException {
		try {
			return this.content.read(buffer);
		}
		catch (IOException ex) {
			throw this.upstream.failure(ex);
		}
	}

	@Override
	public InputStream getContent() {
		return this.content;
	}

	@Override
	public long getContentLength() {
		return this.length;
	}

	@Override
	public boolean isStreaming() {
		return true;
	}

	@Override
	public void close() {
	}

}
