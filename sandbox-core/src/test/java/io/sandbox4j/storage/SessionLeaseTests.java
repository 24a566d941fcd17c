package io.sandbox4j.storage;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.SandboxException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

class SessionLeaseTests {

	private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

	@TempDir
	Path directory;

	private SessionPaths paths;

	private final LeaseHolder holder = LeaseHolder.current(Clock.fixed(NOW, ZoneOffset.UTC),
			new Sync(Durability.PROCESS));

	@BeforeEach
	void setUp() throws Exception {
		this.paths = new SessionPaths(RandomIds.next(), this.directory.toRealPath());
	}

	@Test
	void secondOwnerInThisProcessIsTurnedAway() throws Exception {
		SessionLease lease = acquire();
		assertThat(tryAcquire()).isEmpty();
		lease.release();
	}

	@Test
	void turningOneAwayKeepsTheLock() throws Exception {
		SessionLease lease = acquire();
		tryAcquire();
		assertThat(isLockedByTheKernel()).isTrue();
		lease.release();
		assertThat(isLockedByTheKernel()).isFalse();
	}

	@Test
	void lockTakenWithoutAClaimIsNotLostByTrying() throws Exception {
		SessionLease lease = acquire();
		LeaseClaims.giveBack(this.paths.lease().toString());
		assertThat(tryAcquire()).isEmpty();
		assertThat(isLockedByTheKernel()).isTrue();
		assertThat(LeaseClaims.isClaimed(this.paths.lease().toString())).isTrue();
		lease.release();
	}

	@Test
	void releasedLeaseCanBeTaken() throws Exception {
		acquire().release();
		acquire().release();
	}

	@Test
	void releaseIsIdempotentAndLeavesTheNextOwnerAlone() throws Exception {
		SessionLease first = acquire();
		first.release();
		SessionLease second = acquire();
		first.release();
		assertThatNoException().isThrownBy(second::ensureValid);
		second.release();
	}

	@Test
	void tokenGrowsWithEveryAcquisition() throws Exception {
		long last = 0;
		for (int i = 0; i < 5; i++) {
			SessionLease lease = acquire();
			assertThat(lease.token()).isGreaterThan(last);
			last = lease.token();
			lease.release();
		}
	}

