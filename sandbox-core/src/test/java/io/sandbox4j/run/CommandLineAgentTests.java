package io.sandbox4j.run;

import java.time.Duration;
import java.util.List;

import io.sandbox4j.ExecSpec;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Agents that are programs, with a real one.
 */
@Tag("isolation")
class CommandLineAgentTests {

	@RegisterExtension
	static final RunsExtension fixture = new RunsExtension();

	// Remembers each conversation in the workspace, as real ones do.
	private static final String AGENT = """
			import json, os, sys
			mode, conversation = sys.argv[1:3]
			path = ".agent/" + conversation
			os.makedirs(".agent", exist_ok=True)
			said = json.load(open(path)) if mode == "--resume" else []
			said.append(sys.stdin.read())
			json.dump(said, open(path, "w"))
			print(json.dumps({"type": "assistant", "id": "thought", "text": "reading"}), flush=True)
			print("a log line", flush=True)
			print(json.dumps({"type": "result", "result": " then ".join(said)}), flush=True)
			""";

	private static DurableSandbox sandbox() {
		CommandLineAgent agent = CommandLineAgent.of((turn) -> ExecSpec
			.of("/usr/bin/python3", "-c", AGENT, turn.first() ? "--new" : "--resume", turn.conversation())
			.withTimeout(Duration.ofSeconds(30)));
		return fixture.sandbox(agent);
	}

	private static DurableSandbox sandbox(String script) {
		return fixture.sandbox(CommandLineAgent.of((turn) -> ExecSpec.shell(script)));
	}

	@Test
	void itAnswersAndGoesOnWithItsConversation() {
		DurableSandbox sandbox = sandbox();
		sandbox.submit("r", "1", "h\u00e4llo");
		sandbox.submit("r", "2", "again");
		assertThat(RunsExtension.settled(sandbox, "1").answer()).isEqualTo("h\u00e4llo");
		assertThat(RunsExtension.settled(sandbox, "2").answer()).isEqualTo("h\u00e4llo then again");
		List<MessageRecord> messages = sandbox.poll("r", "1", Duration.ZERO, 0).messages();
		assertThat(messages).extracting(MessageRecord::id).containsExactly("thought", "line-2");
		assertThat(messages).extracting(MessageRecord::content).last().isEqualTo("a log line");
	}

	@Test
	void messagesAreSeenWhileItWorks() {
		DurableSandbox sandbox = sandbox(
				"echo '{\"type\":\"assistant\",\"id\":\"m\"}'; until [ -e go ]; do sleep 0.1; done; echo '{\"type\":\"result\",\"text\":\"end\"}'");
		sandbox.submit("r", "1", "");
		await().atMost(Duration.ofSeconds(20))
			.until(() -> sandbox.poll("r", "1", Duration.ZERO, 0).messages().size() == 1);
		sandbox.exec(ExecSpec.of("touch", "go"));
		assertThat(RunsExtension.settled(sandbox, "1").answer()).isEqualTo("end");
	}

	@Test
	void aFailureIsToldWithItsLastWords() {
		DurableSandbox sandbox = sandbox("head -c 100000 /dev/zero | tr '\\0' x >&2; echo 'no key' >&2; exit 3");
		sandbox.submit("r", "1", "");
		OperationRecord settled = RunsExtension.settled(sandbox, "1");
		assertThat(settled.reason()).isEqualTo(UnansweredReason.FAILED);
		assertThat(settled.answer()).contains("exit code 3").endsWith("no key").hasSizeLessThan(700);
	}

	@Test
	void oneWithoutAResultHasFailed() {
		DurableSandbox sandbox = sandbox("echo '{\"type\":\"result\"}'");
		sandbox.submit("r", "1", "");
		assertThat(RunsExtension.settled(sandbox, "1").answer()).contains("without a result");
	}

	@Test
	void aFloodIsEndedAndToldSo() {
		DurableSandbox sandbox = sandbox("yes | tr -d '\\n'");
		sandbox.submit("r", "1", "");
		assertThat(RunsExtension.settled(sandbox, "1").answer()).contains("a line of more than");
		DurableSandbox lines = fixture.runs(CommandLineAgent.of((turn) -> ExecSpec.shell("yes ''"))).sandbox("lines");
		lines.createRun(RunSpec.of("r"));
		lines.submit("r", "1", "");
		assertThat(RunsExtension.settled(lines, "1").answer()).contains("more than 10000 lines");
		assertThat(lines.<Integer>use((session) -> session.admission().active())).isZero();
	}

	@Test
	void aProgramThatDoesNotReadItsInputIsNoFailure() {
		DurableSandbox sandbox = sandbox("echo '{\"type\":\"result\",\"text\":\"ok\"}'");
		sandbox.submit("r", "1", "x".repeat(1 << 20));
		assertThat(RunsExtension.settled(sandbox, "1").answer()).isEqualTo("ok");
	}

}
