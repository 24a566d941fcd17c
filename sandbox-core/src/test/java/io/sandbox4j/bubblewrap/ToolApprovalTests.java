package io.sandbox4j.bubblewrap;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.UnaryOperator;

import io.sandbox4j.ExecSpec;
import io.sandbox4j.NetworkPolicy;
import io.sandbox4j.OriginRule;
import io.sandbox4j.SandboxHandle;
import io.sandbox4j.SandboxRequest;
import io.sandbox4j.SandboxState;
import io.sandbox4j.session.SessionLimits;
import io.sandbox4j.tools.ApprovalListener;
import io.sandbox4j.tools.ApprovalOutcome;
import io.sandbox4j.tools.CodingTools;
import io.sandbox4j.tools.PendingApproval;
import io.sandbox4j.tools.RefusalCode;
import io.sandbox4j.tools.SandboxTool;
import io.sandbox4j.tools.ToolApprovals;
import io.sandbox4j.tools.ToolApprovalsBuilder;
import io.sandbox4j.tools.ToolRequest;
import io.sandbox4j.tools.ToolResult;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Calls of the coding tools that wait for a person, over a real sandbox.
 */
@Tag("isolation")
@Timeout(120)
class ToolApprovalTests {

	@RegisterExtension
	final BackendExtension sandboxes = new BackendExtension();

	private final ExecutorService threads = Executors.newCachedThreadPool();

	private final List<Object> heard = new CopyOnWriteArrayList<>();

	private SandboxHandle sandbox;

	private ToolApprovals approvals;

	private CodingTools tools;

	@BeforeEach
	void open() {
		this.sandbox = this.sandboxes.sandbox(this.sandboxes
			.backend((builder) -> builder.sessionLimits(new SessionLimits(1, 1 << 20, 1 << 20, 1 << 20, 1000))));
		hold((builder) -> builder);
	}

	@AfterEach
	void end() {
		this.approvals.close();
		this.threads.shutdownNow();
	}

	private void hold(UnaryOperator<ToolApprovalsBuilder> customizer) {
		this.approvals = customizer
			.apply(ToolApprovals.builder("alice").others((request) -> true).listener(new ApprovalListener() {
				@Override
				public void ended(PendingApproval call, ApprovalOutcome outcome) {
					ToolApprovalTests.this.heard.add(outcome);
				}
			}))
			.build();
		this.tools = tools(this.sandbox);
	}

	private CodingTools tools(SandboxHandle handle) {
		return CodingTools.builder(handle.session())
			.shell(true)
			.offer(List.of("read_file", "write_file", "edit_file", "append_file", "remove_path", "run_command"))
			.authorize(this.approvals)
			.build();
	}

	private CompletableFuture<ToolResult> call(String tool, Map<String, ?> arguments) {
		int before = this.approvals.pending().size();
		CompletableFuture<ToolResult> call = CompletableFuture
			.supplyAsync(() -> ToolAnswers.call(this.tools, tool, arguments), this.threads);
		Awaitility.await().until(() -> call.isDone() || this.approvals.pending().size() > before);
		assertThat(call).isNotDone();
		return call;
	}

	private PendingApproval waiting() {
		assertThat(this.approvals.pending("alice")).hasSize(1);
		return this.approvals.pending("alice").get(0);
	}

	private boolean exists(String path) {
		return this.sandbox.session().files().exists(path);
	}

	private String text(String path) {
		return this.sandbox.session().files().readText(path);
	}

