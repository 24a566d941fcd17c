package io.sandbox4j.tools;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.TimeUnit;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.SandboxException;
import io.sandbox4j.SandboxUnavailableException;
import io.sandbox4j.SandboxUnavailableException.Cause;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Nobody else reads or replaces what is kept, and a disk that is full leaves no parts.
 */
class ArtifactDirectoryTests {

	private static final String SESSION = "session-1";

	@TempDir
	Path temporary;

	private Path directory;

	@BeforeEach
	void nameDirectory() {
		this.directory = this.temporary.resolve("outputs");
	}

	@Test
	void whatIsMadeIsForThisUserOnlyWhateverTheUmask() throws Exception {
		Path nested = this.directory.resolve("nested");
		String reference = child("umask 000", nested, 10);
		assertThat(modeOf(this.directory)).isEqualTo("rwx------");
		assertThat(modeOf(nested)).isEqualTo("rwx------");
		assertThat(modeOf(nested.resolve(SESSION))).isEqualTo("rwx------");
		assertThat(modeOf(nested.resolve(SESSION).resolve(reference))).isEqualTo("rw-------");
	}

	@Test
	void aDirectoryThatIsThereKeepsItsMode() throws Exception {
		makeDirectory("rwxr-xr-x");
		String reference = open().put(SESSION, new byte[1]);
		assertThat(modeOf(this.directory)).isEqualTo("rwxr-xr-x");
		assertThat(modeOf(this.directory.resolve(SESSION))).isEqualTo("rwx------");
		assertThat(modeOf(this.directory.resolve(SESSION).resolve(reference))).isEqualTo("rw-------");
	}

	@ParameterizedTest
	@ValueSource(strings = { "rwxrwx---", "rwx-w----", "rwx----w-", "rwxrwxrwx" })
	void oneThatOthersCanWriteIsRefused(String mode) throws Exception {
		makeDirectory(mode);
		assertUnusable(this.directory, "can be written by others", "chmod go-w");
	}

	@ParameterizedTest
	@ValueSource(strings = { "r-x------", "-wx------", "rw-------", "---------" })
	void oneThatItsOwnerCannotUseIsRefused(String mode) throws Exception {
		makeDirectory(mode);
		try {
			assertUnusable(this.directory, "cannot be read and written", "chmod u+rwx");
		}
		finally {
			mode(this.directory, "rwx------");
		}
	}

	@Test
	void oneOfAnotherUserIsRefused() throws Exception {
		makeDirectory("rwx------");
		boolean root = Files.getAttribute(this.directory, "unix:uid").equals(0);
		if (root) {
			Files.setAttribute(this.directory, "unix:uid", 65532);
		}
		assertUnusable(root ? this.directory : Path.of("/usr"), "belongs to user", "own user");
	}

	@Test
	void aLinkIsRefused() throws Exception {
		makeDirectory("rwx------");
		Path link = Files.createSymbolicLink(this.temporary.resolve("link"), this.directory);
		assertUnusable(link, "is a symbolic link", "leads to");
		assertUnusable(link.resolve("."), "is a symbolic link", "leads to");
		assertThat(this.directory).isEmptyDirectory();
	}

	@Test
	void aLinkToNothingIsRefusedAndNothingIsMade() throws Exception {
		Path link = Files.createSymbolicLink(this.temporary.resolve("link"), this.directory);
		assertUnusable(link, "is a symbolic link", "leads to");
		assertThat(this.directory).doesNotExist();
	}

	@Test
	void aFileIsRefused() throws Exception {
		Files.createFile(this.directory);
		assertUnusable(this.directory, "is no directory", "another path");
		assertUnusable(this.directory.resolve("below"), "cannot be made or opened", "can make and write");
	}

