package io.sandbox4j.autoconfigure.tools;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

import io.micrometer.observation.ObservationRegistry;
import io.sandbox4j.SandboxException;
import io.sandbox4j.SandboxSession;
import io.sandbox4j.run.AgentFailedException;
import io.sandbox4j.run.RunAdapter;
import io.sandbox4j.run.Turn;
import io.sandbox4j.tools.CodingTools;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.memory.ChatMemory;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.Message;
import org.springframework.ai.chat.messages.UserMessage;

/**
 * An agent of durable runs that is a chat of Spring AI: the text of a turn is the message
 * of the user, the coding tools work in the turn's sandbox, and the model's last words
 * are the answer. What the model says beside its calls of tools, and what the tools
 * answer, are messages of the turn. Thread-safe.
 * <p>
 * The model must stream: that is what can be broken off. When the run is stopped the
 * request to the model is cancelled, the calls of tools are interrupted and waited for.
 * An answer without a reason why it ended counts as one that broke off. Of what failed,
 * whoever polls and the log are told the class. Its message, which may name keys and
 * hosts, is logged at the level DEBUG only.
 * <p>
 * A conversation is remembered if there is a {@link Builder#memory memory}; a turn
 * without an answer is not.
 *
 * @since 0.1.0
 */
public final class ChatClientAgent implements RunAdapter {

	/**
	 * Name of the entry of the tool context that holds the id of the run, beside
	 * {@link SandboxKeyResolver#CONTEXT_KEY}.
	 */
	public static final String RUN_CONTEXT_KEY = "sandbox.run";

	private static final Logger logger = LoggerFactory.getLogger(ChatClientAgent.class);

	private final ChatClient client;

	private final Function<SandboxSession, CodingTools> tools;

	private final @Nullable ChatMemory memory;

	private final Duration timeout;

	private final ToolCallOwners owners;

	private final ObservationRegistry observations;

	private ChatClientAgent(Builder builder, ChatClient client) {
		this.client = client;
		this.tools = builder.tools;
		this.memory = builder.memory;
		this.timeout = builder.timeout;
		this.owners = builder.owners;
		this.observations = builder.observations;
	}

	/**
	 * Starts an agent. In an application of Spring Boot inject the builder instead: its
	 * tools are those of the properties, and its calls wait for approval if they must.
	 * @param tools builds the tools over the session of each turn
	 * @return a builder
	 */
	public static Builder builder(Function<SandboxSession, CodingTools> tools) {
		return new Builder(tools, new ToolCallOwners((key, context) -> key), ObservationRegistry.NOOP);
	}

	static Builder builder(CodingToolsFactory factory, ToolCallOwners owners, ObservationRegistry observations) {
		return new Builder(factory::build, owners, observations);
	}

	@Override
	public String answer(Turn turn) throws InterruptedException {
		List<Message> history = history(turn);
		TurnTools working = new TurnTools(turn, this.tools.apply(turn.session()), this.owners);
		TurnReplies replies = new TurnReplies(turn);
		try {
			await(chat(turn, history, working, replies));
		}
		finally {
			working.end();
		}
		working.requireSandbox();
		String answer = replies.answer();
		remember(turn, history, answer);
		return answer;
	}

	private CompletableFuture<Void> chat(Turn turn, List<Message> history, TurnTools working, TurnReplies replies) {
		List<Message> messages = new ArrayList<>(history);
		// As a message, since what is passed as a text can be taken for a template.
		messages.add(new UserMessage(text(turn)));
		return this.client.prompt()
			.messages(messages)
			.tools(working.callbacks(this.observations))
			.toolContext(Map.of(SandboxKeyResolver.CONTEXT_KEY, turn.sandbox(), RUN_CONTEXT_KEY, turn.run()))
			.advisors(replies)
			.stream()
			.chatResponse()
			.doOnNext(replies::deliver)
			.then()
			.toFuture();
	}

