package io.sandbox4j.test;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.SandboxException;
import io.sandbox4j.checkpoint.SnapshotRef;
import io.sandbox4j.checkpoint.SnapshotStore;
import io.sandbox4j.checkpoint.SnapshotUpload;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What every {@link SnapshotStore} must do, as tests. A store's author extends this
 * class, and needs {@code junit-jupiter} and {@code assertj-core} to run it:
 *
 * <pre class="code">
 * class MyStoreTests extends SnapshotStoreContract {
 *
 *     private final String bucket = newBucket();
 *
 *     &#64;Override
 *     protected SnapshotStore openStore() {
 *         return new MyStore(this.bucket);
 *     }
 *
 * }
 * </pre>
 *
 * @since 0.1.0
 */
@Timeout(120)
public abstract class SnapshotStoreContract {

	private @Nullable SnapshotStore opened;

	/**
	 * Opens the store. All that one test opens share what is in it, as several processes
	 * would; two tests share nothing.
	 * @return the store
	 */
	protected abstract SnapshotStore openStore();

	@BeforeEach
	void open() {
		this.opened = openStore();
	}

	private SnapshotStore store() {
		SnapshotStore store = this.opened;
		if (store == null) {
			throw new IllegalStateException("The store is opened before each test");
		}
		return store;
	}

	@Test
	void anObjectIsReadAsItWasWritten() throws IOException {
		byte[] content = new byte[3_000_000];
		for (int i = 0; i < content.length; i++) {
			content[i] = (byte) (i * 31 + i / 256);
		}
		assertThat(write("packs/large", content)).isTrue();
		assertThat(read("packs/large", 0, Long.MAX_VALUE)).isEqualTo(content);
		assertThat(openStore().size("packs/large")).isEqualTo(content.length);
	}

	@Test
	void anEmptyObjectIsOne() throws IOException {
		assertThat(write("packs/empty", new byte[0])).isTrue();
		assertThat(store().size("packs/empty")).isZero();
		assertThat(read("packs/empty", 0, 10)).isEmpty();
		assertThat(store().list("packs")).containsExactly("packs/empty");
	}

	@Test
	void aPartIsReadAloneAndEndsWithTheObject() throws IOException {
		write("a/b", bytes("0123456789"));
		assertThat(read("a/b", 3, 4)).isEqualTo(bytes("3456"));
		assertThat(read("a/b", 8, 100)).isEqualTo(bytes("89"));
		assertThat(read("a/b", 10, 1)).isEmpty();
		assertThat(read("a/b", 2, 0)).isEmpty();
	}

	@Test
	void singleBytesAreWrittenToo() throws IOException {
		try (SnapshotUpload upload = store().create("a/b")) {
			upload.write(0xFF);
			upload.write(bytes("xyz"), 1, 1);
			upload.commit();
		}
		assertThat(read("a/b", 0, 10)).isEqualTo(new byte[] { (byte) 0xFF, 'y' });
	}

	@Test
	void nobodySeesAnObjectBeforeItsCommit() throws IOException {
		try (SnapshotUpload upload = store().create("a/b")) {
			upload.write(new byte[1_000_000]);
			upload.flush();
			assertThat(openStore().list("a")).isEmpty();
			notFound(() -> openStore().size("a/b"));
			assertThat(upload.commit()).isTrue();
			assertThat(openStore().list("a")).containsExactly("a/b");
		}
	}

	@Test
	void anUploadThatIsClosedWithoutCommitLeavesNothing() throws IOException {
		try (SnapshotUpload upload = store().create("a/b")) {
			upload.write(1);
		}
		assertThat(store().list("a")).isEmpty();
		assertThat(write("a/b", bytes("later"))).isTrue();
	}

	@Test
	void whatIsThereStaysAsItIs() throws IOException {
		assertThat(write("a/b", bytes("first"))).isTrue();
		assertThat(write("a/b", bytes("second"))).isFalse();
		assertThat(read("a/b", 0, 10)).isEqualTo(bytes("first"));
	}

