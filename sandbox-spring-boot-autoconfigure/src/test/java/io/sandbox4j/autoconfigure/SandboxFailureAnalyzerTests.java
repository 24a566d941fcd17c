package io.sandbox4j.autoconfigure;

import java.io.IOException;
import java.nio.file.Files;
import java.util.Map;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.SandboxException;
import io.sandbox4j.SandboxUnavailableException;
import io.sandbox4j.SandboxUnavailableException.Cause;
import io.sandbox4j.autoconfigure.SandboxFailureAnalyzer.Advice;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.env.OriginTrackedMapPropertySource;
import org.springframework.boot.origin.OriginTrackedValue;
import org.springframework.boot.origin.TextResourceOrigin;
import org.springframework.boot.origin.TextResourceOrigin.Location;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.core.io.ByteArrayResource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link SandboxFailureAnalyzer}.
 */
@ExtendWith(OutputCaptureExtension.class)
class SandboxFailureAnalyzerTests {

	private final StandardEnvironment environment = new StandardEnvironment();

	@ParameterizedTest
	@EnumSource(Cause.class)
	void saysWhatIsWrongAndWhatToDo(Cause cause) {
		FailureAnalysis analysis = analyze(
				new SandboxUnavailableException(cause, "It is (badly) broken.", "Repair it.", null));
		assertThat(analysis.getDescription()).isEqualTo("It is (badly) broken.");
		assertThat(analysis.getAction()).startsWith("Repair it. ")
			.endsWith("See '" + Advice.of(cause).section() + "' in docs/troubleshooting.md.");
		assertThat(Advice.of(cause).name()).isEqualTo(cause.name());
	}

	@ParameterizedTest
	@EnumSource(Advice.class)
	void pointsAtASectionThatExists(Advice advice) throws IOException {
		assertThat(Files.readString(Repository.root().resolve("docs/troubleshooting.md")))
			.contains("\n## " + advice.section() + "\n");
	}

	@Test
	void namesTheProperties() {
		assertThat(action(Cause.NOT_LINUX)).contains("'sandbox.enabled' to 'false'").contains("FakeSandboxBackend");
		assertThat(action(Cause.BWRAP_MISSING)).contains("'sandbox.executable'");
		assertThat(action(Cause.BWRAP_UNSAFE)).contains("'sandbox.executable'");
		assertThat(action(Cause.USER_NAMESPACES_DISABLED)).contains("'user.max_user_namespaces'")
			.contains("'kernel.unprivileged_userns_clone'");
		assertThat(action(Cause.APPARMOR_RESTRICTED)).contains("'kernel.apparmor_restrict_unprivileged_userns'")
			.contains("profile");
		assertThat(action(Cause.CONTAINER_RESTRICTED)).contains("seccomp");
		assertThat(action(Cause.DIRECTORY_UNUSABLE)).contains("'sandbox.state-directory'")
			.contains("'sandbox.runtime-directory'");
		assertThat(action(Cause.RESTRICTION_NOT_HELD)).contains("'sandbox.require'");
		assertThat(action(Cause.OTHER)).contains("'sandbox.executable'");
	}

	@Test
	void namesThePropertyItsValueAndItsOrigin() {
		this.environment.getPropertySources()
			.addFirst(new OriginTrackedMapPropertySource("test",
					Map.of("sandbox.stateDirectory",
							OriginTrackedValue.of("state", new TextResourceOrigin(
									new ByteArrayResource(new byte[0], "app.yaml"), new Location(2, 19))),
							"sandbox.rootfs", "x")));
		FailureAnalysis analysis = analyze(
				new InvalidSandboxPropertyException("sandbox.state-directory", "It must be an absolute path."));
		assertThat(analysis.getDescription())
			.startsWith("The property 'sandbox.state-directory' with the value 'state' (from ")
			.endsWith("app.yaml] - 3:20) is invalid: It must be an absolute path.");
		assertThat(analysis.getAction()).contains("'sandbox.state-directory'").contains("docs/configuration.md");
	}

	@Test
	void findsAValueInTheEnvironment() {
		this.environment.getPropertySources()
			.addFirst(new SystemEnvironmentPropertySource("systemEnvironment",
					Map.of("SANDBOX_STATEDIRECTORY", "state")));
		assertThat(analyze(new InvalidSandboxPropertyException("sandbox.state-directory", "No.")).getDescription())
			.startsWith("The property 'sandbox.state-directory' with the value 'state'")
			.contains("SANDBOX_STATEDIRECTORY");
	}

	@Test
	void copesWithoutAValueAndWithAnOddName() {
		assertThat(analyze(new InvalidSandboxPropertyException("sandbox.rootfs", "No.")).getDescription())
			.isEqualTo("The property 'sandbox.rootfs' is invalid: No.");
		assertThat(analyze(new InvalidSandboxPropertyException("sandbox.templates.A B", "No.")).getDescription())
			.isEqualTo("The property 'sandbox.templates.A B' is invalid: No.");
	}

	@Test
	void doesNotPrintInlineText() {
		this.environment.getPropertySources()
			.addFirst(new MapPropertySource("test", Map.of("sandbox.templates.t.files[../up]", "some text")));
		assertThat(analyze(new InvalidSandboxPropertyException("sandbox.templates.t.files[../up]", "No."))
			.getDescription()).contains("'sandbox.templates.t.files[../up]'").doesNotContain("some text");
	}

	@Test
	void analyzesWhatTheCoreRefuses() {
		FailureAnalysis invalid = analyze(
				new SandboxException(ErrorCode.SANDBOX_INVALID, "'limits.openFiles' must be at least 16."));
		assertThat(invalid.getDescription()).isEqualTo("'limits.openFiles' must be at least 16.");
		assertThat(invalid.getAction()).contains("docs/configuration.md");
		assertThat(analyze(new SandboxException(ErrorCode.SANDBOX_LIMIT, "Too large.")).getAction())
			.contains("'sandbox.storage.max-template-size'");
		assertThat(analyze(new SandboxException(ErrorCode.SANDBOX_UNAVAILABLE, "No.")).getAction())
			.contains("'Other failures'");
	}

	@ParameterizedTest
	@EnumSource(value = ErrorCode.class, mode = EnumSource.Mode.EXCLUDE,
			names = { "SANDBOX_INVALID", "SANDBOX_LIMIT", "SANDBOX_UNAVAILABLE" })
	void leavesOtherFailuresAlone(ErrorCode code) {
		assertThat(new SandboxFailureAnalyzer(this.environment).analyze(new SandboxException(code, "No."))).isNull();
	}

	@Test
	void isUsedByAnApplicationThatCannotStart(CapturedOutput output) {
		SpringApplication application = new SpringApplication(Application.class);
		application.setWebApplicationType(WebApplicationType.NONE);
		assertThatExceptionOfType(Exception.class)
			.isThrownBy(() -> application.run("--sandbox.state-directory=relative/state"));
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains(
					"The property 'sandbox.state-directory' with the value 'relative/state' (from \"sandbox.state-dir")
			.contains("is invalid: It must be an absolute path");
	}

	private String action(Cause cause) {
		return analyze(new SandboxUnavailableException(cause, "No.", "Do.", null)).getAction();
	}

	private FailureAnalysis analyze(SandboxException cause) {
		FailureAnalysis analysis = new SandboxFailureAnalyzer(this.environment)
			.analyze(new IllegalStateException("wrapped", cause));
		assertThat(analysis).isNotNull();
		assertThat(analysis.getCause()).isSameAs(cause);
		return analysis;
	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration(SandboxAutoConfiguration.class)
	static class Application {

	}

}
