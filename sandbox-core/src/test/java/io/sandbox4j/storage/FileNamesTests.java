package io.sandbox4j.storage;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class FileNamesTests {

	@ParameterizedTest
	@ValueSource(strings = { "plain.txt", "h\u00e9\u2713", "a b'c\"d$(id)\n.txt", "%2e%2e", "-rf", "a\\b", " ",
			"\uFFFD", "\uD83D\uDE00", "a\u0308", "?", "#" })
	void namesGoToPathsAndBack(String name) {
		Path path = FileNames.toPath(name);

		assertThat(FileNames.toText(path)).isEqualTo(name);
		assertThat(FileNames.bytes(path)).isEqualTo(name.getBytes(StandardCharsets.UTF_8));
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "a/b", "/", "a\0b" })
	void whatIsNoSingleNameIsRefused(String name) {
		assertThatIllegalArgumentException().isThrownBy(() -> FileNames.toPath(name));
	}

	@Test
	void textIsThatOfTheLastName() {
		assertThat(FileNames.toText(Path.of("/a/b"))).isEqualTo("b");
	}

	@Test
	void aPathWithoutNamesHasNoText() {
		assertThat(FileNames.toText(Path.of("/"))).isNull();
	}

	@Test
	void bytesThatAreNotUtf8HaveNoText() {
		assertThat(FileNames.toText(Path.of(URI.create("file:///x/na%EFve")))).isNull();
	}

	@Test
	void bytesAreThoseOfTheWholePath() {
		assertThat(FileNames.bytes(Path.of(URI.create("file:///x/na%EFve/%25")))).asString(StandardCharsets.ISO_8859_1)
			.isEqualTo("/x/na\u00efve/%");
		assertThat(FileNames.bytes(Path.of("a/b"))).asString(StandardCharsets.UTF_8).isEqualTo("a/b");
		assertThat(FileNames.bytes(Path.of("/"))).asString(StandardCharsets.UTF_8).isEqualTo("/");
		assertThat(FileNames.bytes(Path.of(""))).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "/", "/a/b", "a/b", "/h\u00e9/\u2713", "h\u00e9/\u2713" })
	void wholePathsGoToTextAndBack(String text) {
		Path path = FileNames.pathOf(text);

		assertThat(FileNames.textOf(path)).isEqualTo(text);
		assertThat(FileNames.bytes(path)).isEqualTo(text.getBytes(StandardCharsets.UTF_8));
	}

	@Test
	void aPathWithBytesThatAreNotUtf8HasNoText() {
		assertThat(FileNames.textOf(Path.of(URI.create("file:///na%EFve/x")))).isNull();
	}

}
