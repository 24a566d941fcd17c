package io.sandbox4j.lease;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.SandboxException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;

class LeaseStressTests {

	private static final int KEYS = Integer.getInteger("sandbox.test.keys", 200);

	// A file that is being written while its sandbox is stopped tells of a lost lease.
	private static final Set<ErrorCode> MEANT = EnumSet.of(ErrorCode.SANDBOX_BUSY, ErrorCode.SANDBOX_STOPPED,
			ErrorCode.SANDBOX_LIMIT, ErrorCode.SANDBOX_LEASE_LOST);

	@RegisterExtension
	static final LeaseExtension fixture = new LeaseExtension();

	private final Map<String, LeaseKey> owners = new ConcurrentHashMap<>();

	private final Queue<Object> violations = new ConcurrentLinkedQueue<>();

	@Test
	void aKeyNeverHasTwoSandboxesWhateverHappens() throws Exception {
		SandboxLeases leases = fixture.leases((builder) -> builder.maxActive(3).reclaimAfter(Duration.ofMinutes(30)));
		long seed = System.nanoTime();
		long end = System.nanoTime() + Duration.ofSeconds(4).toNanos();
		List<Future<?>> all = new ArrayList<>();
		for (int i = 0; i < 8; i++) {
			Random random = new Random(seed + i);
			all.add(fixture.threads().submit(() -> {
				while (System.nanoTime() < end) {
					step(leases, random);
				}
			}));
		}
		for (Future<?> one : all) {
			one.get(60, TimeUnit.SECONDS);
		}
		assertThat(this.violations).as("seed %d", seed).isEmpty();
		assertThat(leases.list()).extracting(LeaseInfo::uses).containsOnly(0);
		assertThat(leases.status().active()).isLessThanOrEqualTo(3);
		assertThat(leases.status().created()).isGreaterThan(5);
		leases.endAll();
		assertThat(leases.status().active()).isZero();
		assertThat(leases.status().waiting()).isZero();
		assertThat(leases.status().teardownFailures()).isZero();
	}

	private void step(SandboxLeases leases, Random random) {
		LeaseKey key = LeaseKey.forAgent("r" + random.nextInt(2), "a" + random.nextInt(3));
		switch (random.nextInt(12)) {
			case 0 -> leases.end(key);
			case 1 -> leases.endRun("r0");
			case 2 -> leases.sweep();
			case 3 -> fixture.advance(Duration.ofMinutes(random.nextInt(40)));
			case 4 -> fixture.backend().handles().stream().limit(1).forEach((handle) -> handle.stop());
			default -> use(leases, key, random);
		}
	}

	private void use(SandboxLeases leases, LeaseKey key, Random random) {
		LeaseSpec spec = fixture.spec(key).idleTimeout(Duration.ofMinutes(5)).setup((lease) -> {
			String id = lease.session().id();
			this.owners.put(id, key);
			long same = fixture.backend().running.stream()
				.filter((other) -> key.equals(this.owners.get(other)))
				.count();
			boolean fails = random.nextInt(10) == 0;
			if (same > 1) {
				this.violations.add(key + " has " + same + " sandboxes");
			}
			if (fails) {
				throw new SandboxException(ErrorCode.SANDBOX_LIMIT, "A setup failed.");
			}
		}).build();
		try (SandboxLease lease = leases.open(spec, Duration.ofMillis(random.nextInt(200)))) {
			if (!key.equals(this.owners.get(lease.session().id()))) {
				this.violations.add("The sandbox of another");
			}
			lease.session().files().writeText("note", "mine");
		}
		catch (SandboxException ex) {
			// Busy, ended under the user or a failed setup: all of it is meant to happen.
			if (!MEANT.contains(ex.code())) {
				this.violations.add(ex);
			}
		}
	}

	@Test
	void stoppedLeasesCostNoProcessNoThreadNoDescriptorAndLittleMemory() throws Exception {
		SandboxLeases leases = fixture.leases((builder) -> builder.maxActive(8));
		leases.use(fixture.spec("warm"), (lease) -> LeaseExtension.out(lease, "true"));
		leases.end(LeaseKey.forConversation("warm"));
		Figures before = Figures.now();
		for (int i = 0; i < KEYS; i++) {
			String note = "note " + i;
			leases.use(spec(i), (lease) -> {
				lease.session().files().writeText("note", note);
				return null;
			});
		}
		fixture.advance(Duration.ofMinutes(5));
		leases.sweep();
		assertThat(leases.status().idle()).isEqualTo(KEYS);
		assertThat(leases.status().active()).isZero();
		Figures idle = Figures.now();
		assertThat(idle.threads()).isLessThanOrEqualTo(before.threads() + 2);
		assertThat(idle.descriptors()).isLessThanOrEqualTo(before.descriptors() + 2);
		assertThat(idle.processes()).isLessThanOrEqualTo(before.processes());
		assertThat((idle.heap() - before.heap()) / KEYS).isLessThan(20 * 1024);
		for (int i = 0; i < KEYS; i++) {
			assertThat(leases.<String>use(spec(i), (lease) -> lease.session().files().readText("note")))
				.isEqualTo("note " + i);
		}
		assertThat(leases.status().created()).isEqualTo(KEYS + 1);
		assertThat(leases.status().attached()).isEqualTo(KEYS);
	}

	private static LeaseSpec spec(int key) {
		return fixture.spec(LeaseKey.forConversation("k" + key)).idleTimeout(Duration.ofMinutes(5)).build();
	}

	/**
	 * What this JVM holds.
	 *
	 * @param threads its threads
	 * @param descriptors its open descriptors
	 * @param processes its descendants
	 * @param heap its heap after a collection
	 */
	private record Figures(long threads, long descriptors, long processes, long heap) {

		static Figures now() throws Exception {
			long heap = Long.MAX_VALUE;
			for (int i = 0; i < 5; i++) {
				System.gc();
				Runtime runtime = Runtime.getRuntime();
				heap = Math.min(heap, runtime.totalMemory() - runtime.freeMemory());
			}
			return new Figures(count("/proc/self/task"), count("/proc/self/fd"),
					ProcessHandle.current().descendants().count(), heap);
		}

		private static long count(String directory) throws Exception {
			try (Stream<Path> entries = Files.list(Path.of(directory))) {
				return entries.count();
			}
		}

	}

}
