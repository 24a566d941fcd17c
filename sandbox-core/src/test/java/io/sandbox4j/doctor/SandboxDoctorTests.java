package io.sandbox4j.doctor;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.NetworkPolicy;
import io.sandbox4j.OriginRule;
import io.sandbox4j.SandboxException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

/**
 * Tests for {@link SandboxDoctor}.
 */
@Timeout(60)
class SandboxDoctorTests {

	private final ScriptedBackend backend = new ScriptedBackend();

	@Test
	void aCheckThatThrowsIsAFailureWithItsClassOnly() {
		DoctorReport report = examine(check("mine", (context) -> {
			throw new IllegalStateException("secret at /srv/place");
		}));
		assertThat(find(report, "mine").status()).isEqualTo(DoctorStatus.FAIL);
		assertThat(find(report, "mine").summary()).contains("java.lang.IllegalStateException");
		assertThat(report.findings().toString()).doesNotContain("secret at");
	}

	@Test
	void anErrorAndANullAreFailuresToo() {
		DoctorReport report = examine(check("error", (context) -> {
			throw new StackOverflowError();
		}), check("null", (context) -> null), check(null, (context) -> {
			throw new IllegalStateException();
		}));
		assertThat(find(report, "error").summary()).contains("java.lang.StackOverflowError");
		assertThat(find(report, "null").summary()).contains("java.lang.NullPointerException");
		assertThat(report.findings()).filteredOn((finding) -> finding.summary().contains("IllegalState")).hasSize(1);
	}

	@Test
	void ownChecksRunAfterTheDoctorsInOrder() {
		DoctorReport report = examine(check("b", (context) -> List.of(DoctorFinding.ok("b", "fine"))),
				check("a", (context) -> List.of(DoctorFinding.ok("a", "fine"))));
		List<String> names = report.findings().stream().map(DoctorFinding::name).toList();
		assertThat(names).containsSubsequence("isolation", "jvm", "b", "a");
	}

	@Test
	void theWorstFindingIsTheStatus() {
		assertThat(new DoctorReport(List.of(), List.of()).status()).isEqualTo(DoctorStatus.OK);
		assertThat(new DoctorReport(List.of(DoctorFinding.ok("a", ""), DoctorFinding.fail("b", "", "", ""),
				DoctorFinding.warn("c", "", "", "")), List.of())
			.status()).isEqualTo(DoctorStatus.FAIL);
	}

	@Test
	void aCheckThatDoesNotEndIsGivenUpAndNotStartedAgain() {
		CountDownLatch release = new CountDownLatch(1);
		AtomicInteger started = new AtomicInteger();
		SandboxDoctor doctor = SandboxDoctor.builder(this.backend)
			.checkTimeout(Duration.ofMillis(500))
			.check(check("slow", (context) -> {
				started.incrementAndGet();
				boolean released = false;
				while (!released) {
					try {
						released = release.await(30, TimeUnit.SECONDS);
					}
					catch (InterruptedException ex) {
						// As a read from a broken network file system.
					}
				}
				return List.of(DoctorFinding.ok("slow", "ended"));
			}))
			.build();
		assertThat(find(doctor.examine(), "slow").summary()).contains("did not end within 500 ms");
		assertThat(find(doctor.examine(), "slow").summary()).contains("has not ended since an earlier examination");
		assertThat(started).hasValue(1);
		release.countDown();
		await().atMost(Duration.ofSeconds(10)).until(() -> find(doctor.examine(), "slow").status() == DoctorStatus.OK);
	}

	@Test
	void theTimeForAllIsBounded() {
		SandboxDoctor doctor = SandboxDoctor.builder(this.backend).timeout(Duration.ofNanos(1)).build();
		DoctorReport report = doctor.examine();
		assertThat(report.findings()).isNotEmpty()
			.allSatisfy((finding) -> assertThat(finding.summary()).contains("not looked at"));
		assertThat(this.backend.created).hasValue(0);
	}

	@Test
	void anInterruptEndsItWithAReportAndKeepsTheFlag() {
		Thread.currentThread().interrupt();
		DoctorReport report = examine();
		assertThat(Thread.interrupted()).isTrue();
		assertThat(report.status()).isEqualTo(DoctorStatus.FAIL);
	}

	@Test
	void itsSandboxIsMadeOnceAndDeleted() {
		examine(check("mine", (context) -> {
			context.session();
			return List.of();
		}));
		assertThat(this.backend.created).hasValue(1);
		assertThat(this.backend.deleted).hasValue(1);
	}

