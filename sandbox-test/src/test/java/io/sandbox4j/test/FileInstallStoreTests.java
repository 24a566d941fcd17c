package io.sandbox4j.test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.SandboxException;
import io.sandbox4j.install.InstallKey;
import io.sandbox4j.install.InstallStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class FileInstallStoreTests extends InstallStoreContract {

	private static final InstallKey KEY = new InstallKey("session", ".");

	@TempDir
	Path directory;

	@Override
	protected InstallStore openStore() {
		return InstallStore.directory(this.directory.resolve("made/installs"));
	}

	private List<Path> files() throws IOException {
		try (Stream<Path> all = Files.walk(this.directory.resolve("made"))) {
			return all.filter(Files::isRegularFile).sorted().toList();
		}
	}

	@Test
	void filesAndDirectoriesAreOfThisUserAlone() throws IOException {
		openStore().replace(KEY, 0, "secret");
		try (Stream<Path> all = Files.walk(this.directory.resolve("made"))) {
			for (Path path : all.toList()) {
				assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path)))
					.isEqualTo(Files.isDirectory(path) ? "rwx------" : "rw-------");
			}
		}
	}

	@Test
	void whatIsSupersededKeepsNoContentAndNothingElseIsLeft() throws IOException {
		InstallStore store = openStore();
		store.replace(KEY, 0, "one");
		store.replace(KEY, 1, "two");
		assertThat(files()).extracting((file) -> file.getFileName().toString()).containsExactly("1.json", "2.json");
		assertThat(files().get(0)).isEmptyFile();
	}

	@Test
	void aDirectoryThatOthersCanWriteIsRefused() throws IOException {
		Path open = Files.createDirectory(this.directory.resolve("open"));
		Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwxrwx"));
		assertThatExceptionOfType(SandboxException.class).isThrownBy(() -> InstallStore.directory(open))
			.satisfies((ex) -> assertThat(ex.code()).isEqualTo(ErrorCode.SANDBOX_UNAVAILABLE));
	}

	@Test
	void aDamagedEntryIsAnErrorAndNotAnAbsentOne() throws IOException {
		InstallStore store = openStore();
		for (String damage : List.of("", "{", "null",
				"{\"sessionId\":\"other\",\"directory\":\".\",\"document\":\"x\"}")) {
			store.removeSession("session");
			store.replace(KEY, 0, "one");
			Files.writeString(files().get(0), damage);
			assertThatExceptionOfType(SandboxException.class).isThrownBy(() -> store.load(KEY))
				.satisfies((ex) -> assertThat(ex.code()).isEqualTo(ErrorCode.SANDBOX_UNAVAILABLE))
				.satisfies((ex) -> assertThat(ex.getMessage()).doesNotContain(this.directory.toString()));
		}
	}

}
