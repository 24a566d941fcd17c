package io.sandbox4j.sample;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.SandboxException;
import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * An agent over HTTP.
 */
@RestController
@RequestMapping("/agents")
class AgentController {

	private final Agent agent;

	AgentController(Agent agent) {
		this.agent = agent;
	}

	// Waits for the end of the work.
	@PostMapping
	AgentReport work(@RequestBody Task request) {
		String task = request.task();
		if (task == null || task.isBlank()) {
			throw new SandboxException(ErrorCode.SANDBOX_INVALID, "'task' is missing.");
		}
		return this.agent.work(task);
	}

	@ExceptionHandler
	ProblemDetail handle(AgentException failure) {
		return ProblemDetail.forStatusAndDetail(HttpStatus.BAD_GATEWAY, failure.getMessage());
	}

	/**
	 * Asks for work.
	 *
	 * @param task what is to be done
	 */
	record Task(@Nullable String task) {

	}

}
