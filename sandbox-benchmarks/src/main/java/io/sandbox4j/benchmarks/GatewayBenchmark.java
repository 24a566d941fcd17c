package io.sandbox4j.benchmarks;

import java.nio.file.Files;
import java.nio.file.Path;

import io.sandbox4j.benchmarks.Figure.Limit;

/**
 * The gateway beside nginx and Node as proxies, and what it costs when nobody uses it.
 */
final class GatewayBenchmark implements Benchmark {

	private static final double IDLE_BYTES = 4096;

	@Override
	public String name() {
		return "gateway";
	}

	@Override
	public void run(Scratch scratch, Report report) throws Exception {
		String load = Files.readString(Path.of("/proc/loadavg")).split(" ")[0];
		if (Nginx.isInstalled()) {
			String spreads = ProxyComparison.start(scratch, report).run();
			report.note("Noise: nginx's own rounds are apart by " + spreads + "; the load average was " + load
					+ " before, on " + Runtime.getRuntime().availableProcessors() + " processors.");
		}
		else {
			// It is the upstream too.
			report.missing("nginx", "throughput and latency");
		}
		report.add(Figure.alone("idle listener, resident bytes", GatewayPeer.bytesPerIdleListener(scratch),
				Limit.atMost(IDLE_BYTES)));
	}

}
