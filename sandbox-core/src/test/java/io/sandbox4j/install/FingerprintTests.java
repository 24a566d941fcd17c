package io.sandbox4j.install;

import java.util.List;

import io.sandbox4j.WorkspacePath;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

@Tag("isolation")
class FingerprintTests {

	@RegisterExtension
	static final InstallExtension sandbox = new InstallExtension();

	private static @Nullable String fingerprint(String command, String... names) {
		return Fingerprint.of(sandbox.files(), WorkspacePath.parse("."), command, List.of(names));
	}

	@Test
	void theSameIsTheSame() {
		sandbox.files().writeText("a", "content");
		assertThat(fingerprint("c", "a")).matches("[0-9a-f]{64}").isEqualTo(fingerprint("c", "a", "absent"));
	}

	@Test
	void commandNameAndContentAllCount() {
		sandbox.files().writeText("a", "content");
		sandbox.files().writeText("b", "content");
		String known = fingerprint("c", "a");
		assertThat(fingerprint("d", "a")).isNotEqualTo(known);
		assertThat(fingerprint("c", "b")).isNotEqualTo(known);
		assertThat(fingerprint("c", "a", "b")).isNotEqualTo(known);
		sandbox.files().writeText("a", "contenT");
		assertThat(fingerprint("c", "a")).isNotEqualTo(known);
	}

	@Test
	void anEmptyFileIsNotAnAbsentOne() {
		sandbox.files().writeText("a", "x");
		String without = fingerprint("c", "a", "b");
		sandbox.files().writeText("b", "");
		assertThat(fingerprint("c", "a", "b")).isNotNull().isNotEqualTo(without);
	}

	@Test
	void partsNeverRunIntoEachOther() {
		sandbox.files().writeText("a", "b");
		String known = fingerprint("c", "a");
		sandbox.files().writeText("a", "");
		assertThat(fingerprint("cab", "a")).isNotEqualTo(known);
	}

	@Test
	void nothingFoundIsNoFingerprint() {
		assertThat(fingerprint("c", "a", "b")).isNull();
	}

	@Test
	void aFileBeyondTheReadLimitCounts() {
		sandbox.out("head -c 3000000 /dev/zero >large");
		String known = fingerprint("c", "large");
		sandbox.out("printf x | dd of=large bs=1 seek=2999999 conv=notrunc 2>/dev/null");
		assertThat(fingerprint("c", "large")).isNotNull().isNotEqualTo(known);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			value = { "requirements.txt|-r base.txt", "requirements.txt|-c constraints.txt",
					"requirements.txt|--requirement=base.txt", "requirements.txt|-e .", "requirements.txt|./local",
					"requirements.txt|tiny @ file:///workspace/tiny", "pom.xml|<modules><module>web</module></modules>",
					"pom.xml|<relativePath>../pom.xml</relativePath>", "settings.gradle|include 'web'",
					"build.gradle.kts|apply(from = \"other.gradle.kts\")" })
	void aFileThatNamesFurtherFilesHasNoFingerprint(String name, String content) {
		sandbox.files().writeText(name, "\n" + content + "\n");
		assertThat(fingerprint("c", name)).isNull();
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', value = { "requirements.txt|tiny-r==1.0 --hash=sha256:ab",
			"pom.xml|<parent><relativePath/></parent>", "build.gradle|dependencies { implementation 'a:b:1' }" })
	void aFileThatStandsAloneHasOne(String name, String content) {
		sandbox.files().writeText(name, content);
		String known = fingerprint("c", name);
		sandbox.files().writeText(name, content + " ");
		assertThat(fingerprint("c", name)).isNotNull().isNotEqualTo(known);
	}

	@Test
	void whatCannotBeReadToItsEndHasNoFingerprint() {
		sandbox.files().writeText("a", "x");
		sandbox.out("ln -s a link; mkfifo pipe; mkdir directory; truncate -s " + (Fingerprint.MAX_FILE + 1) + " huge");
		for (String name : List.of("link", "pipe", "directory", "huge")) {
			assertThat(fingerprint("c", "a", name)).as(name).isNull();
		}
		assertThat(fingerprint("c", "a")).isNotNull();
	}

}
