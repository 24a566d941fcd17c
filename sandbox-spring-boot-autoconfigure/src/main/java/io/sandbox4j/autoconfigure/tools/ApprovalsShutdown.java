package io.sandbox4j.autoconfigure.tools;

import io.sandbox4j.tools.ToolApprovals;

import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextClosedEvent;

/**
 * Ends the waits when the context begins to close. Nobody can answer while the web server
 * stops, and each call that waits would hold that up.
 */
final class ApprovalsShutdown implements ApplicationListener<ContextClosedEvent> {

	private final ApplicationContext context;

	private final ToolApprovals approvals;

	ApprovalsShutdown(ApplicationContext context, ToolApprovals approvals) {
		this.context = context;
		this.approvals = approvals;
	}

	@Override
	public void onApplicationEvent(ContextClosedEvent event) {
		// The events of its children reach a context too.
		if (event.getApplicationContext() == this.context) {
			this.approvals.close();
		}
	}

}
