package io.sandbox4j.bubblewrap;

import java.time.Duration;
import java.util.List;

import io.sandbox4j.ExecResult;
import io.sandbox4j.ExecSpec;
import io.sandbox4j.SandboxEvent.GatewayRequest;
import io.sandbox4j.SandboxFiles;
import io.sandbox4j.SandboxHandle;
import io.sandbox4j.gateway.LocalGateway;
import io.sandbox4j.gateway.SandboxGateway;
import io.sandbox4j.install.Ecosystem;
import io.sandbox4j.install.InstallPlan;
import io.sandbox4j.install.InstallRegistries;
import io.sandbox4j.install.InstallState;
import io.sandbox4j.install.InstallStore;
import io.sandbox4j.install.Installs;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

/**
 * Real package managers in a sandbox, whose only way out is the gateway, and a registry
 * over TLS that wants a credential which the sandbox does not have.
 */
class DependencyInstallTests {

	@RegisterExtension
	final BackendExtension sandboxes = new BackendExtension();

	private PackageRegistry registry;

	private SandboxGateway gateway;

	private BubblewrapBackend backend;

	private SandboxHandle sandbox;

	private Installs installs;

	@BeforeEach
	void open() throws Exception {
		this.registry = new PackageRegistry(this.sandboxes.root().resolve("registry"));
		this.gateway = LocalGateway.builder().build();
		this.backend = this.sandboxes.backend((builder) -> builder.gateway(this.gateway));
		InstallRegistries.Builder registries = InstallRegistries.builder();
		registry(registries, Ecosystem.JAVASCRIPT, "");
		registry(registries, Ecosystem.PYTHON, "/simple");
		this.sandbox = this.sandboxes.sandbox(this.backend, registries.build().policy());
		this.installs = installs(false);
	}

	// The rule is shared, and a header may stand in it once.
	private void registry(InstallRegistries.Builder registries, Ecosystem ecosystem, String path) {
		registries.registry(ecosystem, this.registry.origin() + path, (rule) -> {
			if (ecosystem == Ecosystem.JAVASCRIPT) {
				rule.header("Authorization", PackageRegistry.CREDENTIAL).allowPrivate(true);
			}
			return rule;
		});
	}

	private Installs installs(boolean scripts) {
		return Installs.builder(this.sandbox.session(), InstallStore.inMemory())
			.plan(InstallPlan.builder().scripts(scripts).build())
			.build();
	}

	@AfterEach
	void close() {
		this.installs.close();
		this.backend.close();
		this.gateway.close();
		this.registry.close();
	}

	private SandboxFiles files() {
		return this.sandbox.session().files();
	}

	private ExecResult run(String script) {
		return this.sandbox.session().run(ExecSpec.shell(script).withTimeout(Duration.ofSeconds(90)));
	}

	private void assumeProgram(String command) {
		assumeThat(run(command + " --version").succeeded()).as(command + " is installed").isTrue();
	}

	private void manifest(String name) {
		files().writeText("package.json", "{\"name\":\"app\",\"version\":\"1.0.0\",\"dependencies\":{\"" + name
				+ "\":\"1.0.0\"},\"scripts\":{\"postinstall\":\"touch own-script\"}}");
	}

	private InstallState install(Installs installs) {
		installs.start(".");
		Awaitility.await()
			.atMost(Duration.ofSeconds(120))
			.until(() -> !(installs.state(".") instanceof InstallState.Running));
		return installs.state(".");
	}

	private static InstallState.Done done(InstallState state) {
		assertThat(state).isInstanceOf(InstallState.Done.class);
		return (InstallState.Done) state;
	}

	private List<GatewayRequest> requests() {
		return this.sandboxes.events()
			.stream()
			.filter(GatewayRequest.class::isInstance)
			.map(GatewayRequest.class::cast)
			.toList();
	}

