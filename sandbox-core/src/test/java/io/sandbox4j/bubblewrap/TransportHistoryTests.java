package io.sandbox4j.bubblewrap;

import java.util.List;
import java.util.Map;
import java.util.Random;

import io.sandbox4j.git.SyncResult;
import io.sandbox4j.git.WorkspaceTransport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Random changes of both sides: after each sync the trees are equal, or a conflict is
 * reported and both sides are as they were. {@code sandbox.test.histories} sets how many
 * rounds there are.
 */
class TransportHistoryTests {

	private static final int ROUNDS = Integer.getInteger("sandbox.test.histories", 8);

	private static final List<String> NAMES = List.of("a.txt", "src/Main.java", "d/e/f", "d", "bin", "'ä b'", "./-rf",
			"l", ".gitattributes", "x/y");

	private static final List<String> ANYWHERE = List.of("echo %2$s >>%1$s", "rm -rf %1$s", "chmod 755 %1$s",
			"test -d %1$s || chmod 644 %1$s", "printf 'a\\r\\nb\\0%2$s\\r\\n' >%1$s", "rm -rf %1$s; ln -s a.txt %1$s",
			"rm -rf %1$s; mkdir -p %1$s; echo %2$s >%1$s/in", "printf '* text eol=crlf ident filter=x\\n' >%1$s",
			"git add -A; git -c user.name=A -c user.email=a@b commit -qm r%2$s", "git stash -q; git stash pop -q",
			"git switch -qC b%2$s");

	private static final List<String> HOSTILE = List.of("git config core.fsmonitor 'echo pwned >pwned'",
			"git config core.autocrlf true", "git config filter.x.clean 'tr a-z A-Z'", "rm -f .git/index",
			"git update-index --assume-unchanged a.txt", "git reset -q --hard HEAD~1", "rm -rf .git");

	@RegisterExtension
	final TransportExtension transport = new TransportExtension();

	private final Random random = new Random(5);

	@Test
	void anyHistoryEndsInEqualTreesOrInAConflictThatChangesNothing() throws Exception {
		WorkspaceTransport seeded = this.transport.seeded();
		int conflicts = 0;
		for (int round = 0; round < ROUNDS; round++) {
			boolean extract = this.random.nextBoolean();
			this.transport.host().sh(script(ANYWHERE, round));
			this.transport.guest(
					script(ANYWHERE, round) + "\n" + ((this.random.nextInt(3) == 0) ? script(HOSTILE, round) : "true"));
			if (conflictOf(seeded, extract, "round " + round)) {
				conflicts++;
				takeTheSandboxs(seeded);
			}
		}
		assertThat(conflicts).as("conflicts, or the changes were too tame").isBetween(1, ROUNDS - 1);
	}

	private String script(List<String> lines, int round) {
		StringBuilder script = new StringBuilder("mkdir -p src d/e x 2>/dev/null || :\n");
		for (int i = this.random.nextInt(4); i >= 0; i--) {
			String line = lines.get(this.random.nextInt(lines.size()));
			String name = NAMES.get(this.random.nextInt(NAMES.size()));
			script.append("{ ")
				.append(String.format(line, name, "r" + round + "-" + this.random.nextInt(3)))
				.append("; } >/dev/null 2>&1 || :\n");
		}
		return script.toString();
	}

	private boolean conflictOf(WorkspaceTransport seeded, boolean extract, String round) throws Exception {
		Map<String, String> host = this.transport.host().files();
		Map<String, String> inside = this.transport.inside();
		Map<String, String> repository = this.transport.host().repositoryFiles();
		SyncResult result = extract ? seeded.extract() : seeded.reconcile();
		if (result.conflicted()) {
			assertThat(this.transport.host().files()).as(round).isEqualTo(host);
			assertThat(this.transport.inside()).as(round).isEqualTo(inside);
		}
		else if (extract) {
			assertThat(this.transport.inside()).as(round).isEqualTo(this.transport.host().files());
		}
		else {
			assertThat(this.transport.host().files()).as(round).isEqualTo(host);
		}
		assertThat(this.transport.host().repositoryFiles()).as(round).isEqualTo(repository);
		assertThat(this.transport.host().has("pwned")).isFalse();
		return result.conflicted();
	}

	// As somebody would who wants all that the sandbox has.
	private void takeTheSandboxs(WorkspaceTransport seeded) throws Exception {
		String others = "-mindepth 1 -maxdepth 1 ! -name .git -exec";
		this.transport.host()
			.sh("find . " + others + " rm -rf {} +; cd '" + this.transport.workspace() + "'; find . " + others
					+ " cp -a -t '" + this.transport.host().root() + "' {} +");
		assertThat(seeded.extract().conflicts()).isEmpty();
		assertThat(this.transport.inside()).isEqualTo(this.transport.host().files());
	}

}
