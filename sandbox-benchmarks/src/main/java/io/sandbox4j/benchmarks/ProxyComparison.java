package io.sandbox4j.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.zip.CRC32;

import io.sandbox4j.benchmarks.Figure.Limit;
import io.sandbox4j.benchmarks.Upstream.Body;
import org.jspecify.annotations.Nullable;

/**
 * Compares proxies from a Unix socket to the same upstream that all add a credential,
 * with the same clients.
 */
final class ProxyComparison {

	private static final int ROUNDS = 5;

	private static final double MIB = 1024 * 1024;

	private final Upstream upstream;

	private final GatewayPeer gateway;

	private final Target ours;

	private final Target unredacted;

	private final Target nginx;

	private final @Nullable Target node;

	private final Report report;

	private final List<String> spreads = new ArrayList<>();

	private ProxyComparison(Upstream upstream, GatewayPeer gateway, Target nginx, @Nullable Target node,
			Report report) {
		this.upstream = upstream;
		this.gateway = gateway;
		this.ours = gateway.redacting();
		this.unredacted = gateway.unredacted();
		this.nginx = nginx;
		this.node = node;
		this.report = report;
	}

	static ProxyComparison start(Scratch scratch, Report report) throws IOException {
		Upstream upstream = Upstream.start(scratch);
		Target nginx = NginxPeer.start(scratch, upstream);
		Target node = null;
		if (NodePeer.isInstalled()) {
			node = NodePeer.start(scratch, upstream);
		}
		else {
			report.missing("Node", "throughput beside it");
		}
		return new ProxyComparison(upstream, GatewayPeer.start(scratch, upstream), nginx, node, report);
	}

	/**
	 * Compares.
	 * @return how far nginx's own rounds are apart
	 * @throws Exception if a proxy fails
	 */
	String run() throws Exception {
		verify();
		small();
		large();
		latency();
		stream();
		return String.join(", ", this.spreads);
	}

	// All of them do the same: the file, byte for byte.
	private void verify() throws Exception {
		for (Body body : Body.values()) {
			CRC32 expected = new CRC32();
			expected.update(Files.readAllBytes(this.upstream.files().resolve(body.file())));
			for (Target proxy : withNode(List.of(this.ours, this.unredacted, this.nginx))) {
				if (load(1, body).checksum(proxy) != expected.getValue()) {
					throw new IOException(proxy.name() + " changed " + body.file());
				}
			}
		}
	}

	private void small() throws Exception {
		String name = "16 connections, 1 KiB, answers/s";
		Load load = load(16, Body.SMALL);
		List<Target> proxies = withNode(List.of(this.ours, this.unredacted, this.nginx));
		// Long enough for the compiler of a JVM, which is not what is measured.
		warm(proxies, load, Duration.ofMillis(2500));
		Rounds<Target> rounds = Rounds.run(ROUNDS, proxies,
				(proxy) -> load.run(proxy, Duration.ofMillis(1300)).perSecond());
		compare(name + ", nginx", rounds, this.ours, this.nginx, Limit.atLeast(0.65));
		if (this.node != null) {
			compare(name + ", Node", rounds, this.ours, this.node, Limit.atLeast(2));
		}
		compare(name + ", unredacted, nginx", rounds, this.unredacted, this.nginx, null);
		spread("16 connections, 1 KiB", rounds);
	}

	private void large() throws Exception {
		String name = "16 connections, 1 MiB, answers/s";
		Load load = load(16, Body.LARGE);
		List<Target> proxies = List.of(this.ours, this.unredacted, this.nginx);
		warm(proxies, load, Duration.ofSeconds(1));
		Rounds<Target> rounds = Rounds.run(ROUNDS, proxies,
				(proxy) -> load.run(proxy, Duration.ofSeconds(1)).perSecond());
		compare(name + ", nginx", rounds, this.ours, this.nginx, Limit.atLeast(0.7));
		compare(name + ", unredacted, nginx", rounds, this.unredacted, this.nginx, null);
		spread("16 connections, 1 MiB", rounds);
	}

	private void latency() throws Exception {
		Load load = load(1, Body.SMALL);
		List<Target> proxies = List.of(this.ours, this.nginx);
		warm(proxies, load, Duration.ofSeconds(1));
		Rounds<Target> rounds = Rounds.run(ROUNDS, proxies,
				(proxy) -> load.run(proxy, Duration.ofMillis(800)).medianMicros());
		compare("1 connection, 1 KiB, median us, nginx", rounds, this.ours, this.nginx, Limit.atMost(1.6));
		spread("1 connection", rounds);
	}

	private void stream() throws Exception {
		Load load = load(1, Body.HUGE);
		List<Target> proxies = List.of(this.ours, this.nginx);
		warm(proxies, load, Duration.ofSeconds(1));
		long before = this.gateway.resetPeakMemory();
		Rounds<Target> rounds = Rounds.run(ROUNDS, proxies,
				(proxy) -> load.run(proxy, Duration.ofSeconds(1)).perSecond() * load.bytes() / MIB);
		double growth = (this.gateway.peakMemory() - before) / MIB;
		compare("1 connection, 64 MiB streamed, MiB/s, nginx", rounds, this.ours, this.nginx, Limit.atLeast(0.5));
		// A quarter of one body, while dozens pass.
		this.report.add(Figure.alone("1 connection, 64 MiB streamed, resident MiB more", growth, Limit.atMost(16)));
		spread("64 MiB", rounds);
	}

	private void compare(String name, Rounds<Target> rounds, Target ours, Target theirs, @Nullable Limit limit) {
		this.report.add(Figure.of(name, rounds.of(ours), rounds.of(theirs), limit));
	}

	private void spread(String what, Rounds<Target> rounds) {
		this.spreads.add(String.format(Locale.ROOT, "%.0f %% (%s)", 100 * rounds.of(this.nginx).spread(), what));
	}

	private static void warm(List<Target> proxies, Load load, Duration window) throws Exception {
		for (Target proxy : proxies) {
			load.run(proxy, window);
		}
	}

	private Load load(int connections, Body body) {
		return new Load(connections, this.upstream.request(body), body.bytes());
	}

	private List<Target> withNode(List<Target> proxies) {
		List<Target> all = new ArrayList<>(proxies);
		if (this.node != null) {
			all.add(this.node);
		}
		return all;
	}

}
