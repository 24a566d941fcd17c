package io.sandbox4j.autoconfigure.tools;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.sandbox4j.SandboxBackend;
import io.sandbox4j.autoconfigure.SandboxAutoConfiguration;
import io.sandbox4j.autoconfigure.SandboxGatewayAutoConfiguration;
import io.sandbox4j.test.FakeSandboxBackend;
import io.sandbox4j.tools.PendingApproval;
import io.sandbox4j.tools.ToolApprovals;
import io.sandbox4j.tools.ToolAuthorization;
import io.sandbox4j.tools.ToolRequest;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.ai.chat.model.ToolContext;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.support.GenericApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the approvals of {@link SandboxToolsAutoConfiguration}, over a fake backend.
 */
@Timeout(60)
class ToolApprovalsAutoConfigurationTests {

	private static final ToolContext ALICE = new ToolContext(Map.of("sandbox.key", "alice"));

	private static final String WRITE = "{\"path\":\"a.txt\",\"content\":\"x\"}";

	private static final String READ = "{\"path\":\"a.txt\"}";

	private final FakeSandboxBackend backend = new FakeSandboxBackend();

	private final ApplicationContextRunner plainRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(SandboxAutoConfiguration.class, SandboxGatewayAutoConfiguration.class,
				SandboxToolsAutoConfiguration.class))
		.withBean(SandboxBackend.class, () -> this.backend)
		.withPropertyValues("sandbox.probe-at-start=false", "sandbox.tools.required-restrictions=",
				"sandbox.tools.shell=true");

	private final ApplicationContextRunner contextRunner = this.plainRunner
		.withPropertyValues("sandbox.tools.approvals.enabled=true");

	@AfterEach
	void nothingIsLeft() {
		assertThat(this.backend.sessions()).isEmpty();
	}

	@Test
	void nothingWaitsUnlessApprovalsAreEnabled() {
		this.plainRunner.run((context) -> {
			assertThat(context).doesNotHaveBean(ToolApprovals.class).doesNotHaveBean(ApprovalsShutdown.class);
			assertThat(call(context, "write_file", WRITE, ALICE)).doesNotContain("error");
		});
	}

	@Test
	void anEffectWaitsForTheKeyOfItsSandboxAndHappensOnce() {
		this.contextRunner.run((context) -> {
			CompletableFuture<String> call = start(() -> call(context, "append_file", WRITE, ALICE));
			PendingApproval waiting = waiting(context);
			assertThat(waiting.owner()).isEqualTo("alice");
			assertThat(call(context, "list_directory", "{}", ALICE)).doesNotContain("a.txt", "error");
			assertThat(approvals(context).pending("bob")).isEmpty();
			assertThat(approvals(context).approve(waiting.id(), "bob")).isFalse();
			assertThat(call).isNotDone();
			assertThat(approvals(context).approve(waiting.id(), "alice")).isTrue();
			assertThat(call.join()).doesNotContain("error");
			assertThat(approvals(context).approve(waiting.id(), "alice")).isFalse();
			assertThat(this.backend.handles().get(0).session().files().readText("a.txt")).isEqualTo("x");
		});
	}

	@Test
	void theOwnersOfCallsAtOnceAreNotMixedUp() {
		this.contextRunner.run((context) -> {
			List<CompletableFuture<String>> calls = Stream.of("alice", "bob", "carol")
				.map((key) -> start(() -> call(context, "write_file", WRITE, key(key))))
				.toList();
			Awaitility.await().until(() -> approvals(context).pending().size() == 3);
			for (String key : List.of("carol", "alice", "bob")) {
				assertThat(approvals(context).pending(key)).singleElement()
					.returns(key, PendingApproval::owner)
					.satisfies((call) -> assertThat(approvals(context).approve(call.id(), key)).isTrue());
			}
			assertThat(calls).allSatisfy((call) -> assertThat(call.join()).doesNotContain("error"));
		});
	}

	@Test
	void aResolverSaysWhoseACallIs() {
		this.contextRunner
			.withBean(ToolCallOwnerResolver.class, () -> (key, context) -> context.getContext().get("user") + "@" + key)
			.run((context) -> {
				ToolContext both = new ToolContext(Map.of("sandbox.key", "alice", "user", "dave"));
				CompletableFuture<String> call = start(() -> call(context, "write_file", WRITE, both));
				PendingApproval waiting = waiting(context);
				assertThat(approvals(context).approve(waiting.id(), "alice")).isFalse();
				assertThat(approvals(context).approve(waiting.id(), "dave@alice")).isTrue();
				assertThat(call.join()).doesNotContain("error");
			});
	}

	@ParameterizedTest
	@CsvSource({ "null", "blank", "failure" })
	void aCallWithoutAnOwnerIsRefused(String how) {
		this.contextRunner.withBean(ToolCallOwnerResolver.class, () -> (key, context) -> switch (how) {
			case "null" -> null;
			case "blank" -> " ";
			default -> throw new IllegalStateException("s3cret");
		}).run((context) -> {
			assertThat(call(context, "write_file", WRITE, ALICE)).contains("FORBIDDEN", "Nobody can approve this call")
				.doesNotContain("s3cret");
			assertThat(call(context, "read_file", READ, ALICE)).contains("NOT_FOUND");
		});
	}

	@Test
	void aCallOfTheApplicationItselfWaitsForTheKeyToo() {
		this.contextRunner.run((context) -> {
			ToolSandboxes sandboxes = context.getBean(ToolSandboxes.class);
			CompletableFuture<String> call = start(
					() -> sandboxes.use("alice", (tools) -> tools.call("write_file", WRITE).text()));
			assertThat(approvals(context).approve(waiting(context).id(), "alice")).isTrue();
			assertThat(call.join()).doesNotContain("error");
		});
	}

	@Test
	void aCallOnAnotherThreadThanItsUseHasNoOwner() {
		this.contextRunner.run((context) -> {
			ToolSandboxes sandboxes = context.getBean(ToolSandboxes.class);
			assertThat(sandboxes.<String>use("alice",
					(tools) -> start(() -> tools.call("write_file", WRITE).text()).join()))
				.contains("FORBIDDEN");
		});
	}

	@Test
	void nobodyIsAskedForWhatAnAuthorizationRefuses() {
		List<ToolRequest> asked = new CopyOnWriteArrayList<>();
		this.contextRunner.withBean(ToolAuthorization.class, () -> (request) -> {
			asked.add(request);
			return !(request instanceof ToolRequest.Write);
		}).run((context) -> {
			assertThat(call(context, "write_file", WRITE, ALICE)).contains("FORBIDDEN");
			assertThat(asked).hasSize(1);
			CompletableFuture<String> command = start(
					() -> call(context, "run_command", "{\"command\":\"true\"}", ALICE));
			assertThat(approvals(context).refuse(waiting(context).id(), "alice", "not now")).isTrue();
			assertThat(command.join()).contains("FORBIDDEN", "not now");
			assertThat(asked).hasSize(2);
			assertThat(context.getBean(ToolAuthorization.class)).isNotInstanceOf(ToolApprovals.class);
		});
	}

	@ParameterizedTest
	@CsvSource({ "effects, write, true", "effects, edit, true", "effects, dryRun, false", "effects, move, true",
			"effects, remove, true", "effects, command, true", "effects, read, false", "commands, command, true",
			"commands, write, false", "commands, remove, false", "writes, write, true", "writes, edit, true",
			"writes, dryRun, false", "writes, move, true", "writes, remove, false", "writes, command, false",
			"removals, remove, true", "removals, write, false", "removals, move, false",
			"'commands,removals', remove, " + "true", "'commands,removals', move, false",
			"'removals,effects', command, true" })
	void theKindsThatAreNamedWait(String kinds, String request, boolean waits) {
		this.contextRunner
			.withPropertyValues("sandbox.tools.approvals.required-for=" + kinds, "sandbox.tools.approvals.timeout=1ms",
					"sandbox.templates.web.files[a.txt]=x", "sandbox.tools.template=web")
			.run((context) -> {
				this.backend.on("/bin/sh", (program) -> 0);
				String answer = switch (request) {
					case "write" -> call(context, "write_file", "{\"path\":\"b.txt\",\"content\":\"x\"}", ALICE);
					case "edit" ->
						call(context, "edit_file", "{\"path\":\"a.txt\",\"oldText\":\"x\",\"newText\":\"y\"}", ALICE);
					case "dryRun" -> call(context, "edit_file",
							"{\"path\":\"a.txt\",\"oldText\":\"x\",\"newText\":\"y\",\"dryRun\":true}", ALICE);
					case "move" -> call(context, "move_path", "{\"path\":\"a.txt\",\"target\":\"b.txt\"}", ALICE);
					case "remove" -> call(context, "remove_path", READ, ALICE);
					case "command" -> call(context, "run_command", "{\"command\":\"true\"}", ALICE);
					default -> call(context, "read_file", READ, ALICE);
				};
				if (waits) {
					assertThat(answer).contains("FORBIDDEN", "Nobody approved this call in time");
				}
				else {
					assertThat(answer).doesNotContain("error");
				}
			});
	}

	@Test
	void callsBeyondTheMaximumAreBusy() {
		this.contextRunner.withPropertyValues("sandbox.tools.approvals.max-pending=1").run((context) -> {
			CompletableFuture<String> call = start(() -> call(context, "write_file", WRITE, ALICE));
			PendingApproval waiting = waiting(context);
			assertThat(call(context, "write_file", WRITE, key("bob"))).contains("SANDBOX_BUSY");
			assertThat(approvals(context).refuse(waiting.id(), "alice", "")).isTrue();
			assertThat(call.join()).contains("FORBIDDEN");
		});
	}

	@Test
	void customizersChangeTheApprovalsAfterTheProperties() {
		this.contextRunner.withPropertyValues("sandbox.tools.approvals.timeout=1ms")
			.withBean(ToolApprovalsCustomizer.class,
					() -> (builder) -> builder.timeout(Duration.ofHours(1))
						.approvers((call, principal) -> principal.equals("boss")))
			.run((context) -> {
				CompletableFuture<String> call = start(() -> call(context, "write_file", WRITE, ALICE));
				PendingApproval waiting = waiting(context);
				assertThat(waiting.until()).isEqualTo(waiting.since().plus(Duration.ofHours(1)));
				assertThat(approvals(context).approve(waiting.id(), "alice")).isFalse();
				assertThat(approvals(context).approve(waiting.id(), "boss")).isTrue();
				assertThat(call.join()).doesNotContain("error");
			});
	}

	@Test
	void approvalsOfTheApplicationReplaceTheseAndComeAfterItsAuthorization() {
		ToolApprovals mine = ToolApprovals.builder("me").others((request) -> true).build();
		this.contextRunner.withBean("mine", ToolApprovals.class, () -> mine)
			.withBean("rule", ToolAuthorization.class, () -> (request) -> !(request instanceof ToolRequest.Remove))
			.run((context) -> {
				assertThat(context).hasSingleBean(ToolApprovals.class);
				CompletableFuture<String> call = start(() -> call(context, "write_file", WRITE, ALICE));
				Awaitility.await().until(() -> mine.pending("me").size() == 1);
				assertThat(mine.approve(mine.pending().get(0).id(), "me")).isTrue();
				assertThat(call.join()).doesNotContain("error");
				assertThat(call(context, "remove_path", READ, ALICE)).contains("FORBIDDEN");
			});
	}

	@Test
	void twoAuthorizationsAreNoneThatIsChosenByChance() {
		this.contextRunner.withBean("one", ToolAuthorization.class, () -> (request) -> true)
			.withBean("two", ToolAuthorization.class, () -> (request) -> false)
			.run((context) -> assertThat(context).hasFailed().getFailure().rootCause().hasMessageContaining("one,two"));
	}

	@Test
	void theEndOfTheContextEndsTheWaitsFirst() {
		this.contextRunner.run((context) -> {
			CompletableFuture<String> call = start(() -> call(context, "write_file", WRITE, ALICE));
			PendingApproval waiting = waiting(context);
			ToolApprovals approvals = approvals(context);
			context.getSourceApplicationContext().close();
			assertThat(call.join()).contains("SANDBOX_UNAVAILABLE");
			assertThat(approvals.approve(waiting.id(), "alice")).isFalse();
		});
	}

	@Test
	void theEndOfAChildContextEndsNoWait() {
		this.contextRunner.run((context) -> {
			CompletableFuture<String> call = start(() -> call(context, "write_file", WRITE, ALICE));
			PendingApproval waiting = waiting(context);
			GenericApplicationContext child = new GenericApplicationContext(context);
			child.refresh();
			child.close();
			assertThat(approvals(context).approve(waiting.id(), "alice")).isTrue();
			assertThat(call.join()).doesNotContain("error");
		});
	}

	@ParameterizedTest
	@CsvSource({ "timeout, 0s", "timeout, -1s", "timeout, 25h", "max-pending, 0", "required-for, ''" })
	void failsOnAnInvalidValueWhetherEnabledOrNot(String property, String value) {
		for (ApplicationContextRunner runner : List.of(this.plainRunner, this.contextRunner)) {
			runner.withPropertyValues("sandbox.tools.approvals." + property + "=" + value)
				.run((context) -> assertThat(context).hasFailed()
					.getFailure()
					.rootCause()
					.hasMessageContaining("'sandbox.tools.approvals." + property + "' is invalid: "));
		}
	}

	@Test
	void anUnknownKindFailsTheStart() {
		this.contextRunner.withPropertyValues("sandbox.tools.approvals.required-for=command")
			.run((context) -> assertThat(context).hasFailed()
				.getFailure()
				.hasStackTraceContaining("sandbox.tools.approvals.required-for")
				.hasStackTraceContaining("command"));
	}

	private static ToolContext key(String key) {
		return new ToolContext(Map.of("sandbox.key", key));
	}

	private static ToolApprovals approvals(BeanFactory context) {
		return context.getBean(ToolApprovals.class);
	}

	private static PendingApproval waiting(BeanFactory context) {
		ToolApprovals approvals = approvals(context);
		Awaitility.await().until(() -> approvals.pending().size() == 1);
		return approvals.pending().get(0);
	}

	// A thread of its own: those of the common pool are too few to wait on.
	private static CompletableFuture<String> start(Supplier<String> call) {
		return CompletableFuture.supplyAsync(call, (task) -> {
			Thread thread = new Thread(task, "test-call");
			thread.setDaemon(true);
			thread.start();
		});
	}

	private static String call(BeanFactory context, String name, String arguments, ToolContext toolContext) {
		return Stream.of(context.getBean(SandboxToolCallbackProvider.class).getToolCallbacks())
			.filter((tool) -> tool.getToolDefinition().name().equals(name))
			.findFirst()
			.orElseThrow()
			.call(arguments, toolContext);
	}

}
