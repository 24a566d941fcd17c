package io.sandbox4j.bubblewrap;

import java.nio.charset.StandardCharsets;
import java.util.Map;

import io.sandbox4j.git.SyncConflict;
import io.sandbox4j.git.SyncResult;
import io.sandbox4j.git.WorkspaceTransport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Host and sandbox change at the same time.
 */
class TransportMergeTests {

	@RegisterExtension
	final TransportExtension transport = new TransportExtension();

	private WorkspaceTransport changed(String host, String sandbox) {
		WorkspaceTransport seeded = this.transport.seeded();
		this.transport.host().sh(host);
		this.transport.guest(sandbox);
		return seeded;
	}

	@Test
	void changesOfDifferentLinesMergeOnBothSides() throws Exception {
		WorkspaceTransport seeded = changed("sed -i s/two/TWO/ a.txt; echo h >h",
				"sed -i s/eight/EIGHT/ a.txt; echo s >s");
		assertThat(seeded.extract().conflicts()).isEmpty();
		assertThat(this.transport.host().read("a.txt")).contains("TWO", "EIGHT");
		assertThat(this.transport.inside()).isEqualTo(this.transport.host().files());
	}

	@ParameterizedTest
	@ValueSource(strings = { "sed -i s/five/H/ a.txt|sed -i s/five/S/ a.txt", "rm a.txt|echo more >>a.txt",
			"echo more >>a.txt|rm a.txt", "echo h >a.new|echo s >a.new",
			"rm a.txt; mkdir a.txt; echo 1 >a.txt/b|echo more >>a.txt", "printf 'h\\0' >a.bin|printf 's\\0' >a.bin" })
	void aConflictNamesTheFileAndChangesNeitherSide(String scripts) throws Exception {
		WorkspaceTransport seeded = changed(scripts.split("\\|")[0], scripts.split("\\|")[1] + "; echo other >other");
		Map<String, String> host = this.transport.host().files();
		Map<String, String> inside = this.transport.inside();
		SyncResult result = seeded.extract();
		assertThat(result.conflicts()).isNotEmpty()
			.allSatisfy((conflict) -> assertThat(conflict.path()).startsWith("a."));
		assertThat(result.changes()).isEmpty();
		assertThat(this.transport.host().files()).isEqualTo(host);
		assertThat(this.transport.inside()).isEqualTo(inside);
		assertThat(seeded.reconcile().conflicts()).isEqualTo(result.conflicts());
	}

	@Test
	void bothVersionsOfAConflictCanBeReadAndAChoiceEndsIt() throws Exception {
		WorkspaceTransport seeded = changed("sed -i s/five/H/ a.txt", "sed -i s/five/S/ a.txt");
		SyncConflict conflict = seeded.extract().conflicts().get(0);
		assertThat(text(seeded, conflict.base())).contains("five");
		assertThat(text(seeded, conflict.host())).contains("H").isEqualTo(this.transport.host().read("a.txt"));
		this.transport.host().write("a.txt", seeded.content(conflict.sandbox()));
		assertThat(seeded.extract().conflicts()).isEmpty();
		assertThat(this.transport.inside()).isEqualTo(this.transport.host().files());
	}

	private static String text(WorkspaceTransport transport, String blob) {
		return new String(transport.content(blob), StandardCharsets.UTF_8);
	}

	@Test
	void aHostThatMovedKeepsItsStateWhenTheSandboxDidNothing() throws Exception {
		WorkspaceTransport seeded = changed(
				"git switch -qc other; echo b >b; git add b; git commit -qm b; echo dirty >>a.txt", "true");
		Map<String, String> host = this.transport.host().files();
		assertThat(seeded.extract().changes()).isEmpty();
		assertThat(this.transport.host().files()).isEqualTo(host);
		assertThat(this.transport.inside()).isEqualTo(host);
	}

	@Test
	void whatTheSandboxChangedOutlivesAReconcile() throws Exception {
		WorkspaceTransport seeded = changed("echo h >h", "echo s >s");
		seeded.reconcile();
		assertThat(this.transport.guest("cat h s")).isEqualTo("h\ns");
		assertThat(seeded.extract().changes()).hasSize(1);
		assertThat(this.transport.inside()).isEqualTo(this.transport.host().files());
	}

	@Test
	void theSameChangeOnBothSidesIsNoConflict() throws Exception {
		WorkspaceTransport seeded = changed("echo same >>a.txt; rm src/Main.java",
				"echo same >>a.txt; rm src/Main.java");
		assertThat(seeded.extract().conflicts()).isEmpty();
		assertThat(this.transport.inside()).isEqualTo(this.transport.host().files());
	}

	@Test
	void noMergeDriverOfATreeRuns() throws Exception {
		this.transport.host().write(".gitattributes", "* merge=union\n").commit("union");
		WorkspaceTransport seeded = changed("sed -i s/five/H/ a.txt", "sed -i s/five/S/ a.txt");
		assertThat(seeded.extract().conflicts()).hasSize(1);
	}

}
