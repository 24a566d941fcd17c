package io.sandbox4j.sample;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.ExecResult;
import io.sandbox4j.ExecSpec;
import io.sandbox4j.ExecStatus;
import io.sandbox4j.SandboxException;
import io.sandbox4j.SessionInfo;
import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/**
 * Sandboxes over HTTP: make one, run commands in it, stop it, attach to it again, delete
 * it.
 */
@RestController
@RequestMapping("/sandboxes")
class SandboxController {

	private final Sandboxes sandboxes;

	SandboxController(Sandboxes sandboxes) {
		this.sandboxes = sandboxes;
	}

	@GetMapping
	List<SandboxView> list() {
		return this.sandboxes.list().stream().map(SandboxView::of).toList();
	}

	@PostMapping
	ResponseEntity<SandboxView> create(@RequestBody NewSandbox request) {
		SandboxView created = SandboxView.of(this.sandboxes.create(required("template", request.template())));
		return ResponseEntity.created(URI.create("/sandboxes/" + created.id())).body(created);
	}

	@GetMapping("/{id}")
	SandboxView get(@PathVariable String id) {
		return SandboxView.of(this.sandboxes.info(id));
	}

	@PostMapping("/{id}/attach")
	SandboxView attach(@PathVariable String id) {
		return SandboxView.of(this.sandboxes.attach(id));
	}

	@PostMapping("/{id}/stop")
	SandboxView stop(@PathVariable String id) {
		this.sandboxes.running(id).stop();
		return SandboxView.of(this.sandboxes.info(id));
	}

	@DeleteMapping("/{id}")
	@ResponseStatus(HttpStatus.NO_CONTENT)
	void delete(@PathVariable String id) {
		this.sandboxes.delete(id);
	}

	// Waits for the end of the command. An exit code other than 0, a time-out and too
	// much
	// output are answers, not errors.
	@PostMapping("/{id}/commands")
	CommandView run(@PathVariable String id, @RequestBody NewCommand request) {
		return CommandView.of(this.sandboxes.running(id).session().run(request.spec()));
	}

	private static <T> T required(String name, @Nullable T value) {
		if (value == null) {
			throw new SandboxException(ErrorCode.SANDBOX_INVALID, "'" + name + "' is missing.");
		}
		return value;
	}

	/**
	 * Asks for a sandbox.
	 *
	 * @param template the name of its template
	 */
	record NewSandbox(@Nullable String template) {

	}

	/**
	 * Asks for a command.
	 *
	 * @param command the program and its arguments; no shell reads them
	 * @param timeoutSeconds its deadline, 30 unless given
	 * @param stdin what it reads, nothing unless given
	 */
	record NewCommand(@Nullable List<String> command, @Nullable Long timeoutSeconds, @Nullable String stdin) {

		ExecSpec spec() {
			List<String> words = required("command", command());
			if (words.isEmpty() || words.contains(null)) {
				throw new SandboxException(ErrorCode.SANDBOX_INVALID, "'command' must be a list of strings.");
			}
			ExecSpec spec = ExecSpec.of(words.get(0), words.subList(1, words.size()));
			if (timeoutSeconds() != null) {
				spec = spec.withTimeout(Duration.ofSeconds(timeoutSeconds()));
			}
			return (stdin() != null) ? spec.withStdin(stdin().getBytes(StandardCharsets.UTF_8)) : spec;
		}

	}

	/**
	 * Shows a sandbox.
	 *
	 * @param id its id
	 * @param state whether this application runs it
	 * @param created when it was made
	 */
	record SandboxView(String id, SessionInfo.Status state, Instant created) {

		static SandboxView of(SessionInfo session) {
			return new SandboxView(session.id(), session.status(), session.created());
		}

	}

	/**
	 * Shows how a command ended.
	 *
	 * @param status the way it ended
	 * @param exitCode its exit code
	 * @param stdout what it printed
	 * @param stderr what it printed on standard error
	 * @param omittedBytes how much it printed beyond the limit
	 * @param durationMillis how long it took
	 * @param reason why it was ended, if it was
	 */
	record CommandView(ExecStatus status, int exitCode, String stdout, String stderr, long omittedBytes,
			long durationMillis, String reason) {

		static CommandView of(ExecResult result) {
			return new CommandView(result.status(), result.exitCode(), result.stdoutText(), result.stderrText(),
					result.omittedStdout() + result.omittedStderr(), result.duration().toMillis(), result.reason());
		}

	}

}
