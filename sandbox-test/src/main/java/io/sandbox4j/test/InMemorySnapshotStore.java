package io.sandbox4j.test;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.SandboxException;
import io.sandbox4j.checkpoint.SnapshotRef;
import io.sandbox4j.checkpoint.SnapshotStore;
import io.sandbox4j.checkpoint.SnapshotUpload;
import org.jspecify.annotations.Nullable;

/**
 * A store in memory, for tests. Thread-safe.
 *
 * @since 0.1.0
 */
public final class InMemorySnapshotStore implements SnapshotStore {

	private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9._-]*(/[a-z0-9][a-z0-9._-]*)*");

	private final ConcurrentSkipListMap<String, byte[]> objects = new ConcurrentSkipListMap<>();

	private final ConcurrentSkipListMap<String, SnapshotRef> references = new ConcurrentSkipListMap<>();

	private final AtomicLong versions = new AtomicLong();

	/**
	 * Creates an empty store.
	 */
	public InMemorySnapshotStore() {
	}

	@Override
	public SnapshotUpload create(String name) {
		return new Upload(require(name));
	}

	@Override
	public InputStream open(String name, long offset, long length) {
		byte[] content = content(name);
		int start = (int) Math.min(offset, content.length);
		return new ByteArrayInputStream(content, start, (int) Math.min(length, content.length - start));
	}

	@Override
	public long size(String name) {
		return content(name).length;
	}

	private byte[] content(String name) {
		byte[] content = this.objects.get(require(name));
		if (content == null) {
			throw new SandboxException(ErrorCode.SANDBOX_NOT_FOUND, "The snapshot store has no '" + name + "'.");
		}
		return content;
	}

	@Override
	public List<String> list(String prefix) {
		return this.objects.keySet().stream().filter((name) -> name.startsWith(require(prefix) + "/")).toList();
	}

	@Override
	public boolean delete(String name) {
		return this.objects.remove(require(name)) != null;
	}

	@Override
	public @Nullable SnapshotRef ref(String name) {
		SnapshotRef ref = this.references.get(require(name));
		return (ref != null) ? new SnapshotRef(ref.version(), ref.content().clone()) : null;
	}

	@Override
	public boolean compareAndSet(String name, @Nullable String expected, byte[] content) {
		SnapshotRef written = new SnapshotRef(Long.toString(this.versions.incrementAndGet()), content.clone());
		SnapshotRef now = this.references.compute(require(name), (key, known) -> {
			String version = (known != null) ? known.version() : null;
			boolean same = (expected != null) ? expected.equals(version) : version == null;
			return same ? written : known;
		});
		return now == written;
	}

	@Override
	public List<String> refs(String prefix) {
		return this.references.keySet().stream().filter((name) -> name.startsWith(require(prefix) + "/")).toList();
	}

	@Override
	public void sweep(Instant before) {
		// What is not committed is garbage already.
	}

	private static String require(String name) {
		if (name.length() > 200 || !NAME.matcher(name).matches()) {
			throw new SandboxException(ErrorCode.SANDBOX_INVALID,
					"A name in a snapshot store must be segments of small letters, digits, '.', '-' and '_'.");
		}
		return name;
	}

	private final class Upload extends SnapshotUpload {

		private final String name;

		private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

		Upload(String name) {
			this.name = name;
		}

		@Override
		public void write(int b) {
			this.bytes.write(b);
		}

		@Override
		public void write(byte[] content, int offset, int length) {
			this.bytes.writeBytes(Arrays.copyOfRange(content, offset, offset + length));
		}

		@Override
		public boolean commit() {
			return InMemorySnapshotStore.this.objects.putIfAbsent(this.name, this.bytes.toByteArray()) == null;
		}

	}

}