	@Test
	void aCommandRunsOnceAfterItsOwnerApprovedItAndItsWorkSurvives() throws Exception {
		CompletableFuture<ToolResult> call = call("run_command",
				Map.of("command", "echo ran >> log; readlink /proc/self/ns/net"));
		PendingApproval waiting = waiting();
		assertThat(waiting.request()).isInstanceOfSatisfying(ToolRequest.Command.class,
				(command) -> assertThat(command.args().get(0)).startsWith("echo ran"));
		assertThat(waiting.sessionId()).isEqualTo(this.sandbox.session().id());
		assertThat(exists("log")).as("before the approval").isFalse();
		assertThat(this.approvals.pending("mallory")).isEmpty();
		assertThat(this.approvals.approve(waiting.id(), "mallory")).isFalse();
		assertThat(this.approvals.refuse(waiting.id(), "mallory", "no")).isFalse();
		assertThat(call).isNotDone();
		assertThat(exists("log")).as("after a foreign answer").isFalse();
		assertThat(this.approvals.approve(waiting.id(), "alice")).isTrue();
		JsonNode ran = ToolAnswers.done(call.get());
		assertThat(this.approvals.approve(waiting.id(), "alice")).isFalse();
		assertThat(text("log")).isEqualTo("ran\n");
		assertThat(ran.get("stdout").asString()).startsWith("net:[")
			.isNotEqualTo(Files.readSymbolicLink(Path.of("/proc/self/ns/net")) + "\n");
		assertThat(this.tools.tools()).extracting(SandboxTool::name).doesNotContain("move_path");
		ToolAnswers.refused(RefusalCode.NOT_FOUND, this.tools, "move_path", Map.of("path", "log", "target", "gone"));
		SandboxState state = this.sandbox.captureState();
		this.sandbox.stop();
		this.sandbox = this.sandboxes.backend()
			.create(SandboxRequest.attach(state).network(NetworkPolicy.denyAll()).build());
		this.tools = tools(this.sandbox);
		assertThat(ToolAnswers.done(this.tools, "read_file", Map.of("path", "log")).get("text").asString())
			.isEqualTo("ran\n");
		assertThat(this.approvals.approve(waiting.id(), "alice")).isFalse();
		assertThat(this.heard).containsExactly(ApprovalOutcome.APPROVED);
	}

	@Test
	void aRefusedCallHasNoEffectAndTheModelIsToldWhy() throws Exception {
		CompletableFuture<ToolResult> call = call("remove_path", Map.of("path", "README"));
		assertThat(this.approvals.refuse(waiting().id(), "alice", "it is needed")).isTrue();
		JsonNode error = ToolAnswers.refused(RefusalCode.FORBIDDEN, call.get());
		assertThat(error.get("message").asString()).contains("it is needed");
		assertThat(exists("README")).isTrue();
	}

	@Test
	void aCallThatNobodyAnswersIsRefused() {
		hold((builder) -> builder.timeout(Duration.ofMillis(50)));
		JsonNode error = ToolAnswers.refused(RefusalCode.FORBIDDEN, this.tools, "run_command",
				Map.of("command", "touch made"));
		assertThat(error.get("hint").asString()).contains("ask the user, or go on");
		assertThat(exists("made")).isFalse();
	}

	@Test
	void aWaitTakesNoSlotAndHoldsUpNoOtherPath() throws Exception {
		CompletableFuture<ToolResult> command = call("run_command", Map.of("command", "touch made"));
		CompletableFuture<ToolResult> removal = call("remove_path", Map.of("path", "README"));
		assertThat(this.sandbox.session().admission().active()).isZero();
		assertThat(this.sandbox.session().run(ExecSpec.of("true")).succeeded()).isTrue();
		CompletableFuture<ToolResult> write = call("write_file", Map.of("path", "other", "content", "x"));
		ToolRequest.Write request = (ToolRequest.Write) this.approvals.pending().get(2).request();
		assertThat(request.path().relative()).isEqualTo("other");
		ToolAnswers.done(this.tools, "read_file", Map.of("path", "README"));
		this.approvals.pending().forEach((call) -> this.approvals.approve(call.id(), "alice"));
		for (CompletableFuture<ToolResult> call : List.of(command, removal, write)) {
			ToolAnswers.done(call.get());
		}
		assertThat(exists("made") && exists("other") && !exists("README")).isTrue();
	}

