package io.sandbox4j.storage;

import java.io.IOException;
import java.nio.file.Path;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(60)
class WorkspaceFilesNamesTests {

	@TempDir(factory = InMemory.class)
	Path directory;

	private Workspace workspace;

	@BeforeEach
	void makeWorkspace() {
		this.workspace = Workspace.in(this.directory);
	}

	@ParameterizedTest
	@ValueSource(strings = { "a b'c\"d$(id)\n.txt", "%2e%2e", "$(id)", "-rf", " ", "[post].tsx", "*", "na\u00efve.txt",
			"h\u00e9\u2713", "\uD83D\uDE00", "a\u0308", "file:", "...", ".sandbox4j", "\u202etxt", "\uFFFD" })
	void anyNameIsTakenLiterally(String name) throws IOException {
		this.workspace.write(name, "one");
		this.workspace.write("d/" + name + "/" + name, "two");

		assertThat(this.workspace.read(name)).isEqualTo("one");
		assertThat(this.workspace.names("d")).containsExactly(name);
		assertThat(this.workspace.stat("d/" + name + "/" + name).size()).isEqualTo(3);
		assertThat(this.workspace.entry(name)).hasContent("one");
		this.workspace.move(name, "d/moved");
		assertThat(this.workspace.remove("d/" + name)).isTrue();
		assertThat(this.workspace.names("d")).containsExactly("moved");
	}

	@Test
	void aNameMayHave255Bytes() {
		String name = "\u00e9".repeat(127) + "x";

		this.workspace.write(name, "x");

		assertThat(this.workspace.names(".")).containsExactly(name);
	}

	@Test
	void namesThatDifferInCaseOrFormAreTwo() {
		this.workspace.write("A", "1");
		this.workspace.write("a", "2");
		this.workspace.write("\u00e4", "3");
		this.workspace.write("a\u0308", "4");

		assertThat(this.workspace.names(".")).hasSize(4);
		assertThat(this.workspace.read("\u00e4")).isEqualTo("3");
	}

	@Test
	void aPathOfFourThousandBytesIsReached() {
		String path = "d/".repeat(2_040) + "f";

		this.workspace.write(path, "x");

		assertThat(this.workspace.read(path)).isEqualTo("x");
		assertThat(this.workspace.remove("d")).isTrue();
	}

}
