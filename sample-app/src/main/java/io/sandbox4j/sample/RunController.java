package io.sandbox4j.sample;

import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.SandboxException;
import io.sandbox4j.run.MessageRecord;
import io.sandbox4j.run.OperationRecord;
import io.sandbox4j.run.OperationStatus;
import io.sandbox4j.run.PollResult;
import io.sandbox4j.run.RunCreation;
import io.sandbox4j.run.RunRecord;
import io.sandbox4j.run.RunSpec;
import io.sandbox4j.run.Submission;
import io.sandbox4j.run.UnansweredReason;
import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/**
 * Durable runs over HTTP: make one, submit turns to it, wait for their answers, follow
 * its events, stop it. A durable sandbox is made by the first use of its key.
 */
@RestController
@RequestMapping("/durable/{key}/runs")
class RunController {

	private final DurableRuns runs;

	RunController(DurableRuns runs) {
		this.runs = runs;
	}

	@PostMapping
	ResponseEntity<RunView> create(@PathVariable String key, @RequestBody NewRun request) {
		RunCreation creation = this.runs.sandbox(key).createRun(request.spec());
		RunView run = RunView.of(creation.run());
		return (creation.created() ? ResponseEntity.created(URI.create("/durable/" + key + "/runs/" + run.id()))
				: ResponseEntity.ok())
			.body(run);
	}

	@GetMapping("/{run}")
	RunView get(@PathVariable String key, @PathVariable String run) {
		return RunView.of(this.runs.run(key, run));
	}

	// The caller gives the id, so it can ask again after an answer that it did not get.
	@PutMapping("/{run}/operations/{operation}")
	ResponseEntity<OperationView> submit(@PathVariable String key, @PathVariable String run,
			@PathVariable String operation, @RequestBody NewOperation request) {
		if (request.text() == null) {
			throw new SandboxException(ErrorCode.SANDBOX_INVALID, "'text' is missing.");
		}
		Submission submission = this.runs.sandbox(key).submit(run, operation, request.text());
		return ResponseEntity.status((submission.accepted()) ? HttpStatus.ACCEPTED : HttpStatus.OK)
			.body(OperationView.of(submission.operation(), List.of(), 0));
	}

	@GetMapping("/{run}/operations/{operation}")
	OperationView poll(@PathVariable String key, @PathVariable String run, @PathVariable String operation,
			@RequestParam(defaultValue = "0") int waitSeconds, @RequestParam(defaultValue = "0") int from) {
		PollResult result = this.runs.sandbox(key).poll(run, operation, Duration.ofSeconds(waitSeconds), from);
		return OperationView.of(result.operation(), result.messages(), result.next());
	}

	// Returns when nothing of the run runs any more, or says that something still does.
	@PostMapping("/{run}/stop")
	ResponseEntity<RunView> stop(@PathVariable String key, @PathVariable String run) {
		boolean ended = this.runs.sandbox(key).stopRun(run);
		return ResponseEntity.status((ended) ? HttpStatus.OK : HttpStatus.ACCEPTED).body(get(key, run));
	}

	@GetMapping(path = "/{run}/events", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
	SseEmitter events(@PathVariable String key, @PathVariable String run,
			@RequestHeader(name = "Last-Event-ID", defaultValue = "0") long after) {
		return this.runs.events(key, run, after);
	}

	/**
	 * Asks for a run.
	 *
	 * @param id its id
	 * @param cwd where its turns run, the top of the workspace unless given
	 * @param continued the run whose conversation it continues, if any
	 * @param forked the run whose conversation it branches from, if any
	 */
	record NewRun(@Nullable String id, @Nullable String cwd, @Nullable String continued, @Nullable String forked) {

		RunSpec spec() {
			if (id() == null) {
				throw new SandboxException(ErrorCode.SANDBOX_INVALID, "'id' is missing.");
			}
			return new RunSpec(id(), (cwd() != null) ? cwd() : "", continued(), forked());
		}

	}

	/**
	 * Asks for a turn.
	 *
	 * @param text what the agent is to do
	 */
	record NewOperation(@Nullable String text) {

	}

	/**
	 * Shows a run.
	 *
	 * @param id its id
	 * @param conversation the conversation that it is of
	 * @param parent the conversation that this one branched from, if any
	 * @param cwd where its turns run
	 * @param stopped whether it takes no more turns
	 * @param created when it was made
	 */
	record RunView(String id, String conversation, @Nullable String parent, String cwd, boolean stopped,
			Instant created) {

		static RunView of(RunRecord run) {
			return new RunView(run.id(), run.conversation(), run.parent(), run.cwd(), run.stopped(), run.created());
		}

	}

	/**
	 * Shows an operation.
	 *
	 * @param id its id
	 * @param status where it stands
	 * @param reason why it has no answer, if it is settled without one
	 * @param answer its answer, or what is to be told of the reason
	 * @param submitted when it was submitted
	 * @param settled when it was settled, if it is
	 * @param messages its messages from the cursor on
	 * @param next the cursor behind them
	 */
	record OperationView(String id, OperationStatus status, @Nullable UnansweredReason reason, String answer,
			Instant submitted, @Nullable Instant settled, List<MessageView> messages, int next) {

		static OperationView of(OperationRecord operation, List<MessageRecord> messages, int next) {
			return new OperationView(operation.id(), operation.status(), operation.reason(), operation.answer(),
					operation.submitted(), operation.settled(),
					messages.stream().map((message) -> new MessageView(message.id(), message.content())).toList(),
					next);
		}

	}

	/**
	 * Shows a message.
	 *
	 * @param id its id, unique within the operation
	 * @param content what the agent told
	 */
	record MessageView(String id, String content) {

	}

}
