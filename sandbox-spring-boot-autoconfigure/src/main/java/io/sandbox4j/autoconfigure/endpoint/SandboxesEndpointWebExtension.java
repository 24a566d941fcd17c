package io.sandbox4j.autoconfigure.endpoint;

import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.SandboxException;
import io.sandbox4j.autoconfigure.endpoint.SandboxesEndpoint.SandboxDescriptor;

import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.EndpointWebExtension;

/**
 * {@link EndpointWebExtension @EndpointWebExtension} for the {@link SandboxesEndpoint},
 * which turns its failures into statuses. A failure's message stays here, as it may name
 * a path of the host.
 *
 * @since 0.1.0
 */
@EndpointWebExtension(endpoint = SandboxesEndpoint.class)
public final class SandboxesEndpointWebExtension {

	private static final int STATUS_CONFLICT = 409;

	private final SandboxesEndpoint delegate;

	/**
	 * Creates the extension.
	 * @param delegate the endpoint
	 */
	public SandboxesEndpointWebExtension(SandboxesEndpoint delegate) {
		this.delegate = Objects.requireNonNull(delegate, "'delegate' must not be null");
	}

	/**
	 * Stops a sandbox.
	 * @param id the session's id
	 * @param action {@code stop}
	 * @return the sandbox with status 200, 404 if there is none, 409 if another process
	 * owns it, 400 for another action
	 */
	@WriteOperation
	public WebEndpointResponse<Object> change(@Selector String id, String action) {
		return handle(() -> {
			SandboxDescriptor sandbox = this.delegate.change(id, action);
			return (sandbox != null) ? new WebEndpointResponse<>(sandbox) : notFound();
		});
	}

	/**
	 * Stops a sandbox and deletes it with its workspace.
	 * @param id the session's id
	 * @return status 204, 404 if there is none, 409 if another process owns it
	 */
	@DeleteOperation
	public WebEndpointResponse<Object> delete(@Selector String id) {
		return handle(() -> (this.delegate.delete(id))
				? new WebEndpointResponse<>(WebEndpointResponse.STATUS_NO_CONTENT) : notFound());
	}

	private WebEndpointResponse<Object> handle(Supplier<WebEndpointResponse<Object>> operation) {
		try {
			return operation.get();
		}
		catch (SandboxException ex) {
			return failure(ex.code(), switch (ex.code()) {
				case SANDBOX_BUSY -> STATUS_CONFLICT;
				case SANDBOX_NOT_FOUND -> WebEndpointResponse.STATUS_NOT_FOUND;
				case SANDBOX_INVALID -> WebEndpointResponse.STATUS_BAD_REQUEST;
				case SANDBOX_UNAVAILABLE -> WebEndpointResponse.STATUS_SERVICE_UNAVAILABLE;
				default -> WebEndpointResponse.STATUS_INTERNAL_SERVER_ERROR;
			});
		}
	}

	private static WebEndpointResponse<Object> notFound() {
		return failure(ErrorCode.SANDBOX_NOT_FOUND, WebEndpointResponse.STATUS_NOT_FOUND);
	}

	private static WebEndpointResponse<Object> failure(ErrorCode code, int status) {
		return new WebEndpointResponse<>(Map.of("code", code.name()), status);
	}

}
