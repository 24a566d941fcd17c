package io.sandbox4j.benchmarks;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import io.sandbox4j.benchmarks.Figure.Limit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

class BenchmarkMainTests {

	@TempDir
	private Path directory;

	private final ByteArrayOutputStream out = new ByteArrayOutputStream();

	private final ByteArrayOutputStream err = new ByteArrayOutputStream();

	@Test
	void withoutAKnownNameThereIsOnlyUsage() {
		assertThat(run((report) -> {
		})).isEqualTo(64);
		assertThat(run((report) -> {
		}, "other")).isEqualTo(64);
		assertThat(run((report) -> {
		}, "fake", "--other")).isEqualTo(64);
		assertThat(text(this.err)).contains("Usage: ./sandbox bench NAME [--check]", "NAME is one of: fake");
		assertThat(text(this.out)).isEmpty();
		assertThat(this.directory).isEmptyDirectory();
	}

	@Test
	void figuresArePrintedAndWritten() throws Exception {
		assertThat(run((report) -> report.add(Figure.alone("idle", 1, Limit.atMost(2))), "fake", "--check")).isZero();
		assertThat(text(this.out)).contains("idle", "at most 2.000", "ok");
		assertThat(Files.readString(this.directory.resolve("bench.json"))).contains("\"name\" : \"idle\"");
		assertThat(text(this.err)).isEmpty();
	}

	@Test
	void aMissedLimitFailsTheCheckOnly() {
		assertThat(run((report) -> report.add(Figure.alone("idle", 3, Limit.atMost(2))), "fake")).isZero();
		assertThat(text(this.err)).isEmpty();
		assertThat(run((report) -> report.add(Figure.alone("idle", 3, Limit.atMost(2))), "fake", "--check"))
			.isEqualTo(1);
		assertThat(text(this.err)).isEqualTo("sandbox: bench fake: idle: 3.000 is not at most 2.000\n");
	}

	@Test
	void aMissingPeerFailsTheCheckOnly() {
		assertThat(run((report) -> report.missing("Node", "throughput"), "fake")).isZero();
		assertThat(run((report) -> report.missing("Node", "throughput"), "fake", "--check")).isEqualTo(1);
		assertThat(text(this.err)).contains("Node is not installed");
	}

	@Test
	void aBenchmarkThatFailsSaysWhy() {
		assertThat(run((report) -> {
			throw new IOException("nginx ended at its start");
		}, "fake")).isEqualTo(1);
		assertThat(text(this.err)).contains("sandbox: bench fake failed: nginx ended at its start");
		assertThat(this.directory).isEmptyDirectory();
	}

	private int run(Measurements measurements, String... args) {
		Benchmark benchmark = new Benchmark() {

			@Override
			public String name() {
				return "fake";
			}

			@Override
			public void run(Scratch scratch, Report report) throws Exception {
				measurements.addTo(report);
			}

		};
		return new BenchmarkMain(List.of(benchmark), this.directory.resolve("bench.json"), print(this.out),
				print(this.err))
			.run(List.of(args));
	}

	private static PrintStream print(ByteArrayOutputStream stream) {
		return new PrintStream(stream, true, StandardCharsets.UTF_8);
	}

	private static String text(ByteArrayOutputStream stream) {
		return stream.toString(StandardCharsets.UTF_8);
	}

	interface Measurements {

		void addTo(Report report) throws Exception;

	}

}
