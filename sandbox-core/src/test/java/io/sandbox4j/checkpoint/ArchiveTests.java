package io.sandbox4j.checkpoint;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.SandboxException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class ArchiveTests {

	private static final Instant TIME = Instant.ofEpochSecond(1_234_567_890, 123_456_789);

	@TempDir
	Path directory;

	private FileSnapshotStore store;

	private Checkpoints checkpoints;

	private Checkpoint exported;

	private List<Entry> entries;

	private byte[] archive;

	@BeforeEach
	void exportSomething() {
		this.store = FileSnapshotStore.open(this.directory.resolve("one"));
		this.checkpoints = Checkpoints.builder(this.store).build();
		Map<Digest, byte[]> contents = new HashMap<>();
		Extent piece = piece(contents, 0, WrittenCheckpoints.random(1, 1 << 20));
		Extent end = piece(contents, 1 << 20, WrittenCheckpoints.random(2, 1000));
		Extent middle = piece(contents, 5L << 30, WrittenCheckpoints.random(3, 4096));
		String longName = "n".repeat(255) + "/" + "m".repeat(255) + "/" + "o".repeat(255);
		this.entries = List.of(Entry.directory("", 0750, TIME),
				Entry.file("a", 04711, TIME, (1 << 20) + 1000, List.of(piece, end)),
				Entry.directory("empty", 02555, TIME), Entry.hardLink("h", 04711, TIME, "a"),
				Entry.link("l", 0777, Instant.ofEpochSecond(5, 5), "/etc/../x y"),
				Entry.directory("n".repeat(255), 0755, TIME),
				Entry.directory("n".repeat(255) + "/" + "m".repeat(255), 0755, TIME),
				Entry.file(longName, 0600, Instant.EPOCH, 0, List.of()),
				Entry.file("o\nd\\d\377", 0644, TIME, 1 << 20, List.of(piece)),
				Entry.file("sparse", 0644, TIME, 7L << 30, List.of(middle)));
		this.exported = new WrittenCheckpoints(this.store).write("a", this.entries, contents);
		ByteArrayOutputStream output = new ByteArrayOutputStream();
		this.checkpoints.exportTo(this.exported.id(), output);
		this.archive = output.toByteArray();
	}

	private static Extent piece(Map<Digest, byte[]> contents, long offset, byte[] content) {
		Digest digest = Digest.of(content);
		contents.put(digest, content);
		return new Extent(offset, content.length, digest);
	}

	@Test
	void anImportedCheckpointIsTheExportedOne() {
		FileSnapshotStore other = FileSnapshotStore.open(this.directory.resolve("two"));
		Checkpoint imported = Checkpoints.builder(other).build().importFrom(input(this.archive), "b");
		assertThat(imported.key()).isEqualTo("key");
		assertThat(imported.files()).isEqualTo(9);
		assertThat(imported.bytes()).isEqualTo(this.exported.bytes());
		assertThat(Checkpoints.builder(other).build().verify(imported.id())).isEqualTo(imported);
		assertThat(Checkpoints.builder(other).build().latest("b")).isEqualTo(imported);
		Blobs blobs = new Blobs(other);
		blobs.refresh();
		assertThat(Manifest.read(blobs, Digest.parse(CheckpointDocument.read(other, imported.id()).tree())))
			.isEqualTo(this.entries);
	}

	@Test
	void anImportIntoTheSameStoreWritesNoContentAgain() {
		assertThat(this.checkpoints.importFrom(input(this.archive), "b").newBytes()).isZero();
	}

	@Test
	void gnuTarExtractsIt() throws Exception {
		Path tar = this.directory.resolve("archive.tar");
		try (InputStream input = Zstandard.decompress(input(this.archive));
				OutputStream output = Files.newOutputStream(tar)) {
			input.transferTo(output);
		}
		String script = "tar -xpf archive.tar --no-same-owner && cd workspace && stat -c '%a %h' a h empty . && stat -c %y a "
				+ "&& readlink l && stat -c '%s %b' sparse | { read s b; [ $b -lt 100 ] && echo $s; } && chmod -R u+w .";
		Process process = new ProcessBuilder("sh", "-c", script).directory(this.directory.toFile())
			.redirectErrorStream(true)
			.start();
		String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		assertThat(said.replaceAll("\\.123456789.*", ".123456789"))
			.isEqualTo("4711 2\n4711 2\n2555 2\n750 4\n2009-02-13 23:31:30.123456789\n/etc/../x y\n7516192768\n");
	}

	@Test
	@Timeout(20)
	void manyPiecesAreKept() {
		Map<Digest, byte[]> contents = new HashMap<>();
		List<Extent> pieces = new ArrayList<>();
		for (int i = 0; i < 100; i++) {
			pieces.add(piece(contents, i * (1L << 26), WrittenCheckpoints.random(i, 100)));
		}
		Checkpoint imported = reimported((1L << 33) - 1, pieces, contents);
		assertThat(imported.bytes()).isEqualTo(10_000);
		assertThat(imported.newBytes()).isZero();
	}

	@Test
	@Timeout(20)
	void aHoleOfManyExabytesIsRefusedAtOnce() {
		assertThatExceptionOfType(SandboxException.class)
			.isThrownBy(() -> reimported(Long.MAX_VALUE, List.of(), Map.of()))
			.satisfies((ex) -> assertThat(ex.code()).isEqualTo(ErrorCode.SANDBOX_INVALID));
	}

	private Checkpoint reimported(long size, List<Extent> pieces, Map<Digest, byte[]> contents) {
		List<Entry> files = List.of(Entry.directory("", 0750, TIME), Entry.file("holes", 0644, TIME, size, pieces));
		Checkpoint written = new WrittenCheckpoints(this.store).write("a", files, contents);
		ByteArrayOutputStream output = new ByteArrayOutputStream();
		this.checkpoints.exportTo(written.id(), output);
		return this.checkpoints.importFrom(input(output.toByteArray()), "b");
	}

	@Test
	void theOutputAndTheInputStayOpen() {
		OutputStream output = new ByteArrayOutputStream() {

			@Override
			public void close() {
				throw new IllegalStateException("closed");
			}

		};
		this.checkpoints.exportTo(this.exported.id(), output);
		InputStream input = new ByteArrayInputStream(this.archive) {

			@Override
			public void close() {
				throw new IllegalStateException("closed");
			}

		};
		this.checkpoints.importFrom(input, "b");
	}

	@Test
	void anOutputThatFailsIsSaidToFail() {
		OutputStream full = new OutputStream() {

			@Override
			public void write(int b) throws IOException {
				throw new IOException("No space left on device");
			}

		};
		assertThatExceptionOfType(SandboxException.class)
			.isThrownBy(() -> this.checkpoints.exportTo(this.exported.id(), full))
			.satisfies((ex) -> assertThat(ex.code()).isEqualTo(ErrorCode.SANDBOX_UNAVAILABLE));
	}

	@Test
	void anArchiveThatIsCutOffAnywhereIsRefused() {
		for (int length = 0; length < this.archive.length; length += 1 + this.archive.length / 60) {
			refused(Arrays.copyOf(this.archive, length));
		}
		refused(Arrays.copyOf(this.archive, this.archive.length - 1));
		assertThat(this.store.refs("lineages")).contains("lineages/a");
		assertThat(this.checkpoints.list("b")).isEmpty();
	}

	@Test
	void anArchiveWithAnyByteChangedIsRefused() {
		for (int at = 0; at < this.archive.length; at += 1 + this.archive.length / 60) {
			byte[] changed = this.archive.clone();
			changed[at] ^= 0x10;
			refused(changed);
		}
		assertThat(this.checkpoints.list("b")).isEmpty();
	}

	@Test
	void aFailedImportDoesNotKeepLatestFromAnswering() {
		refused(new byte[10], "a");
		assertThat(this.checkpoints.latest("a")).isEqualTo(this.exported);
	}

	@Test
	void limitsHoldForImports() {
		limited(Checkpoints.builder(this.store).maxBytes(this.exported.bytes() - 1).build());
		limited(Checkpoints.builder(this.store).maxFiles(8).build());
		assertThat(Checkpoints.builder(this.store)
			.maxBytes(this.exported.bytes() + (1 << 20))
			.maxFiles(9)
			.build()
			.importFrom(input(this.archive), "b")
			.files()).isEqualTo(9);
	}

	private void limited(Checkpoints limited) {
		assertThatExceptionOfType(SandboxException.class).isThrownBy(() -> limited.importFrom(input(this.archive), "b"))
			.satisfies((ex) -> assertThat(ex.code()).isEqualTo(ErrorCode.SANDBOX_LIMIT));
	}

	private void refused(byte[] changed) {
		refused(changed, "b");
	}

	private void refused(byte[] changed, String lineage) {
		assertThatExceptionOfType(SandboxException.class)
			.isThrownBy(() -> this.checkpoints.importFrom(input(changed), lineage))
			.satisfies((ex) -> assertThat(ex.code()).isEqualTo(ErrorCode.SANDBOX_INVALID));
	}

	private static InputStream input(byte[] archive) {
		return new ByteArrayInputStream(archive);
	}

}
