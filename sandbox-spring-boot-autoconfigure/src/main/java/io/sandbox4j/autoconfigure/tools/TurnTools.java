package io.sandbox4j.autoconfigure.tools;

import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

import io.micrometer.observation.ObservationRegistry;
import io.sandbox4j.ErrorCode;
import io.sandbox4j.SandboxException;
import io.sandbox4j.run.Turn;
import io.sandbox4j.tools.CodingTools;
import io.sandbox4j.tools.RefusalCode;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.JsonNodeFactory;

import org.springframework.ai.chat.model.ToolContext;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.definition.ToolDefinition;

/**
 * The coding tools of one turn. Each call and what it came to is a message. After the end
 * of the turn no call runs, and none begins.
 */
final class TurnTools implements ToolSandboxes {

	private static final int ALL = Integer.MAX_VALUE;

	private static final long PATIENCE_SECONDS = 30;

	private static final int TOLD = 4000;

	private final Semaphore calls = new Semaphore(ALL);

	private final AtomicInteger count = new AtomicInteger();

	private final Turn turn;

	private final CodingTools tools;

	private final ToolCallOwners owners;

	private volatile boolean ended;

	private volatile boolean unavailable;

	TurnTools(Turn turn, CodingTools tools, ToolCallOwners owners) {
		this.turn = turn;
		this.tools = tools;
		this.owners = owners;
	}

	Object[] callbacks(ObservationRegistry observations) {
		// The turn knows its sandbox, whatever a context says.
		List<SandboxKeyResolver> own = List.of((context) -> this.turn.sandbox());
		return this.tools.tools()
			.stream()
			.map((tool) -> new SandboxToolCallback(tool, this, own, this.owners, observations))
			.map(Told::new)
			.toArray();
	}

	@Override
	public <T> T use(String key, Function<CodingTools, T> work) {
		if (this.ended || !this.calls.tryAcquire()) {
			throw new SandboxException(ErrorCode.SANDBOX_STOPPED, "The turn has ended.");
		}
		try {
			return work.apply(this.tools);
		}
		finally {
			this.calls.release();
		}
	}

	@Override
	public boolean end(String key) {
		return false;
	}

	/**
	 * Lets no call begin any more, and waits for those that run. Whoever cancels the chat
	 * has interrupted them.
	 */
	void end() {
		this.ended = true;
		boolean interrupted = false;
		try {
			this.calls.tryAcquire(ALL, PATIENCE_SECONDS, TimeUnit.SECONDS);
		}
		catch (InterruptedException ex) {
			interrupted = true;
		}
		if (interrupted) {
			Thread.currentThread().interrupt();
		}
	}

	/**
	 * Fails if the sandbox was lost amid the turn: then what the model says about it is
	 * no answer.
	 * @throws SandboxException why it cannot be used
	 */
	void requireSandbox() {
		if (this.unavailable) {
			this.turn.session().files().stat(".");
		}
	}

	private final class Told implements ToolCallback {

		private final ToolCallback tool;

		Told(ToolCallback tool) {
			this.tool = tool;
		}

		@Override
		public ToolDefinition getToolDefinition() {
			return this.tool.getToolDefinition();
		}

		@Override
		public String call(String input) {
			return call(input, null);
		}

		@Override
		public String call(String input, @Nullable ToolContext context) {
			String answer = this.tool.call(input, context);
			if (answer.contains("\"" + RefusalCode.SANDBOX_UNAVAILABLE + "\"")) {
				TurnTools.this.unavailable = true;
			}
			if (!TurnTools.this.ended) {
				tell(answer);
			}
			return answer;
		}

		private void tell(String answer) {
			boolean whole = answer.length() <= TOLD;
			String message = JsonNodeFactory.instance.objectNode()
				.put("type", "tool")
				.put("name", this.tool.getToolDefinition().name())
				.put("answer", whole ? answer : answer.substring(0, TOLD))
				.put("truncated", !whole)
				.toString();
			TurnTools.this.turn.message("tool-" + TurnTools.this.count.incrementAndGet(), message);
		}

	}

}
