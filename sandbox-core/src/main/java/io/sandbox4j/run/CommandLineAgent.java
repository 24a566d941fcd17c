package io.sandbox4j.run;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

import io.sandbox4j.ExecResult;
import io.sandbox4j.ExecSpec;
import io.sandbox4j.SandboxProcess;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * An agent that is a program: it reads the text of a turn from its standard input and
 * writes JSON objects, one a line. One with the type {@code result} has the answer, as
 * {@code result} or {@code text}; each other one is a message, with its {@code id} or
 * {@code uuid}, or the number of its line. What is no JSON object is a message too.
 * Thread-safe.
 * <p>
 * The program keeps its conversations itself, in the workspace, which outlives every
 * session. It is told which one by its arguments or variables:
 * {@snippet lang = java :
 * CommandLineAgent.of((turn) -> ExecSpec.of("agent", turn.first() ? "--session-id" : "--resume", turn.conversation()))
 * }
 *
 * @since 0.1.0
 */
public final class CommandLineAgent implements RunAdapter {

	private static final int MAX_LINE = 1 << 20;

	private static final int MAX_LINES = 10_000;

	private static final int TOLD_ERRORS = 500;

	private final Function<Turn, ExecSpec> command;

	private CommandLineAgent(Function<Turn, ExecSpec> command) {
		this.command = command;
	}

	/**
	 * Creates an agent.
	 * @param command tells the command of a turn, with its deadline; its standard input
	 * is the text of the turn
	 * @return the agent
	 */
	public static CommandLineAgent of(Function<Turn, ExecSpec> command) {
		return new CommandLineAgent(Objects.requireNonNull(command, "'command' must not be null"));
	}

	@Override
	public String answer(Turn turn) throws IOException {
		try (SandboxProcess process = turn.session().start(this.command.apply(turn))) {
			CompletableFuture<String> errors = new CompletableFuture<>();
			thread(() -> errors.complete(end(process.stderr())));
			thread(() -> write(process.stdin(), turn.text()));
			String answer = read(process, turn);
			ExecResult result = process.onExit().join();
			if (!result.succeeded()) {
				throw new AgentFailedException("The agent's program ended with " + result.status() + " and exit code "
						+ result.exitCode() + ". " + errors.join());
			}
			if (answer == null) {
				throw new AgentFailedException("The agent's program ended without a result.");
			}
			return answer;
		}
	}

	private static void thread(Runnable task) {
		Thread thread = new Thread(task, "sandbox-agent-stream");
		thread.setDaemon(true);
		thread.start();
	}

	// A program that ends early says why by its status, not by a broken pipe.
	private static void write(OutputStream stdin, String text) {
		try (OutputStream output = stdin) {
			output.write(text.getBytes(StandardCharsets.UTF_8));
		}
		catch (IOException ex) {
			return;
		}
	}

	private static String end(InputStream stderr) {
		StringBuilder end = new StringBuilder();
		char[] buffer = new char[4096];
		try (InputStreamReader reader = new InputStreamReader(stderr, StandardCharsets.UTF_8)) {
			for (int count = reader.read(buffer); count >= 0; count = reader.read(buffer)) {
				end.append(buffer, 0, count);
				end.delete(0, Math.max(0, end.length() - TOLD_ERRORS));
			}
		}
		catch (IOException ex) {
			end.append(" (the rest could not be read)");
		}
		return end.toString().replaceAll("[\\p{Cntrl}&&[^\\n\\t]]", "?").strip();
	}

	private static @Nullable String read(SandboxProcess process, Turn turn) throws IOException {
		String answer = null;
		int number = 0;
		try (BufferedReader reader = new BufferedReader(
				new InputStreamReader(process.stdout(), StandardCharsets.UTF_8))) {
			for (String line = line(reader); line != null; line = line(reader)) {
				number++;
				if (number > MAX_LINES) {
					throw new AgentFailedException("The agent's program wrote more than " + MAX_LINES + " lines.");
				}
				JsonNode object = object(line);
				String result = (object != null) ? result(object) : null;
				if (result != null) {
					answer = result;
				}
				else if (!line.isBlank()) {
					turn.message(id(object, number), line);
				}
			}
		}
		return answer;
	}

	private static @Nullable String line(BufferedReader reader) throws IOException {
		StringBuilder line = new StringBuilder();
		int c = reader.read();
		if (c < 0) {
			return null;
		}
		for (; c >= 0 && c != '\n'; c = reader.read()) {
			if (line.length() == MAX_LINE) {
				throw new AgentFailedException(
						"The agent's program wrote a line of more than " + MAX_LINE + " characters.");
			}
			line.append((char) c);
		}
		return line.toString();
	}

	private static @Nullable JsonNode object(String line) {
		try {
			JsonNode node = JsonMapper.shared().readTree(line);
			return (node != null && node.isObject()) ? node : null;
		}
		catch (JacksonException ex) {
			return null;
		}
	}

	private static @Nullable String result(JsonNode object) {
		if (!object.path("type").asString("").equals("result")) {
			return null;
		}
		JsonNode result = object.path("result");
		JsonNode text = object.path("text");
		return result.isString() ? result.stringValue() : (text.isString() ? text.stringValue() : null);
	}

	private static String id(@Nullable JsonNode object, int number) {
		if (object != null) {
			for (String name : new String[] { "id", "uuid" }) {
				JsonNode id = object.path(name);
				if (id.isString() && Ids.isValid(id.stringValue())) {
					return id.stringValue();
				}
			}
		}
		return "line-" + number;
	}

}