	@Test
	void firstTokenOfANewSessionIsOne() throws Exception {
		SessionLease lease = SessionLease
			.tryAcquire(new SessionPaths(RandomIds.next(), Path.of("/elsewhere")), this.directory, this.holder)
			.orElseThrow();
		assertThat(lease.token()).isOne();
		assertThat(lease.recovered()).isFalse();
		lease.abandon();
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "garbage", "null", "[]", "{}", "{\"token\":-5}", "{\"token\":99999999999999999999}",
			"{\"owner\":\"x\",\"host\":\"h\",\"bootId\":\"b\",\"pidNamespace\":\"n\",\"pid\":1,\"processStarted\":1,"
					+ "\"token\":9223372036854775807,\"acquired\":\"2999-01-01T00:00:00Z\",\"released\":false}" })
	void brokenOrForeignRecordNeverBlocksAndTheTokenStillGrows(String content) throws Exception {
		SessionLease first = acquire();
		first.release();
		Files.writeString(this.paths.owner(), content);
		SessionLease second = acquire();
		assertThat(second.token()).isEqualTo(first.token() + 1);
		assertThat(second.recovered()).isTrue();
		second.release();
	}

	@Test
	void tokenStartsOverBeyondEveryCountWhenBothCopiesAreGone() throws Exception {
		acquire().release();
		Files.writeString(this.paths.owner(), "garbage");
		Files.delete(this.paths.lease());
		SessionLease lease = acquire();
		assertThat(lease.token()).isEqualTo(NOW.getEpochSecond() + 1);
		lease.release();
	}

	@Test
	void recordOfMyOwnNumberFromAFormerLifeIsTakenOver() throws Exception {
		ProcessIdentity self = ProcessIdentity.self();
		new JsonFiles(new Sync(Durability.PROCESS)).write(this.paths.owner(), new LeaseRecord("former", "host",
				self.bootId(), self.pidNamespace(), self.pid(), self.startTicks() - 100, 7, NOW, false));
		SessionLease lease = acquire();
		assertThat(lease.token()).isEqualTo(8);
		assertThat(lease.recovered()).isTrue();
		lease.release();
	}

	@Test
	void recordOfALiveProcessThatHoldsNoLockIsTakenOver() throws Exception {
		Process other = new ProcessBuilder("sleep", "600").start();
		try {
			ProcessIdentity identity = ProcessIdentity.of(other.pid()).orElseThrow();
			new JsonFiles(new Sync(Durability.PROCESS)).write(this.paths.owner(), new LeaseRecord("other", "host",
					identity.bootId(), identity.pidNamespace(), identity.pid(), identity.startTicks(), 7, NOW, false));
			acquire().release();
			assertThat(other.isAlive()).isTrue();
		}
		finally {
			other.destroyForcibly();
		}
	}

	@Test
	void knowsWhetherTheLastOwnerReleased() throws Exception {
		acquire().release();
		SessionLease second = acquire();
		assertThat(second.recovered()).isFalse();
		second.abandon();
		SessionLease third = acquire();
		assertThat(third.recovered()).isTrue();
		third.release();
	}

	@Test
	void recordNamesThisProcess() throws Exception {
		SessionLease lease = acquire();
		LeaseRecord record = JsonFiles.read(this.paths.owner(), LeaseRecord.class);
		assertThat(record.toOwner()).isEqualTo(lease.owner());
		assertThat(record.pid()).isEqualTo(ProcessHandle.current().pid());
		assertThat(record.acquired()).isEqualTo(NOW);
		assertThat(record.isProcessAlive()).isTrue();
		lease.release();
	}

	@Test
	void removedLockFileIsALostLease() throws Exception {
		SessionLease lease = acquire();
		Files.delete(this.paths.lease());
		assertLost(lease);
		lease.release();
	}

	@Test
	void replacedLockFileIsALostLeaseAndTheNewOwnerStays() throws Exception {
		SessionLease lease = acquire();
		Files.delete(this.paths.lease());
		LeaseClaims.giveBack(this.paths.lease().toString());
		SessionLease next = acquire();
		assertLost(lease);
		lease.release();
		assertThatNoException().isThrownBy(next::ensureValid);
		next.release();
	}

	@Test
	void recordOfAnotherTokenIsALostLease() throws Exception {
		SessionLease lease = acquire();
		new JsonFiles(new Sync(Durability.PROCESS)).write(this.paths.owner(), this.holder.record(lease.token() + 1));
		assertLost(lease);
		lease.release();
	}

	@Test
	void recordOfAnotherOwnerIsALostLease() throws Exception {
		SessionLease lease = acquire();
		LeaseHolder other = LeaseHolder.current(Clock.systemUTC(), new Sync(Durability.PROCESS));
		new JsonFiles(new Sync(Durability.PROCESS)).write(this.paths.owner(), other.record(lease.token()));
		assertLost(lease);
		lease.release();
	}

	@Test
	void rewrittenRecordOfTheSameOwnerIsFine() throws Exception {
		SessionLease lease = acquire();
		byte[] content = Files.readAllBytes(this.paths.owner());
		Files.delete(this.paths.owner());
		Files.write(this.paths.owner(), content);
		assertThatNoException().isThrownBy(lease::ensureValid);
		lease.release();
	}

	@Test
	void missingOrDamagedRecordIsALostLease() throws Exception {
		SessionLease lease = acquire();
		Files.writeString(this.paths.owner(), "garbage");
		assertLost(lease);
		Files.delete(this.paths.owner());
		assertLost(lease);
		lease.release();
	}

	@Test
	void releasedLeaseIsLost() throws Exception {
		SessionLease lease = acquire();
		lease.release();
		assertLost(lease);
	}

	@Test
	void checkIsCheap() throws Exception {
		SessionLease lease = acquire();
		for (int i = 0; i < 20_000; i++) {
			lease.ensureValid();
		}
		List<Long> nanos = new ArrayList<>();
		for (int i = 0; i < 2_000; i++) {
			long start = System.nanoTime();
			lease.ensureValid();
			nanos.add(System.nanoTime() - start);
		}
		nanos.sort(null);
		assertThat(nanos.get(nanos.size() / 2)).isLessThan(50_000);
		lease.release();
	}

	@Test
	void manyFailedAttemptsKeepDescriptorsFlat() throws Exception {
		SessionLease lease = acquire();
		long before = descriptors();
		for (int i = 0; i < 20_000; i++) {
			assertThat(tryAcquire()).isEmpty();
		}
		assertThat(descriptors()).isLessThanOrEqualTo(before + 2);
		lease.release();
	}

	@Test
	void missingDirectoryIsTold() {
		SessionPaths missing = new SessionPaths(RandomIds.next(), this.directory.resolve("missing"));
		assertThatExceptionOfType(NoSuchFileException.class)
			.isThrownBy(() -> SessionLease.tryAcquire(missing, missing.directory(), this.holder));
		assertThat(missing.directory()).doesNotExist();
		assertThat(LeaseClaims.isClaimed(missing.lease().toString())).isFalse();
	}

	@Test
	void symbolicLinkIsNoLockFile() throws Exception {
		Path target = Files.createFile(this.directory.resolve("target"));
		Files.createSymbolicLink(this.paths.lease(), target);
		assertThatExceptionOfType(IOException.class).isThrownBy(this::acquire);
		assertThat(LeaseClaims.isClaimed(this.paths.lease().toString())).isFalse();
	}

	@Test
	void interruptedThreadTakesAndReleasesAll() throws Exception {
		Thread.currentThread().interrupt();
		SessionLease lease = acquire();
		assertThatNoException().isThrownBy(lease::ensureValid);
		lease.release();
		assertThat(Thread.interrupted()).isTrue();
		assertThat(JsonFiles.read(this.paths.owner(), LeaseRecord.class).released()).isTrue();
		assertThat(isLockedByTheKernel()).isFalse();
	}

	@Test
	void otherClassLoaderOfThisProcessIsTurnedAwayAndTheLockStays() throws Exception {
		SessionLease lease = acquire();
		try (URLClassLoader loader = new URLClassLoader(classPath(), ClassLoader.getPlatformClassLoader())) {
			Class<?> type = Class.forName("io.sandbox4j.storage.LockedFile", true, loader);
			assertThat(type).isNotSameAs(LockedFile.class);
			var method = type.getDeclaredMethod("tryLock", Path.class, String.class);
			method.setAccessible(true);
			Object result = method.invoke(null, this.paths.lease(), this.paths.lease().toString());
			assertThat(result).isEqualTo(Optional.empty());
		}
		assertThat(isLockedByTheKernel()).isTrue();
		lease.release();
	}

	private void assertLost(SessionLease lease) {
		assertThatExceptionOfType(SandboxException.class).isThrownBy(lease::ensureValid)
			.satisfies((ex) -> assertThat(ex.code()).isEqualTo(ErrorCode.SANDBOX_LEASE_LOST));
	}

	private SessionLease acquire() throws IOException {
		return tryAcquire().orElseThrow();
	}

	private Optional<SessionLease> tryAcquire() throws IOException {
		return SessionLease.tryAcquire(this.paths, this.paths.directory(), this.holder);
	}

	private boolean isLockedByTheKernel() throws IOException {
		long inode = (long) Files.getAttribute(this.paths.lease(), "unix:ino");
		return Files.readAllLines(Path.of("/proc/locks"))
			.stream()
			.anyMatch((line) -> line.contains(":" + inode + " ") && line.contains("POSIX"));
	}

	private static long descriptors() throws IOException {
		return StateDirectory.list(Path.of("/proc/self/fd")).size();
	}

	private static URL[] classPath() throws Exception {
		List<URL> urls = new ArrayList<>();
		for (String entry : System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"))
			.split(":")) {
			urls.add(Path.of(entry).toUri().toURL());
		}
		return urls.toArray(URL[]::new);
	}

}
