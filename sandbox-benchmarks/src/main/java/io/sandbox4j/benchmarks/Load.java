package io.sandbox4j.benchmarks;

import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32;

/**
 * Clients that ask a server for the same file again and again, each as soon as it has its
 * answer.
 *
 * @param connections how many clients there are
 * @param request what they send
 * @param bytes how long the body of each answer is
 */
record Load(int connections, byte[] request, long bytes) {

	// The first answers meet new connections and new threads.
	private static final Duration LEAD_IN = Duration.ofMillis(100);

	private static final Duration PATIENCE = Duration.ofSeconds(30);

	// A client that answers faster keeps its last ones.
	private static final int LATENCIES = 1 << 17;

	/**
	 * Measures a server.
	 * @param target the server
	 * @param window for how long
	 * @return what it did
	 * @throws Exception if an answer is wrong, or takes too long
	 */
	Measurement run(Target target, Duration window) throws Exception {
		return Measurement.sum(together(this.connections, target, (channel) -> measure(channel, window)));
	}

	/**
	 * Fetches the file once.
	 * @param target the server
	 * @return the body's CRC-32
	 * @throws Exception if the answer is wrong, or takes too long
	 */
	long checksum(Target target) throws Exception {
		CRC32 checksum = new CRC32();
		together(1, target, (channel) -> new LoadConnection(channel, this.request, checksum).exchange());
		return checksum.getValue();
	}

	private static <T> List<T> together(int count, Target target, Client<T> client) throws Exception {
		ExecutorService clients = Executors.newFixedThreadPool(count);
		try {
			Callable<T> task = () -> {
				try (SocketChannel channel = target.connect()) {
					return client.use(channel);
				}
			};
			List<T> results = new ArrayList<>();
			for (Future<T> result : clients.invokeAll(Collections.nCopies(count, task), PATIENCE.toSeconds(),
					TimeUnit.SECONDS)) {
				results.add(result.get());
			}
			return results;
		}
		catch (CancellationException ex) {
			throw new IOException(target.name() + " left a client without an answer.", ex);
		}
		catch (ExecutionException ex) {
			throw new IOException(target.name() + " failed: " + ex.getCause(), ex);
		}
		finally {
			clients.shutdownNow();
		}
	}

	private Measurement measure(SocketChannel channel, Duration window) throws IOException {
		LoadConnection connection = new LoadConnection(channel, this.request, null);
		long[] latencies = new long[LATENCIES];
		for (long end = System.nanoTime() + LEAD_IN.toNanos(); System.nanoTime() < end;) {
			exchange(connection);
		}
		int count = 0;
		long begin = System.nanoTime();
		long end = begin + window.toNanos();
		long now = begin;
		while (now < end) {
			long sent = now;
			exchange(connection);
			now = System.nanoTime();
			latencies[count++ % LATENCIES] = now - sent;
		}
		return new Measurement(count / ((now - begin) / 1e9), Arrays.copyOf(latencies, Math.min(count, LATENCIES)));
	}

	private void exchange(LoadConnection connection) throws IOException {
		long length = connection.exchange();
		if (length != this.bytes) {
			throw new IOException("An answer has " + length + " bytes instead of " + this.bytes + ".");
		}
	}

	/**
	 * What a server did.
	 *
	 * @param perSecond how many answers it gave in a second
	 * @param latencies how long answers took, in nanoseconds
	 */
	record Measurement(double perSecond, long[] latencies) {

		static Measurement sum(List<Measurement> parts) {
			return new Measurement(parts.stream().mapToDouble(Measurement::perSecond).sum(),
					parts.stream().flatMapToLong((part) -> Arrays.stream(part.latencies)).toArray());
		}

		double medianMicros() {
			long[] sorted = this.latencies.clone();
			Arrays.sort(sorted);
			return sorted[sorted.length / 2] / 1e3;
		}

	}

	/**
	 * Does something over one connection.
	 *
	 * @param <T> what it finds
	 */
	private interface Client<T> {

		/**
		 * Does it.
		 * @param channel the connection
		 * @return what it found
		 * @throws IOException if the answer is wrong
		 */
		T use(SocketChannel channel) throws IOException;

	}

}
