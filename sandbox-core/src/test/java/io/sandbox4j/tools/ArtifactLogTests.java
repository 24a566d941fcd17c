package io.sandbox4j.tools;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.sandbox4j.SandboxException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The cause of a failure is in the log, what a command printed is not.
 */
class ArtifactLogTests {

	private final Logger logger = (Logger) LoggerFactory.getLogger("io.sandbox4j.tools");

	private final ListAppender<ILoggingEvent> events = new ListAppender<>();

	@TempDir
	Path directory;

	@BeforeEach
	void listen() {
		this.events.start();
		this.logger.addAppender(this.events);
		this.logger.setLevel(Level.TRACE);
	}

	@AfterEach
	void stopListening() {
		this.logger.detachAppender(this.events);
		this.logger.setLevel(null);
	}

	@Test
	void aFailureLogsItsCauseAndNoContent() throws Exception {
		FileArtifactStore store = FileArtifactStore.builder(this.directory).build();
		String reference = store.put("session-1", "s3cret".getBytes(StandardCharsets.UTF_8));
		store.read("session-1", reference, 0, 10);
		store.removeSession("session-1");
		Files.createFile(this.directory.resolve("session-1"));
		assertThatExceptionOfType(SandboxException.class)
			.isThrownBy(() -> store.put("session-1", "s3cret".getBytes(StandardCharsets.UTF_8)))
			.withMessageNotContaining("s3cret");
		assertThat(this.events.list).isNotEmpty()
			.allSatisfy((event) -> assertThat(event.getLevel()).isIn(Level.DEBUG, Level.TRACE))
			.noneMatch((event) -> event.getFormattedMessage().contains("s3cret"))
			.noneMatch((event) -> String.valueOf(event.getThrowableProxy().getMessage()).contains("s3cret"))
			.anyMatch((event) -> event.getThrowableProxy().getMessage().contains(this.directory.toString()));
	}

}