	// The tools take paths of the workspace, and commands start where the turn runs.
	private static String text(Turn turn) {
		return turn.cwd().isEmpty() ? turn.text() : "The work is in the directory '" + turn.cwd()
				+ "': commands start there, and paths of files begin with it.\n\n" + turn.text();
	}

	private void await(CompletableFuture<Void> chat) throws InterruptedException {
		try {
			chat.get(this.timeout.toNanos(), TimeUnit.NANOSECONDS);
		}
		catch (TimeoutException ex) {
			throw new AgentFailedException("The turn was not done within " + this.timeout.toSeconds() + " s.");
		}
		catch (ExecutionException ex) {
			throw failure(ex.getCause());
		}
		finally {
			chat.cancel(true);
		}
	}

	private static RuntimeException failure(@Nullable Throwable cause) {
		if (cause instanceof SandboxException || cause instanceof AgentFailedException) {
			return (RuntimeException) cause;
		}
		Throwable root = cause;
		while (root != null && root.getCause() != null && root.getCause() != root) {
			root = root.getCause();
		}
		String failure = name(cause) + ((root != cause) ? " (" + name(root) + ")" : "");
		logger.warn("The model failed in a turn of a durable run: {}. DEBUG of this logger says more", failure);
		// A provider's words may name keys and hosts.
		logger.debug("What the model failed with", cause);
		return new AgentFailedException(
				"The model failed: " + failure + ". The application's log says more at the level DEBUG.");
	}

	private static String name(@Nullable Throwable failure) {
		return (failure != null) ? failure.getClass().getSimpleName() : "unknown";
	}

	private List<Message> history(Turn turn) {
		ChatMemory known = this.memory;
		if (known == null) {
			return List.of();
		}
		List<Message> own = known.get(turn.conversation());
		String parent = turn.parent();
		return List.copyOf((own.isEmpty() && parent != null) ? known.get(parent) : own);
	}

	private void remember(Turn turn, List<Message> history, String answer) {
		ChatMemory known = this.memory;
		if (known == null) {
			return;
		}
		List<Message> said = new ArrayList<>();
		if (known.get(turn.conversation()).isEmpty()) {
			// What a branch begins with.
			said.addAll(history);
		}
		said.add(new UserMessage(text(turn)));
		said.add(new AssistantMessage(answer));
		known.add(turn.conversation(), said);
	}

	/**
	 * Builds a {@link ChatClientAgent}. Not thread-safe.
	 *
	 * @since 0.1.0
	 */
	public static final class Builder {

		private final Function<SandboxSession, CodingTools> tools;

		private final ToolCallOwners owners;

		private final ObservationRegistry observations;

		private @Nullable ChatMemory memory;

		private Duration timeout = Duration.ofHours(1);

		private Builder(Function<SandboxSession, CodingTools> tools, ToolCallOwners owners,
				ObservationRegistry observations) {
			this.tools = Objects.requireNonNull(tools, "'tools' must not be null");
			this.owners = owners;
			this.observations = observations;
		}

		/**
		 * Lets the agent remember what was said in a conversation, under its id. One that
		 * branches begins with what the other has said when its own first turn begins.
		 * The client must not have an advisor for a memory as well.
		 * @param memory the memory, which should last as long as the runs do; without one
		 * each turn begins anew
		 * @return this builder
		 */
		public Builder memory(ChatMemory memory) {
			this.memory = Objects.requireNonNull(memory, "'memory' must not be null");
			return this;
		}

		/**
		 * Sets how long a turn may take.
		 * @param timeout the time, an hour unless set
		 * @return this builder
		 * @throws IllegalArgumentException if it is not positive
		 */
		public Builder timeout(Duration timeout) {
			if (timeout.isNegative() || timeout.isZero()) {
				throw new IllegalArgumentException("'timeout' must be positive");
			}
			this.timeout = timeout;
			return this;
		}

		/**
		 * Builds the agent.
		 * @param client the chat, with its model, its instructions and tools of its own
		 * @return the agent
		 */
		public ChatClientAgent build(ChatClient client) {
			return new ChatClientAgent(this, Objects.requireNonNull(client, "'client' must not be null"));
		}

	}

}
