package io.sandbox4j.benchmarks;

import java.nio.file.Files;
import java.nio.file.Path;

import io.sandbox4j.benchmarks.Figure.Limit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

class ReportTests {

	private final Report report = new Report();

	@Test
	void limitsAreAllowedThemselves() {
		assertThat(figure(0.65, Limit.atLeast(0.65)).ok()).isTrue();
		assertThat(figure(0.6499, Limit.atLeast(0.65)).ok()).isFalse();
		assertThat(figure(1.6, Limit.atMost(1.6)).ok()).isTrue();
		assertThat(figure(1.6001, Limit.atMost(1.6)).ok()).isFalse();
		assertThat(figure(1000, null).ok()).isTrue();
		assertThat(Figure.alone("idle", 4096, Limit.atMost(4096)).ok()).isTrue();
		assertThat(Figure.alone("idle", 4097, Limit.atMost(4096)).ok()).isFalse();
	}

	@Test
	void whatIsNoNumberIsNotOk() {
		assertThat(figure(Double.NaN, Limit.atLeast(0.65)).ok()).isFalse();
		assertThat(figure(Double.NaN, Limit.atMost(1.6)).ok()).isFalse();
	}

	@Test
	void checkNamesWhatMissesItsLimit() {
		this.report.add(new Figure("throughput", 60, 100.0, 0.6, Limit.atLeast(0.65)));
		this.report.add(new Figure("latency", 30, 20.0, 1.5, Limit.atMost(1.6)));
		this.report.add(Figure.alone("idle", 5000, Limit.atMost(4096)));
		assertThat(this.report.failures()).containsExactly("throughput: 0.600 is not at least 0.650",
				"idle: 5000 is not at most 4096");
	}

	@Test
	void checkNamesAMissingPeer() {
		this.report.missing("Node", "throughput beside it");
		assertThat(this.report.failures()).containsExactly("Node is not installed: no figures of throughput beside it");
		assertThat(this.report.text()).contains("Node is not installed");
	}

	@Test
	void aFigureIsAJsonRow(@TempDir Path directory) throws Exception {
		this.report.add(Figure.of("throughput", SeriesTests.series(60), SeriesTests.series(100), Limit.atLeast(0.65)));
		this.report.add(Figure.of("extra", SeriesTests.series(60), SeriesTests.series(100), null));
		this.report.add(Figure.alone("idle", 2000, Limit.atMost(4096)));
		Path file = directory.resolve("target").resolve("bench.json");
		this.report.write(file);
		this.report.write(file);
		JsonNode expected = JsonMapper.shared().readTree("""
				[
				{"name": "throughput", "ours": 60.0, "theirs": 100.0, "ratio": 0.6, "limit": 0.65, "ok": false},
				{"name": "extra", "ours": 60.0, "theirs": 100.0, "ratio": 0.6, "limit": null, "ok": true},
				{"name": "idle", "ours": 2000.0, "theirs": null, "ratio": null, "limit": 4096.0, "ok": true}
				]
				""");
		assertThat(JsonMapper.shared().readTree(Files.readString(file))).isEqualTo(expected);
	}

	@Test
	void textIsATable() {
		this.report.add(new Figure("throughput, nginx", 16515.4, 19840.2, 0.8324, Limit.atLeast(0.85)));
		this.report.add(new Figure("latency", 71.145, 71.376, 1.081, null));
		this.report.note("Noise: none.");
		assertThat(this.report.text()).isEqualTo("""
				figure                  ours     theirs   ratio  limit
				throughput, nginx      16515      19840   0.832  at least 0.850 MISSED
				latency               71.145     71.376   1.081
				Noise: none.
				""");
	}

	private static Figure figure(double ratio, Limit limit) {
		return new Figure("figure", 1, 1.0, ratio, limit);
	}

}
