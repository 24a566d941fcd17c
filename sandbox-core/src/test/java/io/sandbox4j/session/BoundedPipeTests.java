package io.sandbox4j.session;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CompletableFuture;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;

@Timeout(60)
class BoundedPipeTests {

	private static final Duration LONG = Duration.ofSeconds(30);

	private final BoundedPipe pipe = new BoundedPipe();

	private final InputStream reader = this.pipe.reader();

	@Test
	void bytesComeOutInTheirOrder() throws IOException {
		write("xabcx", 1, 3);
		write("de", 0, 2);
		this.pipe.finish();
		assertThat(this.reader.available()).isEqualTo(5);
		assertThat(this.reader.read()).isEqualTo('a');
		assertThat(this.reader.readNBytes(3)).asString().isEqualTo("bcd");
		assertThat(this.reader.readAllBytes()).asString().isEqualTo("e");
		assertThat(this.reader.read()).isEqualTo(-1);
	}

	@Test
	void aByteIsNoNegativeNumber() throws IOException {
		this.pipe.write(new byte[] { (byte) 0xff }, 0, 1);
		assertThat(this.reader.read()).isEqualTo(0xff);
	}

	@Test
	void theWriterMayChangeItsBuffer() throws IOException {
		byte[] buffer = { 1 };
		this.pipe.write(buffer, 0, 1);
		buffer[0] = 2;
		assertThat(this.reader.read()).isEqualTo(1);
	}

	@Test
	void aReaderWaitsForBytes() {
		CompletableFuture<Integer> read = CompletableFuture.supplyAsync(this::read);
		assertThat(read).isNotDone();
		this.pipe.write(new byte[] { 7 }, 0, 1);
		assertThat(read).succeedsWithin(LONG).isEqualTo(7);
	}

	@Test
	void aReaderWaitsForTheEnd() {
		CompletableFuture<Integer> read = CompletableFuture.supplyAsync(this::read);
		this.pipe.finish();
		assertThat(read).succeedsWithin(LONG).isEqualTo(-1);
	}

	@Test
	void aWriterWaitsForAReader() throws IOException {
		fill();
		CompletableFuture<Void> written = CompletableFuture.runAsync(() -> this.pipe.write(new byte[10], 0, 10));
		assertThat(written).isNotDone();
		this.reader.readNBytes(BoundedPipe.CAPACITY);
		assertThat(written).succeedsWithin(LONG);
		assertThat(this.reader.available()).isEqualTo(10);
	}

	@Test
	void oneWriteOfAnySizeWaitsToo() throws IOException {
		int size = 50 * BoundedPipe.CAPACITY;
		CompletableFuture<Void> written = CompletableFuture.runAsync(() -> {
			this.pipe.write(new byte[size], 0, size);
			this.pipe.finish();
		});
		assertThat(this.reader.readNBytes(1)).hasSize(1);
		assertThat(written).isNotDone();
		assertThat(this.reader.available()).isLessThanOrEqualTo(2 * BoundedPipe.CAPACITY);
		assertThat(this.reader.readAllBytes()).hasSize(size - 1);
		assertThat(written).succeedsWithin(LONG);
	}

	@Test
	void aReleasedWriterWaitsNoMore() throws IOException {
		fill();
		CompletableFuture<Void> written = CompletableFuture.runAsync(() -> this.pipe.write(new byte[10], 0, 10));
		this.pipe.release();
		assertThat(written).succeedsWithin(LONG);
		this.pipe.finish();
		assertThat(this.reader.readAllBytes()).as("nothing is lost").hasSize(BoundedPipe.CAPACITY + 10);
	}

	@Test
	void aClosedReaderLetsTheWriterGoOn() throws IOException {
		fill();
		CompletableFuture<Void> written = CompletableFuture
			.runAsync(() -> this.pipe.write(new byte[1_000_000], 0, 1_000_000));
		this.reader.close();
		assertThat(written).succeedsWithin(LONG);
		assertThatIOException().isThrownBy(this.reader::read);
		assertThat(this.reader.available()).isZero();
	}

	@Test
	void closingEndsAReadThatWaits() throws IOException {
		CompletableFuture<Integer> read = CompletableFuture.supplyAsync(this::read);
		this.reader.close();
		assertThat(read).failsWithin(LONG);
	}

	@Test
	void anInterruptEndsAReadThatWaits() {
		CompletableFuture<Boolean> flag = new CompletableFuture<>();
		Thread waiting = new Thread(() -> {
			assertThatExceptionOfType(InterruptedIOException.class).isThrownBy(this.reader::read);
			flag.complete(Thread.currentThread().isInterrupted());
		});
		waiting.start();
		Awaitility.await().until(() -> waiting.getState() == Thread.State.WAITING);
		waiting.interrupt();
		assertThat(flag).succeedsWithin(LONG).isEqualTo(true);
	}

	@Test
	void everyByteArrivesWhateverThePiecesAre() throws IOException {
		byte[] sent = new byte[1_000_000];
		Random random = new Random(1);
		random.nextBytes(sent);
		CompletableFuture<Void> written = CompletableFuture.runAsync(() -> {
			Random pieces = new Random(2);
			for (int at = 0; at < sent.length;) {
				int length = Math.min(sent.length - at, pieces.nextInt(40_000));
				this.pipe.write(sent, at, length);
				at += length;
			}
			this.pipe.finish();
		});
		byte[] received = new byte[sent.length];
		int at = 0;
		for (int count = 0; count >= 0; at += count) {
			count = this.reader.read(received, at, Math.min(received.length - at, 1 + random.nextInt(30_000)));
			if (count <= 0) {
				break;
			}
		}
		assertThat(received).isEqualTo(sent);
		assertThat(written).succeedsWithin(LONG);
	}

	private void fill() {
		this.pipe.write(new byte[BoundedPipe.CAPACITY], 0, BoundedPipe.CAPACITY);
	}

	private void write(String text, int offset, int length) {
		this.pipe.write(text.getBytes(), offset, length);
	}

	private int read() {
		try {
			return this.reader.read();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
