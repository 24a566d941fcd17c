package io.sandbox4j.gateway;

import java.io.Closeable;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class AbortHandleTests {

	private final AbortHandle handle = new AbortHandle();

	private final AtomicInteger closed = new AtomicInteger();

	@Test
	void closesWhatIsAttachedAndWhatWillBe() {
		this.handle.attach(this.closed::incrementAndGet);
		assertThat(this.handle.aborted()).isFalse();
		this.handle.abort();
		assertThat(this.handle.aborted()).isTrue();
		assertThat(this.closed).hasValue(1);
		this.handle.attach(this.closed::incrementAndGet);
		assertThat(this.closed).hasValue(2);
		this.handle.abort();
		assertThat(this.closed).hasValue(2);
	}

	@Test
	void leavesWhatWasTakenBack() {
		Closeable closeable = this.closed::incrementAndGet;
		this.handle.attach(closeable);
		assertThat(this.handle.detach(closeable)).isTrue();
		this.handle.abort();
		assertThat(this.closed).hasValue(0);
		assertThat(this.handle.detach(closeable)).isFalse();
	}

	@Test
	void aCloseThatFailsKeepsNoneFromClosing() {
		this.handle.attach(() -> {
			throw new IOException("already");
		});
		this.handle.attach(this.closed::incrementAndGet);
		this.handle.abort();
		assertThat(this.closed).hasValue(1);
	}

}
