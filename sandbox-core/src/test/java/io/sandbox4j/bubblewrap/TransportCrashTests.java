package io.sandbox4j.bubblewrap;

import java.io.BufferedReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;

import io.sandbox4j.SandboxException;
import io.sandbox4j.SandboxState;
import io.sandbox4j.git.SyncResult;
import io.sandbox4j.git.WorkspaceTransport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Applications that are killed amid a sync: the next one does what was begun.
 * {@code sandbox.test.kills} sets how many.
 */
@Tag("isolation")
class TransportCrashTests {

	private static final int KILLS = Math.max(1, Integer.getInteger("sandbox.test.kills", 10) / 4);

	@RegisterExtension
	final TransportExtension transport = new TransportExtension();

	private final Random random = new Random(11);

	@Test
	void aSeedThatWasCutOffIsDoneByTheNext() throws Exception {
		this.transport.host().sh("for i in $(seq 300); do echo $i >f$i; done");
		killAmid("seed");
		WorkspaceTransport next = this.transport.builder().build();
		if (!seeded(next)) {
			next.seed();
		}
		assertThat(this.transport.inside()).isEqualTo(this.transport.host().files());
	}

	private static boolean seeded(WorkspaceTransport transport) {
		try {
			transport.reconcile();
			return true;
		}
		catch (SandboxException ex) {
			return false;
		}
	}

	@Test
	void aHostHasTheOldTreeOrTheNewAfterAKillAmidAnExtract() throws Exception {
		this.transport.seeded();
		for (int kill = 0; kill < KILLS; kill++) {
			this.transport.guest("for i in $(seq 200); do echo " + kill + " >f$i; done; rm -rf d; mkdir d; echo " + kill
					+ " >d/" + kill);
			Map<String, String> before = this.transport.host().files();
			Map<String, String> wanted = this.transport.inside();
			killAmid("extract");
			WorkspaceTransport next = this.transport.builder().build();
			next.preview();
			assertThat(this.transport.host().files()).as("kill " + kill).isIn(before, wanted);
			next.extract();
			assertThat(this.transport.host().files()).as("kill " + kill).isEqualTo(wanted);
			assertThat(this.transport.inside()).as("kill " + kill).isEqualTo(wanted);
		}
	}

	@Test
	void eachFileOfASandboxIsOldOrNewAfterAKillAmidAReconcile() throws Exception {
		this.transport.seeded();
		for (int kill = 0; kill < KILLS; kill++) {
			String large = "head -c 3000000 /dev/urandom >large";
			this.transport.host()
				.sh("for i in $(seq 200); do echo " + kill + " >f$i; done; " + large + "; rm -rf d e; mkdir d; echo >d/"
						+ kill + "; [ $((" + kill + " % 2)) = 0 ] && mkdir e && echo >e/e || echo >e");
			Map<String, String> before = this.transport.inside();
			Map<String, String> wanted = this.transport.host().files();
			killAmid("reconcile");
			this.transport.inside().forEach((name, content) -> {
				if (!name.startsWith("git~1/")) {
					assertThat(content).as(name).isIn(before.get(name), wanted.get(name));
				}
			});
			SyncResult next = this.transport.builder().build().reconcile();
			assertThat(next.conflicts()).as("kill " + kill).isEmpty();
			assertThat(this.transport.inside()).as("kill " + kill).isEqualTo(wanted);
		}
	}

	private void killAmid(String what) throws Exception {
		SandboxState state = this.transport.sandbox().captureState();
		this.transport.sandbox().stop();
		Process owner = ChildJvm.start(SyncingOwner.class, List.of(), Map.of(),
				this.transport.sandboxes().stateDirectory().toString(),
				this.transport.sandboxes().runtimeDirectory().toString(), state.sessionId(), state.templateKey(),
				this.transport.host().root().toString(), this.transport.root().resolve("transport").toString(), what);
		try {
			BufferedReader said = owner.inputReader(StandardCharsets.UTF_8);
			String line = said.readLine();
			while (line != null && !line.equals("owned")) {
				line = said.readLine();
			}
			assertThat(line).isEqualTo("owned");
			owner.waitFor(this.random.nextInt(1200), TimeUnit.MILLISECONDS);
		}
		finally {
			owner.destroyForcibly().waitFor();
		}
		this.transport.attachAgain();
	}

}
