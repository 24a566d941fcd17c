package io.sandbox4j.sample;

import java.util.Map;
import java.util.UUID;

import io.sandbox4j.SandboxException;
import io.sandbox4j.autoconfigure.tools.SandboxKeyResolver;
import io.sandbox4j.autoconfigure.tools.SandboxToolCallbackProvider;
import io.sandbox4j.autoconfigure.tools.ToolSandboxes;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.chat.model.ChatResponse;

/**
 * A model at work on a Git repository, in a sandbox that lasts as long as its task.
 */
class Agent {

	private static final Logger logger = LoggerFactory.getLogger(Agent.class);

	private static final String RULES = """
			You are a programmer. The workspace of your tools is a Git repository.
			Look at it, run its tests with run_command, find the fault, repair it with the smallest change that
			does, and run the tests again until they pass. Leave the tests as they are and commit nothing.
			If a call is refused, do what its hint says. End with one or two sentences about what you changed.""";

	private final ChatClient chat;

	private final SandboxToolCallbackProvider tools;

	private final ToolSandboxes sandboxes;

	Agent(ChatModel model, SandboxToolCallbackProvider tools, ToolSandboxes sandboxes) {
		this.chat = ChatClient.create(model);
		this.tools = tools;
		this.sandboxes = sandboxes;
	}

	/**
	 * Works on a task and deletes the sandbox, also after a failure.
	 * @param task what the user wants
	 * @return what was done
	 * @throws AgentException if the model failed, or there is no repository any more
	 * @throws SandboxException if there is no sandbox
	 */
	AgentReport work(String task) {
		String key = "agent-" + UUID.randomUUID();
		try {
			Repository repository = this.sandboxes.use(key, Repository::init);
			ToolJournal journal = new ToolJournal(this.tools);
			ChatResponse response = ask(task, key, journal);
			String diff = this.sandboxes.use(key, repository::diff);
			return new AgentReport(response.getMetadata().getModel(), text(response), journal.calls(), diff);
		}
		finally {
			this.sandboxes.end(key);
		}
	}

	private ChatResponse ask(String task, String key, ToolJournal journal) {
		@Nullable ChatResponse response;
		try {
			response = this.chat.prompt()
				.system(RULES)
				.user((user) -> user.text("{task}").param("task", task))
				.tools(journal)
				.toolContext(Map.of(SandboxKeyResolver.CONTEXT_KEY, key))
				.call()
				.chatResponse();
		}
		catch (RuntimeException ex) {
			logger.warn("The model failed", ex);
			throw AgentException.of(ex);
		}
		if (response == null) {
			throw new AgentException("The model did not answer.");
		}
		return response;
	}

	private static String text(ChatResponse response) {
		String text = (response.getResult() != null) ? response.getResult().getOutput().getText() : null;
		return (text != null) ? text : "";
	}

}
