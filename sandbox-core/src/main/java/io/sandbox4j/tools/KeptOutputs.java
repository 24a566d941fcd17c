package io.sandbox4j.tools;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.SandboxException;
import io.sandbox4j.WorkspacePath;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The outputs of one session's commands in a store. Each begins with a line that names
 * its command, which a model does not see: whoever reads an output must be allowed to run
 * what printed it, also after the application was started anew.
 */
final class KeptOutputs {

	private static final Logger logger = LoggerFactory.getLogger(KeptOutputs.class);

	private static final JsonMapper MAPPER = JsonMapper.builder().build();

	private static final byte[] STDOUT = "--- stdout ---\n".getBytes(StandardCharsets.UTF_8);

	// It begins on a line of its own, whatever stdout ends with.
	private static final byte[] STDERR = "\n--- stderr ---\n".getBytes(StandardCharsets.UTF_8);

	private static final int FIRST_LOOK = 4096;

	private final ArtifactStore store;

	private final String sessionId;

	private final int maxBytes;

	KeptOutputs(ArtifactStore store, String sessionId, int maxBytes) {
		this.store = store;
		this.sessionId = sessionId;
		this.maxBytes = maxBytes;
	}

	/**
	 * Returns how much of a command's output fits.
	 * @return the bytes of both streams together, at least one
	 */
	int collectedBytes() {
		return Math.max(1, this.maxBytes - STDOUT.length - STDERR.length);
	}

	/**
	 * Keeps the output of a command.
	 * @param command the command
	 * @param stdout what it printed
	 * @param stderr what it printed on standard error
	 * @return where it is
	 * @throws Refusal if it could not be kept
	 */
	Kept keep(ToolRequest.Command command, byte[] stdout, byte[] stderr) {
		byte[] line = line(command);
		try {
			byte[] content = joined(line, STDOUT, stdout, STDERR, stderr);
			return new Kept(this.store.put(this.sessionId, content), command, line.length, content.length);
		}
		catch (SandboxException ex) {
			logger.debug("The output of a command is not kept", ex);
			throw failed("The whole output was not kept: " + ex.getMessage());
		}
		catch (RuntimeException ex) {
			logger.warn("The output of a command is not kept", ex);
			throw failed("The whole output was not kept: the store failed.");
		}
	}

	private static byte[] joined(byte[]... parts) {
		byte[] whole = new byte[Arrays.stream(parts).mapToInt((part) -> part.length).sum()];
		int end = 0;
		for (byte[] part : parts) {
			System.arraycopy(part, 0, whole, end, part.length);
			end += part.length;
		}
		return whole;
	}

	/**
	 * Finds an output of this session.
	 * @param reference its reference
	 * @return where it is, and its command
	 * @throws Refusal if there is none
	 */
	Kept find(String reference) {
		for (long size = FIRST_LOOK; true; size *= 16) {
			ArtifactStore.Content content = read(reference, 0, (int) Math.min(size, Integer.MAX_VALUE));
			byte[] bytes = content.bytes();
			for (int i = 0; i < bytes.length; i++) {
				if (bytes[i] == '\n') {
					return new Kept(reference, command(new String(bytes, 0, i, StandardCharsets.UTF_8)), i + 1,
							content.totalBytes());
				}
			}
			if (bytes.length < size) {
				throw unknown();
			}
		}
	}

	/**
	 * Reads a part of an output.
	 * @param kept the output
	 * @param offset the first byte, after the line that names the command
	 * @param length how many bytes at most
	 * @return the bytes
	 * @throws Refusal if it is gone
	 */
	byte[] read(Kept kept, long offset, int length) {
		return read(kept.reference(), kept.start() + offset, length).bytes();
	}

	private ArtifactStore.Content read(String reference, long offset, int length) {
		try {
			return this.store.read(this.sessionId, reference, offset, length);
		}
		catch (SandboxException ex) {
			throw refusal(ex);
		}
	}

	/**
	 * Opens an output.
	 * @param kept the output
	 * @return the stream, after the line that names the command
	 * @throws IOException if it cannot be read
	 */
	InputStream open(Kept kept) throws IOException {
		InputStream stream;
		try {
			stream = this.store.open(this.sessionId, kept.reference());
		}
		catch (SandboxException ex) {
			throw refusal(ex);
		}
		try {
			stream.skipNBytes(kept.start());
			return stream;
		}
		catch (IOException ex) {
			stream.close();
			throw ex;
		}
	}

	private static Refusal refusal(SandboxException failure) {
		if (failure.code() == ErrorCode.SANDBOX_NOT_FOUND) {
			return unknown();
		}
		logger.debug("A kept output cannot be read", failure);
		return failed("The kept output cannot be read now.");
	}

	private static Refusal failed(String message) {
		return new Refusal(RefusalCode.INTERNAL_SERVER_ERROR, message,
				"Run a command that prints only what is needed, such as with grep or tail.");
	}

	private static Refusal unknown() {
		return new Refusal(RefusalCode.SPILL_REFERENCE_UNKNOWN,
				"There is no such output: outputs are kept for a limited time.",
				"Use a reference that run_command answered, or run the command again.");
	}

	private static byte[] line(ToolRequest.Command command) {
		ObjectNode line = JsonNodeFactory.instance.objectNode();
		line.put("executable", command.executable());
		command.args().forEach(line.putArray("args")::add);
		line.put("cwd", command.cwd().relative());
		return (MAPPER.writeValueAsString(line) + "\n").getBytes(StandardCharsets.UTF_8);
	}

	// What has no such line was not written here: nobody knows who may read it.
	private static ToolRequest.Command command(String line) {
		try {
			JsonNode read = MAPPER.readTree(line);
			if (read.path("executable").isString() && read.path("args").isArray() && read.path("cwd").isString()) {
				List<String> args = new ArrayList<>();
				read.get("args").values().forEach((arg) -> args.add(arg.asString()));
				return new ToolRequest.Command(read.get("executable").asString(), args,
						WorkspacePath.parse(read.get("cwd").asString()));
			}
		}
		catch (JacksonException | SandboxException ex) {
			logger.debug("An output names no command", ex);
		}
		throw unknown();
	}

	/**
	 * Where an output is.
	 *
	 * @param reference its reference
	 * @param command what printed it
	 * @param start the bytes before it in the store
	 * @param totalBytes the bytes in the store
	 */
	record Kept(String reference, ToolRequest.Command command, int start, long totalBytes) {

		long bytes() {
			return this.totalBytes - this.start;
		}

	}

}
