package io.sandbox4j.bubblewrap;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;

import io.sandbox4j.NetworkPolicy;
import io.sandbox4j.SandboxException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class BwrapArgumentsTests {

	@TempDir
	Path directory;

	@Test
	void everyNamespaceIsUnsharedAndNoneSharedUnderDenyAll() {
		assertThat(words(NetworkPolicy.denyAll()))
			.contains("--unshare-all", "--unshare-user", "--disable-userns", "--assert-userns-disabled",
					"--new-session", "--die-with-parent", "--clearenv")
			.doesNotContain("--share-net");
	}

	@Test
	void allCapabilitiesAreDropped() {
		assertThat(words(NetworkPolicy.denyAll())).containsSequence("--cap-drop", "ALL");
	}

	@Test
	void theHostsNetworkIsSharedUnderAllowAllOnly() {
		assertThat(words(NetworkPolicy.allowAll())).contains("--share-net");
		assertThat(words(NetworkPolicy.allow())).doesNotContain("--share-net");
	}

	@Test
	void theWorkspaceIsTheOneWritableMountAndTheLast() {
		List<String> words = words(NetworkPolicy.denyAll());
		assertThat(words).containsSequence("--ro-bind", "/gw", "/run/sandbox", "--bind", "/ws", "/workspace",
				"--remount-ro", "/");
		assertThat(words.stream().filter("--bind"::equals)).hasSize(1);
		int bind = words.indexOf("--bind");
		assertThat(words.subList(bind + 3, words.size())).doesNotContain("--ro-bind", "--tmpfs", "--dir", "--symlink");
	}

	@Test
	void kernelViewsAreReadOnlyAndScratchIsSized() {
		assertThat(words(NetworkPolicy.denyAll())).containsSequence("--proc", "/proc", "--remount-ro", "/proc")
			.containsSequence("--tmpfs", "/dev/shm", "--remount-ro", "/dev")
			.containsSequence("--size", "268435456", "--tmpfs", "/tmp");
	}

	@Test
	void linksDirectoriesAndGapsOfTheRootAreTakenAsTheyAre() throws Exception {
		Files.createDirectories(this.directory.resolve("usr/bin"));
		Files.createDirectory(this.directory.resolve("lib"));
		Files.createSymbolicLink(this.directory.resolve("bin"), Path.of("usr/bin"));
		List<String> words = words(this.directory, List.of());
		assertThat(words).containsSequence("--symlink", "usr/bin", "/bin")
			.containsSequence("--ro-bind", this.directory + "/lib", "/lib")
			.doesNotContain("/lib64", "/sbin");
	}

	@Test
	void moreMountsThanBubblewrapTakesAreRefusedWithTheProperty() {
		List<ReadOnlyMount> mounts = IntStream.range(0, 3000)
			.mapToObj((i) -> new ReadOnlyMount(Path.of("/usr"), "/opt/" + i))
			.toList();
		assertThatExceptionOfType(SandboxException.class).isThrownBy(() -> words(Path.of("/"), mounts))
			.withMessageContaining("'sandbox.mounts' has too many entries");
	}

	@ParameterizedTest
	@ValueSource(strings = { "opt/x", "/opt/../etc/x", "/opt/x/", "//opt", "/", "/workspace/x", "/tmp/x", "/proc",
			"/usr/x", "/etc/x", "/dev/shm/x", "/run/x", "/run/sandbox" })
	void aMountTargetThatTheSandboxMakesItselfOrThatIsNotPlainIsRefused(String target) {
		assertThatExceptionOfType(SandboxException.class).isThrownBy(() -> ReadOnlyMount.of(Path.of("/usr"), target))
			.withMessageContaining("sandbox.mounts");
	}

	@Test
	void aMountSourceThatDoesNotExistIsRefused() {
		assertThatExceptionOfType(SandboxException.class)
			.isThrownBy(() -> ReadOnlyMount.of(Path.of("/nonexistent"), "/opt/x"))
			.withMessageContaining("/nonexistent");
	}

	private static List<String> words(NetworkPolicy network) {
		return split(BwrapArguments.build(mounts(Path.of("/"), List.of()), ResourceLimits.defaults(), network));
	}

	private static List<String> words(Path root, List<ReadOnlyMount> mounts) {
		return split(BwrapArguments.build(mounts(root, mounts), ResourceLimits.defaults(), NetworkPolicy.denyAll()));
	}

	private static GuestMounts mounts(Path root, List<ReadOnlyMount> extra) {
		return new GuestMounts(root, Path.of("/etc"), Path.of("/gw"), Path.of("/ws"), extra);
	}

	private static List<String> split(byte[] bytes) {
		return List.of(new String(bytes, StandardCharsets.UTF_8).split("\0"));
	}

}
