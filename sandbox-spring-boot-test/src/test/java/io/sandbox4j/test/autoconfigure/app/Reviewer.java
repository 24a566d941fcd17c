package io.sandbox4j.test.autoconfigure.app;

import io.sandbox4j.tools.ToolAuthorization;
import io.sandbox4j.tools.ToolRequest;

import org.springframework.stereotype.Component;

/**
 * A component that shapes sandboxes.
 */
@Component
public class Reviewer implements ToolAuthorization {

	@Override
	public boolean authorize(ToolRequest request) {
		return !(request instanceof ToolRequest.Remove);
	}

}
