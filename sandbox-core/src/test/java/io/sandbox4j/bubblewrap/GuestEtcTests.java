package io.sandbox4j.bubblewrap;

import java.nio.file.Files;
import java.nio.file.Path;

import io.sandbox4j.storage.FileOwner;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

class GuestEtcTests {

	private static final FileOwner USER = new FileOwner(65532, 65532);

	@TempDir
	Path directory;

	@Test
	void holdsTheGuestsUserAndNothingOfTheHostsUsers() throws Exception {
		Path etc = create(Path.of("/"));
		assertThat(etc.resolve("passwd")).content().contains("sandbox:x:65532:65532:").hasLineCount(3);
		assertThat(etc.resolve("shadow")).doesNotExist();
		assertThat(etc.resolve(GuestEtc.RESOLVER)).isEmptyFile();
	}

	@Test
	void aLinkThatLeadsOutOfTheRootFileSystemIsNotCopied() throws Exception {
		Path secret = Files.writeString(this.directory.resolve("secret"), "secret");
		Path rootfs = Files.createDirectories(this.directory.resolve("rootfs/etc")).getParent();
		Files.createSymbolicLink(rootfs.resolve("etc/services"), secret);
		Files.writeString(rootfs.resolve("etc/protocols"), "tcp 6 TCP\n");
		Path etc = create(rootfs);
		assertThat(etc.resolve("services")).doesNotExist();
		assertThat(etc.resolve("protocols")).hasContent("tcp 6 TCP\n");
	}

	private Path create(Path root) throws Exception {
		Path etc = this.directory.resolve("etc");
		GuestEtc.create(etc, root, USER);
		return etc;
	}

}