	@Test
	void ofManyWhoWriteOneNameOneSucceeds() throws Exception {
		List<Boolean> written = together(8, (number) -> () -> {
			try (SnapshotUpload upload = openStore().create("a/b")) {
				upload.write(bytes("writer " + number));
				return upload.commit();
			}
		});
		assertThat(written.stream().filter((one) -> one)).hasSize(1);
		assertThat(read("a/b", 0, 100)).isEqualTo(bytes("writer " + written.indexOf(true)));
	}

	@Test
	void whatIsNotThereIsNotFound() {
		notFound(() -> store().open("a/b", 0, 1));
		notFound(() -> store().size("a/b"));
		assertThat(store().delete("a/b")).isFalse();
		assertThat(store().list("a")).isEmpty();
		assertThat(store().ref("a/b")).isNull();
		assertThat(store().refs("a")).isEmpty();
	}

	@Test
	void whatWasDeletedIsGoneForAll() throws IOException {
		write("a/b", bytes("x"));
		assertThat(store().delete("a/b")).isTrue();
		notFound(() -> openStore().open("a/b", 0, 1));
		assertThat(openStore().list("a")).isEmpty();
		assertThat(store().delete("a/b")).isFalse();
		assertThat(write("a/b", bytes("y"))).isTrue();
	}

	@Test
	void aListHasTheNamesOfItsPrefixSorted() throws IOException {
		for (String name : List.of("a/c", "a/b", "a/b2/d", "ab/c", "b/a")) {
			write(name, bytes(name));
		}
		assertThat(store().list("a")).containsExactly("a/b", "a/b2/d", "a/c");
	}

	@Test
	void namesAreSimple() {
		for (String name : List.of("", "/a", "a/", "a//b", "../a", "a/..", "a/./b", ".a", "A", "a b", "a\0", "ä",
				"a".repeat(201))) {
			assertThatExceptionOfType(SandboxException.class).as(name)
				.isThrownBy(() -> store().create(name))
				.satisfies((ex) -> assertThat(ex.code()).isEqualTo(ErrorCode.SANDBOX_INVALID));
			assertThatExceptionOfType(SandboxException.class).as(name)
				.isThrownBy(() -> store().compareAndSet(name, null, new byte[0]));
			assertThatExceptionOfType(SandboxException.class).as(name).isThrownBy(() -> store().ref(name));
			assertThatExceptionOfType(SandboxException.class).as(name).isThrownBy(() -> store().delete(name));
			assertThatExceptionOfType(SandboxException.class).as(name).isThrownBy(() -> store().open(name, 0, 1));
		}
	}

	@Test
	void aNameMayHaveTwoHundredCharacters() throws IOException {
		String name = "a/" + "b".repeat(198);
		assertThat(write(name, bytes("x"))).isTrue();
		assertThat(store().list("a")).containsExactly(name);
		assertThat(store().compareAndSet(name, null, bytes("x"))).isTrue();
	}

	@Test
	void aReferenceIsWrittenByWhoKnowsItsVersion() {
		assertThat(store().compareAndSet("r/a", null, bytes("one"))).isTrue();
		SnapshotRef one = require("r/a");
		assertThat(one.content()).isEqualTo(bytes("one"));
		assertThat(store().compareAndSet("r/a", null, bytes("wrong"))).isFalse();
		assertThat(store().compareAndSet("r/a", one.version(), bytes("two"))).isTrue();
		SnapshotRef two = require("r/a");
		assertThat(two.content()).isEqualTo(bytes("two"));
		assertThat(two.version()).isNotEqualTo(one.version());
		assertThat(store().compareAndSet("r/a", one.version(), bytes("wrong"))).isFalse();
		assertThat(require("r/a").content()).isEqualTo(bytes("two"));
	}