	@Test
	void npmInstallsFromTheRegistry() {
		assumeProgram("npm");
		manifest("tiny-npm");
		assertThat(done(install(this.installs)).command()).startsWith("npm install");
		assertThat(run("node -p \"require('tiny-npm')\"").stdoutText().strip()).isEqualTo("42");
		assertThat(this.registry.refused()).isEmpty();
		assertThat(requests()).isNotEmpty().allMatch((request) -> request.method().equals("GET"));
		assertThat(files().exists("package-lock.json")).isFalse();
		assertThat(files().exists(".npm")).isFalse();
	}

	@Test
	void npmInstallsWhatALockfileSaysAndIsSkippedTheNextTime() {
		assumeProgram("npm");
		manifest("tiny-npm");
		ExecResult locked = run("npm_config_cache=/tmp/c npm install --package-lock-only --no-audit 2>&1");
		assertThat(locked.succeeded()).as(locked.stdoutText()).isTrue();
		// As people commit it, who were not behind a gateway.
		String lock = files().readText("package-lock.json");
		files().writeText("package-lock.json",
				lock.replace(this.registry.url() + "/tiny-npm", "https://registry.npmjs.org/tiny-npm"));
		assertThat(files().readText("package-lock.json")).contains("https://registry.npmjs.org/");
		assertThat(done(install(this.installs)).command()).startsWith("npm ci");
		int before = requests().size();
		assertThat(done(this.installs.start(".")).took()).isZero();
		assertThat(requests()).hasSize(before);
	}

	@Test
	void scriptsDoNotRunUnlessTheyAreAllowed() {
		assumeProgram("npm");
		manifest("script-npm");
		assertThat(done(install(this.installs)).scriptsSkipped()).isTrue();
		assertThat(files().exists("node_modules/script-npm/snoop.sh")).isTrue();
		assertThat(files().exists("snooped")).isFalse();
		assertThat(files().exists("own-script")).isFalse();
	}

	@Test
	void scriptsThatAreAllowedSeeNoSecretAndReachNoOtherHost() {
		assumeProgram("npm");
		manifest("script-npm");
		this.installs.close();
		this.installs = installs(true);
		assertThat(done(install(this.installs)).scriptsSkipped()).isFalse();
		assertThat(files().exists("own-script")).isTrue();
		assertThat(files().readText("snooped")).contains("PATH=")
			.contains("Sandbox network denied")
			.contains("origin_not_listed")
			.doesNotContain("registry-secret");
	}

	@Test
	void anotherRegistryThatTheWorkspaceNamesIsRefused() {
		assumeProgram("npm");
		files().writeText("package.json", "{\"dependencies\":{\"@evil/x\":\"1.0.0\"}}");
		files().writeText(".npmrc", "@evil:registry=http://evil.example/\nfetch-retries=0\n");
		assertThat(install(this.installs)).isInstanceOfSatisfying(InstallState.Failed.class, (failed) -> {
			assertThat(failed.exitCode()).isNotNull();
			assertThat(failed.tail()).contains("403");
		});
		assertThat(requests()).extracting(GatewayRequest::reason).contains("origin_not_listed").doesNotContain("ok");
	}

	@Test
	void nothingCanBePublished() {
		String out = run("curl -sS -X PUT --data x " + this.registry.url() + "/tiny-npm").stdoutText();
		assertThat(out).contains("method_not_allowed");
	}

	@Test
	void pipInstallsFromTheIndex() {
		assumeThat(run("python3 -c 'import venv, ensurepip'").succeeded()).as("venv is installed").isTrue();
		files().writeText("requirements.txt", "tinypkg==1.0\n");
		assertThat(done(install(this.installs)).command()).contains("--only-binary :all:");
		assertThat(run(".venv/bin/python -c 'import tinypkg; print(tinypkg.ANSWER)'").stdoutText().strip())
			.isEqualTo("42");
		assertThat(this.registry.refused()).isEmpty();
	}

}