	@Test
	void theEndOfTheSessionEndsTheWait() throws Exception {
		CompletableFuture<ToolResult> call = call("run_command", Map.of("command", "touch made"));
		String id = waiting().id();
		SandboxState state = this.sandbox.captureState();
		this.sandbox.stop();
		JsonNode error = ToolAnswers.refused(RefusalCode.SANDBOX_UNAVAILABLE, call.get());
		assertThat(error.get("reason").asString()).isEqualTo("SANDBOX_STOPPED");
		assertThat(this.approvals.approve(id, "alice")).isFalse();
		assertThat(this.heard).containsExactly(ApprovalOutcome.STOPPED);
		this.sandbox = this.sandboxes.backend()
			.create(SandboxRequest.attach(state).network(NetworkPolicy.denyAll()).build());
		assertThat(exists("made")).isFalse();
	}

	@Test
	void anApprovalAfterTheStopRunsNothing() throws Exception {
		CompletableFuture<ToolResult> call = call("write_file", Map.of("path", "made", "content", "x"));
		SandboxState state = this.sandbox.captureState();
		this.sandbox.stop();
		this.approvals.pending().forEach((pending) -> this.approvals.approve(pending.id(), "alice"));
		ToolAnswers.refused(RefusalCode.SANDBOX_UNAVAILABLE, call.get());
		this.sandbox = this.sandboxes.backend()
			.create(SandboxRequest.attach(state).network(NetworkPolicy.denyAll()).build());
		assertThat(exists("made")).isFalse();
	}

	@Test
	void whatChangedWhileItWaitedIsNotDone() throws Exception {
		CompletableFuture<ToolResult> edit = call("edit_file",
				Map.of("path", "README", "oldText", "hello", "newText", "bye"));
		this.sandbox.session().files().writeText("README", "hello again\n");
		this.approvals.approve(waiting().id(), "alice");
		ToolAnswers.refused(RefusalCode.CONFLICT, edit.get());
		assertThat(text("README")).isEqualTo("hello again\n");
		CompletableFuture<ToolResult> write = call("write_file", Map.of("path", "new", "content", "x"));
		this.sandbox.session().files().writeText("new", "theirs");
		this.approvals.approve(waiting().id(), "alice");
		ToolAnswers.refused(RefusalCode.CONFLICT, write.get());
		assertThat(text("new")).isEqualTo("theirs");
	}

	@Test
	void aCommandApprovedForAnotherNetworkDoesNotRun() throws Exception {
		CompletableFuture<ToolResult> call = call("run_command", Map.of("command", "touch made"));
		this.sandbox.session().setNetworkPolicy(NetworkPolicy.allow(OriginRule.builder("https://example.com").build()));
		this.approvals.approve(waiting().id(), "alice");
		ToolAnswers.refused(RefusalCode.CONFLICT, call.get());
		assertThat(exists("made")).isFalse();
	}

	@Test
	void aCallThatCannotSucceedIsPutToNobody() {
		ToolAnswers.refused(RefusalCode.NOT_FOUND, this.tools, "remove_path", Map.of("path", "none"));
		ToolAnswers.refused(RefusalCode.NOT_FOUND, this.tools, "run_command", Map.of("command", "true", "cwd", "none"));
		assertThat(this.heard).isEmpty();
	}

	@Test
	void onlyWhatIsToldIsHeld() {
		hold((builder) -> builder.hold((request) -> request instanceof ToolRequest.Command));
		ToolAnswers.done(this.tools, "remove_path", Map.of("path", "README"));
		assertThat(this.heard).isEmpty();
	}

	@Test
	void approvalsAndReadOnlyPutNothingToAPerson() {
		this.tools = CodingTools.builder(this.sandbox.session())
			.readOnly(true)
			.shell(true)
			.authorize(this.approvals)
			.build();
		ToolAnswers.done(this.tools, "read_file", Map.of("path", "README"));
		ToolAnswers.refused(RefusalCode.NOT_FOUND, this.tools, "remove_path", Map.of("path", "README"));
		assertThat(this.approvals.pending()).isEmpty();
	}

}