	@Test
	void aSandboxThatIsMadeTooLateIsDeleted() {
		DoctorContext context = new DoctorContext(this.backend, new DoctorSettings(null, null, null, Map.of(),
				List.of(), Duration.ofSeconds(1), Duration.ofSeconds(1)));
		this.backend.onCreate = context::close;
		assertThatIllegalStateException().isThrownBy(context::session);
		assertThat(this.backend.deleted).hasValue(1);
	}

	@Test
	void whereNoSandboxRunsItIsProbedOnce() {
		this.backend.isolation = () -> {
			throw new SandboxException(ErrorCode.SANDBOX_UNAVAILABLE, "No.");
		};
		assertThat(examine().status()).isEqualTo(DoctorStatus.FAIL);
		assertThat(this.backend.probed).hasValue(1);
		assertThat(this.backend.created).hasValue(0);
	}

	@Test
	void whoAsksMeanwhileGetsTheSameReport() throws Exception {
		CountDownLatch started = new CountDownLatch(1);
		CountDownLatch release = new CountDownLatch(1);
		SandboxDoctor doctor = SandboxDoctor.builder(this.backend).check(check("slow", (context) -> {
			started.countDown();
			release.await();
			return List.of();
		})).build();
		CompletableFuture<DoctorReport> first = CompletableFuture.supplyAsync(doctor::examine);
		started.await();
		Thread second = new Thread(() -> assertThat(doctor.examine()).isSameAs(first.join()));
		AtomicInteger wrong = new AtomicInteger();
		second.setUncaughtExceptionHandler((thread, ex) -> wrong.incrementAndGet());
		second.start();
		await().until(() -> second.getState() == Thread.State.WAITING);
		release.countDown();
		second.join();
		assertThat(wrong).hasValue(0);
		assertThat(this.backend.probed).hasValue(1);
	}

	@Test
	void noSecretOfAPolicyIsInTheReport() {
		NetworkPolicy policy = NetworkPolicy.allow(OriginRule.builder("http://api.example.com:8080")
			.header("authorization", "Bearer s3cr3t-value")
			.environment("API_TOKEN", "s3cr3t-variable")
			.allowPlaintext(true)
			.redact(false)
			.build());
		DoctorReport report = SandboxDoctor.builder(this.backend).network("default", policy).build().examine();
		assertThat(report.findings().toString()).contains("api.example.com", "API_TOKEN").doesNotContain("s3cr3t");
	}

	@Test
	void pathsCanBeLeftOut() {
		DoctorReport report = SandboxDoctor.builder(this.backend)
			.stateDirectory(Path.of("/srv/my app/state"))
			.runtimeDirectory(Path.of("/srv/run"))
			.executable(Path.of("/opt/own/bwrap"))
			.build()
			.examine();
		assertThat(report.findings().toString()).contains("/srv/my app/state", "/srv/run", "/opt/own/bwrap");
		assertThat(report.withoutPaths().findings().toString()).doesNotContain("/srv", "my app", "/opt");
		assertThat(report.withoutPaths().status()).isEqualTo(report.status());
	}

	@Test
	void timeoutsMustBePositive() {
		SandboxDoctor.Builder builder = SandboxDoctor.builder(this.backend);
		assertThatIllegalArgumentException().isThrownBy(() -> builder.timeout(Duration.ZERO));
		assertThatIllegalArgumentException().isThrownBy(() -> builder.checkTimeout(Duration.ofSeconds(-1)));
	}

	private DoctorReport examine(DoctorCheck... checks) {
		SandboxDoctor.Builder builder = SandboxDoctor.builder(this.backend);
		List.of(checks).forEach(builder::check);
		return builder.build().examine();
	}

	private static DoctorFinding find(DoctorReport report, String name) {
		return report.findings().stream().filter((finding) -> finding.name().equals(name)).findFirst().orElseThrow();
	}

	private static DoctorCheck check(String name, Look look) {
		return new DoctorCheck() {

			@Override
			public String name() {
				return name;
			}

			@Override
			public List<DoctorFinding> check(DoctorContext context) throws Exception {
				return look.at(context);
			}

		};
	}

	/**
	 * What a check does.
	 */
	private interface Look {

		List<DoctorFinding> at(DoctorContext context) throws Exception;

	}

}
