package io.sandbox4j.checkpoint;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.SandboxException;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.apache.commons.compress.archivers.tar.TarConstants;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Archives that somebody made to do harm.
 */
@Timeout(60)
class HostileArchiveTests {

	@TempDir
	Path directory;

	private FileSnapshotStore store;

	private Checkpoints checkpoints;

	@BeforeEach
	void openStore() {
		this.store = FileSnapshotStore.open(this.directory.resolve("store"));
		this.checkpoints = Checkpoints.builder(this.store).maxBytes(5_000_000).maxFiles(1000).build();
	}

	@AfterEach
	void nothingCounts() {
		assertThat(this.checkpoints.list("b")).isEmpty();
		assertThat(this.store.list("packs")).isEmpty();
		assertThat(this.store.list("checkpoints")).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "../x", "/etc/x", "workspace/../x", "workspace/a/../../x", "workspace//x", "workspace/./x",
			"workspace/..", "x", "workspacex/y", "workspace/absent/x", "./workspace/x", "" })
	void aNameThatIsNotBelowTheWorkspaceIsRefused(String name) {
		refused(ErrorCode.SANDBOX_PATH, (tar) -> file(tar, name, new byte[] { 1 }));
	}

	@Test
	void nothingIsWrittenThroughALink() {
		refused(ErrorCode.SANDBOX_PATH, (tar) -> {
			link(tar, TarConstants.LF_SYMLINK, "workspace/l", "/tmp");
			file(tar, "workspace/l/x", new byte[] { 1 });
		});
	}

	@Test
	void nothingLiesBelowAFile() {
		refused(ErrorCode.SANDBOX_PATH, (tar) -> {
			file(tar, "workspace/f", new byte[] { 1 });
			file(tar, "workspace/f/x", new byte[] { 1 });
		});
	}

	@Test
	void twoEntriesOfOneNameAreRefused() {
		refused(ErrorCode.SANDBOX_PATH, (tar) -> {
			file(tar, "workspace/f", new byte[] { 1 });
			link(tar, TarConstants.LF_SYMLINK, "workspace/f", "/etc/passwd");
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "../../etc/passwd", "/etc/passwd", "workspace/absent", "workspace", "workspace/d" })
	void aHardLinkToNoFileOfTheArchiveIsRefused(String target) {
		refused(ErrorCode.SANDBOX_PATH, (tar) -> {
			directory(tar, "workspace/d/");
			link(tar, TarConstants.LF_LINK, "workspace/h", target);
		});
	}

	@Test
	void aHardLinkToASymbolicLinkIsRefused() {
		refused(ErrorCode.SANDBOX_PATH, (tar) -> {
			link(tar, TarConstants.LF_SYMLINK, "workspace/l", "/etc/passwd");
			link(tar, TarConstants.LF_LINK, "workspace/h", "workspace/l");
		});
	}

	@ParameterizedTest
	@ValueSource(bytes = { TarConstants.LF_CHR, TarConstants.LF_BLK, TarConstants.LF_FIFO, TarConstants.LF_CONTIG })
	void whatIsNeitherFileNorDirectoryNorLinkIsRefused(byte type) {
		refused(ErrorCode.SANDBOX_PATH, (tar) -> put(tar, new TarArchiveEntry("workspace/x", type), new byte[0]));
	}

	@Test
	void zerosWithoutEndAreNotRead() {
		refused(ErrorCode.SANDBOX_LIMIT, (tar) -> {
			TarArchiveEntry entry = new TarArchiveEntry("workspace/zeros");
			entry.setSize(5L << 30);
			tar.putArchiveEntry(entry);
			// What is sent is less than what was said; the import ends before that.
			tar.write(new byte[20_000_000]);
		});
	}

	@Test
	void filesWithoutEndAreNotRead() {
		refused(ErrorCode.SANDBOX_LIMIT, (tar) -> {
			for (int i = 0; i < 2000; i++) {
				file(tar, "workspace/f" + i, new byte[0]);
			}
		});
	}

	@Test
	void aNameWithoutEndIsNotRead() {
		refused(ErrorCode.SANDBOX_INVALID, (tar) -> {
			TarArchiveEntry entry = new TarArchiveEntry(TarConstants.GNU_LONGLINK, TarConstants.LF_GNUTYPE_LONGNAME);
			put(tar, entry, new byte[50_000_000]);
		});
	}

	@Test
	void headersWithoutEndAreNotRead() {
		refused(ErrorCode.SANDBOX_INVALID, (tar) -> {
			TarArchiveEntry entry = new TarArchiveEntry("x", TarConstants.LF_PAX_EXTENDED_HEADER_LC);
			put(tar, entry, ("50000000 comment=" + "x".repeat(49_999_982) + "\n").getBytes(StandardCharsets.US_ASCII));
		});
	}

	@Test
	void anArchiveOfSomethingElseIsRefused() {
		refused(ErrorCode.SANDBOX_INVALID, archive("other.json", "{}", (tar) -> {
		}));
		refused(ErrorCode.SANDBOX_INVALID, archive(ArchiveHead.NAME, "{}", (tar) -> {
		}));
		refused(ErrorCode.SANDBOX_INVALID, archive(ArchiveHead.NAME, "[1", (tar) -> {
		}));
		refused(ErrorCode.SANDBOX_INVALID, "no archive at all".getBytes(StandardCharsets.US_ASCII));
	}

	@Test
	void anArchiveOfANewerVersionIsSaidToBeOne() {
		refused(ErrorCode.SANDBOX_STATE_MISMATCH, archive(ArchiveHead.NAME, "{\"format\":99}", (tar) -> {
		}));
	}

	@Test
	void filesThatAreNotThoseThatWereExportedAreRefused() {
		refused(ErrorCode.SANDBOX_INVALID, (tar) -> file(tar, "workspace/f", new byte[] { 1 }));
	}

	private void refused(ErrorCode code, Contents contents) {
		refused(code,
				archive(ArchiveHead.NAME, "{\"format\":1,\"key\":\"k\",\"created\":\"2026-01-01T00:00:00Z\",\"tree\":\""
						+ "0".repeat(64) + "\",\"entries\":2,\"bytes\":1}", (tar) -> {
							directory(tar, "workspace/");
							contents.write(tar);
						}));
	}

	private void refused(ErrorCode code, byte[] archive) {
		assertThatExceptionOfType(SandboxException.class)
			.isThrownBy(() -> this.checkpoints.importFrom(new ByteArrayInputStream(archive), "b"))
			.satisfies((ex) -> assertThat(ex.code()).as(ex.getMessage()).isEqualTo(code));
	}

	private static byte[] archive(String head, String json, Contents contents) {
		ByteArrayOutputStream bytes = new ByteArrayOutputStream();
		try (OutputStream compressed = Zstandard.compress(bytes)) {
			TarArchiveOutputStream tar = new TarArchiveOutputStream(compressed, StandardCharsets.ISO_8859_1.name());
			tar.setBigNumberMode(TarArchiveOutputStream.BIGNUMBER_STAR);
			file(tar, head, json.getBytes(StandardCharsets.UTF_8));
			contents.write(tar);
			tar.flush();
			compressed.write(new byte[1024]);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		return bytes.toByteArray();
	}

	private static void file(TarArchiveOutputStream tar, String name, byte[] content) throws IOException {
		put(tar, new TarArchiveEntry(name, TarConstants.LF_NORMAL, true), content);
	}

	private static void directory(TarArchiveOutputStream tar, String name) throws IOException {
		put(tar, new TarArchiveEntry(name, TarConstants.LF_DIR), new byte[0]);
	}

	private static void link(TarArchiveOutputStream tar, byte type, String name, String target) throws IOException {
		TarArchiveEntry entry = new TarArchiveEntry(name, type);
		entry.setLinkName(target);
		put(tar, entry, new byte[0]);
	}

	private static void put(TarArchiveOutputStream tar, TarArchiveEntry entry, byte[] content) throws IOException {
		entry.setSize(content.length);
		tar.putArchiveEntry(entry);
		tar.write(content);
		tar.closeArchiveEntry();
	}

	/**
	 * What an archive has after its head.
	 */
	interface Contents {

		void write(TarArchiveOutputStream tar) throws IOException;

	}

}
