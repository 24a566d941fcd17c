package io.sandbox4j.bubblewrap;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

import io.sandbox4j.ExecSpec;
import io.sandbox4j.SandboxEvent.GatewayRequest;
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
 * A real Maven in a sandbox, which gets its plugin and an artifact from a mirror over TLS
 * that wants a credential. The plugin is the one of our own build, so the mirror serves
 * the repository of whoever builds.
 */
class MavenInstallTests {

	private static final String PLUGIN_VERSION = "3.9.0";

	private static final Path LOCAL = Path
		.of(System.getProperty("localRepository", System.getProperty("user.home") + "/.m2/repository"));

	private static final String PLUGINS = "org/apache/maven/plugins/";

	// What Maven binds to every project; that they are empty is enough to fetch them.
	private static final List<String> OTHER_PLUGINS = List.of("maven-antrun-plugin", "maven-assembly-plugin",
			"maven-clean-plugin", "maven-deploy-plugin", "maven-install-plugin", "maven-release-plugin",
			"maven-site-plugin");

	@RegisterExtension
	final BackendExtension sandboxes = new BackendExtension();

	private PackageRegistry registry;

	private SandboxGateway gateway;

	private BubblewrapBackend backend;

	private SandboxHandle sandbox;

	private Path made;

	@BeforeEach
	void open() throws Exception {
		assumeThat(LOCAL.resolve(PLUGINS + "maven-dependency-plugin/" + PLUGIN_VERSION)).as("our build's plugin")
			.isDirectory()
			.isReadable();
		assumeThat(Path.of("/usr/share/maven")).as("Maven is installed").isDirectory();
		this.made = this.sandboxes.root().resolve("made");
		this.registry = new PackageRegistry(this.sandboxes.root().resolve("registry"));
		this.registry.withFiles("/maven2/", LOCAL);
		artifact("test", "tiny", "1.0", "jar");
		for (String plugin : OTHER_PLUGINS) {
			artifact("org.apache.maven.plugins", plugin, "0", "maven-plugin");
		}
		this.gateway = LocalGateway.builder().build();
		this.backend = this.sandboxes.backend((builder) -> builder.gateway(this.gateway).mount(maven(), "/opt/maven"));
		InstallRegistries registries = InstallRegistries.builder()
			.registry(Ecosystem.MAVEN, this.registry.origin() + "/maven2",
					(rule) -> rule.header("Authorization", PackageRegistry.CREDENTIAL)
						.allowPrivate(true)
						.environment("PATH", "/opt/maven/bin:/usr/local/bin:/usr/bin:/bin"))
			.build();
		this.sandbox = this.sandboxes.sandbox(this.backend, registries.policy());
	}

	@AfterEach
	void close() {
		if (this.backend != null) {
			this.backend.close();
			this.gateway.close();
			this.registry.close();
		}
	}

	// Debian keeps a part of it in /etc, which sandboxes do not see.
	private Path maven() {
		Path copy = this.sandboxes.root().resolve("maven");
		try {
			Process copying = new ProcessBuilder("cp", "-rL", "/usr/share/maven", copy.toString())
				.redirectErrorStream(true)
				.start();
			copying.getInputStream().readAllBytes();
			assertThat(copying.waitFor()).isZero();
			return copy;
		}
		catch (IOException | InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private void artifact(String group, String name, String version, String packaging) throws IOException {
		String path = group.replace('.', '/') + "/" + name + "/";
		Path directory = Files.createDirectories(this.made.resolve(path + version));
		Files.writeString(directory.resolve(name + "-" + version + ".pom"),
				"<project><modelVersion>4.0.0</modelVersion><groupId>" + group + "</groupId><artifactId>" + name
						+ "</artifactId><version>" + version + "</version><packaging>" + packaging
						+ "</packaging></project>");
		try (OutputStream jar = Files.newOutputStream(directory.resolve(name + "-" + version + ".jar"));
				ZipOutputStream zip = new ZipOutputStream(jar)) {
			zip.putNextEntry(new ZipEntry("answer.txt"));
			zip.write("42".getBytes());
		}
		this.registry.withFiles("/maven2/" + path, this.made.resolve(path));
	}

	private void project() {
		StringBuilder pins = new StringBuilder();
		OTHER_PLUGINS.forEach((plugin) -> pins.append(plugin(plugin, "0")));
		pins.append(plugin("maven-dependency-plugin", PLUGIN_VERSION));
		this.sandbox.session()
			.files()
			.writeText("pom.xml",
					"<project><modelVersion>4.0.0</modelVersion><groupId>g</groupId>"
							+ "<artifactId>a</artifactId><version>1</version><packaging>pom</packaging><dependencies>"
							+ "<dependency><groupId>test</groupId><artifactId>tiny</artifactId><version>1.0</version>"
							+ "</dependency></dependencies><build><pluginManagement><plugins>" + pins
							+ "</plugins></pluginManagement></build></project>");
	}

	private static String plugin(String name, String version) {
		return "<plugin><artifactId>" + name + "</artifactId><version>" + version + "</version></plugin>";
	}

	private InstallState install(Installs installs) {
		installs.start(".");
		Awaitility.await()
			.atMost(Duration.ofSeconds(120))
			.until(() -> !(installs.state(".") instanceof InstallState.Running));
		return installs.state(".");
	}

	@Test
	void mavenInstallsFromTheMirrorAndIsSkippedTheNextTime() {
		project();
		InstallPlan plan = InstallPlan.builder().scripts(true).build();
		try (Installs installs = Installs.builder(this.sandbox.session(), InstallStore.inMemory()).plan(plan).build()) {
			InstallState state = install(installs);
			assertThat(state).as(state.toString()).isInstanceOf(InstallState.Done.class);
			assertThat(this.registry.refused()).isEmpty();
			assertThat(this.sandboxes.events()).filteredOn(GatewayRequest.class::isInstance)
				.isNotEmpty()
				.allMatch((request) -> ((GatewayRequest) request).method().equals("GET"));
			assertThat(this.sandbox.session().files().exists(".m2/repository/test/tiny/1.0/tiny-1.0.jar")).isTrue();
			// Whoever builds offline next takes only what came from a repository of its
			// own.
			assertThat(this.sandbox.session().files().readText(".m2/repository/test/tiny/1.0/_remote.repositories"))
				.contains("tiny-1.0.jar>central=");
			assertThat(
					this.sandbox.session().run(ExecSpec.shell("git init -q . && git status --porcelain")).stdoutText())
				.isEqualTo("?? README\n?? pom.xml\n");
			assertThat(((InstallState.Done) installs.start(".")).took()).isZero();
		}
	}

}