	@Test
	void aSessionThatIsALinkIsNotFollowed() throws Exception {
		FileArtifactStore store = open();
		Path target = Files.createDirectory(this.temporary.resolve("target"));
		Path file = Files.writeString(target.resolve("0".repeat(32)), "secret");
		Path link = Files.createSymbolicLink(this.directory.resolve(SESSION), target);
		assertCode(ErrorCode.SANDBOX_NOT_FOUND, () -> store.read(SESSION, "0".repeat(32), 0, 10));
		assertCode(ErrorCode.SANDBOX_UNAVAILABLE, () -> store.put(SESSION, new byte[1]));
		store.removeSession(SESSION);
		open();
		assertThat(link).isSymbolicLink();
		assertThat(target).isDirectoryContaining((path) -> path.equals(file));
	}

	@Test
	void anOutputThatIsALinkIsNotRead() throws Exception {
		FileArtifactStore store = open();
		store.put(SESSION, new byte[1]);
		Path secret = Files.writeString(this.temporary.resolve("secret"), "secret");
		Files.createSymbolicLink(this.directory.resolve(SESSION).resolve("0".repeat(32)), secret);
		assertCode(ErrorCode.SANDBOX_NOT_FOUND, () -> store.read(SESSION, "0".repeat(32), 0, 10));
		assertCode(ErrorCode.SANDBOX_NOT_FOUND, () -> store.open(SESSION, "0".repeat(32)));
		store.removeSession(SESSION);
		assertThat(secret).hasContent("secret");
	}

	@Test
	void anOutputThatFindsNoSpaceIsRefusedAndNoPartOfItStays() throws Exception {
		assertThat(child("ulimit -f 64", this.directory, 1 << 20)).isEqualTo("SANDBOX_LIMIT");
		assertThat(this.directory.resolve(SESSION)).isEmptyDirectory();
		assertThat(child("ulimit -f 64", this.directory, 10)).hasSize(32);
	}

	@Test
	void theKernelsWordForAFullDiskIsKnown() {
		assertThatExceptionOfType(IOException.class).isThrownBy(() -> Files.write(Path.of("/dev/full"), new byte[1]))
			.satisfies((ex) -> assertThat(FileArtifactStore.isFull(ex)).isTrue());
		assertThatExceptionOfType(IOException.class)
			.isThrownBy(() -> Files.createFile(this.temporary.resolve("absent/file")))
			.satisfies((ex) -> assertThat(FileArtifactStore.isFull(ex)).isFalse());
	}

	private FileArtifactStore open() {
		return FileArtifactStore.builder(this.directory).build();
	}

	private static String child(String before, Path directory, int bytes) throws Exception {
		String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
		// A limit on files is also one on those of the JVM.
		Process process = new ProcessBuilder("sh", "-c", before + "; exec \"$@\"", "sh", java, "-XX:-UsePerfData",
				"-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", System.getProperty("java.class.path"),
				ArtifactChild.class.getName(), directory.toString(), SESSION, String.valueOf(bytes))
			.redirectError(ProcessBuilder.Redirect.DISCARD)
			.start();
		String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
		return output.substring(output.lastIndexOf(ArtifactChild.RESULT) + ArtifactChild.RESULT.length()).strip();
	}

	private static void assertUnusable(Path directory, String what, String remedy) {
		assertThatExceptionOfType(SandboxUnavailableException.class)
			.isThrownBy(() -> FileArtifactStore.builder(directory).build())
			.withMessageContaining(directory.normalize().toString())
			.withMessageContaining(what)
			.withMessageContaining(remedy)
			.satisfies((ex) -> assertThat(ex.code()).isEqualTo(ErrorCode.SANDBOX_UNAVAILABLE))
			.satisfies((ex) -> assertThat(ex.unavailable()).isEqualTo(Cause.DIRECTORY_UNUSABLE));
	}

	private static void assertCode(ErrorCode code, ThrowingCallable call) {
		assertThatExceptionOfType(SandboxException.class).isThrownBy(call)
			.satisfies((ex) -> assertThat(ex.code()).isEqualTo(code));
	}

	private void makeDirectory(String mode) throws Exception {
		Files.createDirectory(this.directory);
		mode(this.directory, mode);
	}

	private static void mode(Path path, String mode) throws Exception {
		Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(mode));
	}

	private static String modeOf(Path path) throws Exception {
		return PosixFilePermissions.toString(Files.getPosixFilePermissions(path, LinkOption.NOFOLLOW_LINKS));
	}

}