	@Test
	void aVersionDoesNotComeBackWithTheContent() {
		store().compareAndSet("r/a", null, bytes("same"));
		String first = require("r/a").version();
		store().compareAndSet("r/a", first, bytes("other"));
		store().compareAndSet("r/a", require("r/a").version(), bytes("same"));
		assertThat(require("r/a").version()).isNotEqualTo(first);
		assertThat(store().compareAndSet("r/a", first, bytes("wrong"))).isFalse();
	}

	@Test
	void aReferenceThatWasNeverWrittenHasNoVersion() {
		store().compareAndSet("r/a", null, bytes("one"));
		assertThat(store().compareAndSet("r/b", require("r/a").version(), bytes("wrong"))).isFalse();
		assertThat(store().ref("r/b")).isNull();
	}

	@Test
	void referencesAndObjectsDoNotMeet() throws IOException {
		write("x/a", bytes("object"));
		assertThat(store().ref("x/a")).isNull();
		assertThat(store().compareAndSet("x/a", null, bytes("reference"))).isTrue();
		assertThat(read("x/a", 0, 10)).isEqualTo(bytes("object"));
		assertThat(store().refs("x")).containsExactly("x/a");
	}

	@Test
	void noChangeOfAReferenceIsLost() throws Exception {
		int rounds = 30;
		together(6, (number) -> () -> {
			SnapshotStore own = openStore();
			for (int round = 0; round < rounds; round++) {
				while (!increment(own)) {
					Thread.onSpinWait();
				}
			}
			return true;
		});
		assertThat(new String(require("r/count").content(), StandardCharsets.UTF_8)).isEqualTo("180");
	}

	// False may hide a write that was overwritten at once, so a store that says so often
	// is no good; the counter must be exact whatever it says.
	private static boolean increment(SnapshotStore store) {
		SnapshotRef ref = store.ref("r/count");
		int count = (ref != null) ? Integer.parseInt(new String(ref.content(), StandardCharsets.UTF_8)) : 0;
		return store.compareAndSet("r/count", (ref != null) ? ref.version() : null, bytes(String.valueOf(count + 1)));
	}

	@Test
	void aReferenceMayHaveFourMebibytes() {
		byte[] content = new byte[4 << 20];
		content[content.length - 1] = 1;
		assertThat(store().compareAndSet("r/a", null, content)).isTrue();
		assertThat(require("r/a").content()).isEqualTo(content);
	}

	@Test
	void aSweepLeavesWhatGoesOnAndWhatWasCommitted() throws IOException {
		write("a/b", bytes("x"));
		try (SnapshotUpload upload = store().create("a/c")) {
			upload.write(bytes("y"));
			upload.flush();
			openStore().sweep(Instant.now().minus(Duration.ofHours(1)));
			assertThat(upload.commit()).isTrue();
		}
		assertThat(store().list("a")).containsExactly("a/b", "a/c");
	}

	private SnapshotRef require(String name) {
		SnapshotRef ref = openStore().ref(name);
		assertThat(ref).isNotNull();
		return Objects.requireNonNull(ref);
	}

	private boolean write(String name, byte[] content) throws IOException {
		try (SnapshotUpload upload = store().create(name)) {
			upload.write(content);
			return upload.commit();
		}
	}

	private byte[] read(String name, long offset, long length) throws IOException {
		try (InputStream input = openStore().open(name, offset, length)) {
			return input.readAllBytes();
		}
	}

	private static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

	private static void notFound(ThrowingCallable call) {
		assertThatExceptionOfType(SandboxException.class).isThrownBy(call)
			.satisfies((ex) -> assertThat(ex.code()).isEqualTo(ErrorCode.SANDBOX_NOT_FOUND));
	}

	private static <T> List<T> together(int count, IntFunction<Callable<T>> work)
			throws InterruptedException, ExecutionException {
		ExecutorService threads = Executors.newFixedThreadPool(count);
		try {
			List<T> results = new ArrayList<>();
			for (Future<T> future : threads.invokeAll(IntStream.range(0, count).mapToObj(work).toList())) {
				results.add(future.get());
			}
			return results;
		}
		finally {
			threads.shutdownNow();
		}
	}

}
