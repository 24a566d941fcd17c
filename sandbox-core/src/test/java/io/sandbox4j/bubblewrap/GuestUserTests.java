package io.sandbox4j.bubblewrap;

import java.nio.file.Path;

import io.sandbox4j.SandboxException;
import io.sandbox4j.storage.FileOwner;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class GuestUserTests {

	private static final FileOwner RUN_AS = new FileOwner(65532, 65533);

	@Test
	void anApplicationThatIsNotRootRunsCommandsAsItself() {
		GuestUser user = GuestUser.of(1000, 0, RUN_AS);
		assertThat(user.owner()).isEqualTo(new FileOwner(1000, 0));
		assertThat(user.setpriv()).isNull();
		assertThat(user.fileOwner()).isNull();
	}

	@Test
	void rootDropsToTheConfiguredUser() {
		GuestUser user = GuestUser.of(0, 0, RUN_AS);
		assertThat(user.owner()).isEqualTo(RUN_AS);
		assertThat(user.setpriv()).isExecutable();
		assertThat(user.fileOwner()).isEqualTo(RUN_AS);
	}

	@Test
	void rootIsNeverTheGuest() {
		for (FileOwner owner : new FileOwner[] { new FileOwner(0, 5), new FileOwner(5, 0), new FileOwner(-1, 5) }) {
			assertThatExceptionOfType(SandboxException.class)
				.isThrownBy(() -> new GuestUser(owner, Path.of("/usr/bin/setpriv")))
				.withMessageContaining("'sandbox.run-as' must not be root");
		}
	}

}
