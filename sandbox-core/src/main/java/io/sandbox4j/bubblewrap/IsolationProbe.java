package io.sandbox4j.bubblewrap;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import io.sandbox4j.ExecSpec;
import io.sandbox4j.Isolation;
import io.sandbox4j.Isolation.Check;
import io.sandbox4j.OutputSink;
import io.sandbox4j.Restriction;
import io.sandbox4j.SandboxDriver.Exit;
import io.sandbox4j.storage.ProcessIdentity;

/**
 * Runs one real sandbox, with the very arguments of every other, and lets it try what
 * must not work. The shell's built-ins do the trying, so that a root file system needs
 * nothing else; only the relay, which is no part of the isolation, needs an interpreter.
 */
final class IsolationProbe {

	private static final Duration TIMEOUT = Duration.ofSeconds(10);

	private static final String SCRIPT = """
			while read -r k v; do case $k in
			CapInh:|CapPrm:|CapEff:|CapBnd:|CapAmb:) echo "cap $v";;
			NoNewPrivs:) echo "nnp $v";;
			Seccomp:) echo "seccomp $v";;
			esac; done </proc/self/status
			for f in 0 1 2 3 4 5 6 7 8 9 10 11 12; do [ -e /proc/self/fd/$f ] && echo "fd $f"; done
			t() { (: >>"$1") 2>/dev/null && echo "wrote $1"; }
			t /probe; t /usr/probe; t /etc/probe; t /dev/probe; t /proc/sys/kernel/core_pattern
			t /proc/sys/vm/overcommit_memory; t /proc/1/oom_score_adj; t /tmp/probe; t /workspace/probe; t /dev/shm/probe
			t /run/probe; t /run/sandbox/probe
			while read -r l; do case $l in *:*) echo "net ${l%%:*}";; esac; done </proc/net/dev
			for p in /proc/[0-9]*; do echo "pid ${p#/proc/}"; done
			for p in /root /home /sys /run/user /var /boot /etc/shadow /etc/machine-id; do [ -e "$p" ] && echo "sees $p"; done
			while read -r l; do case $l in 'Max open files'*|'Max processes'*|'Max core'*|'Max file size'*|'Max cpu'*) echo "limit $l";; esac; done </proc/self/limits
			tr '\\0' '\\n' </proc/1/environ 2>/dev/null | while read -r l; do echo "environ ${l%%=*}"; done
			for p in /run/* /run/sandbox/*; do [ -e "$p" ] && echo "run $p"; done
			PATH=/usr/bin:/bin perl -e "$1" 1 </dev/null >/dev/null 2>&1 && echo "relay listens"
			echo done
			read -r x
			""";

	private final LaunchPlan plan;

	private final GuestContext context;

	private final HostDiagnosis diagnosis;

	private final ResourceLimits limits;

	private boolean relay;

	IsolationProbe(LaunchPlan plan, GuestContext context, HostDiagnosis diagnosis, ResourceLimits limits) {
		this.plan = plan;
		this.context = context;
		this.diagnosis = diagnosis;
		this.limits = limits;
	}

	Isolation run() {
		Answers answers = new Answers();
		String mark = "probe" + System.nanoTime();
		ExecSpec command = ExecSpec.of("/bin/sh", "-c", SCRIPT, "probe", Relay.PROGRAM);
		Guest guest = Guest.launch(this.plan.command(), GuestCommand.of("probe", mark, command, GuestEnvironment.BASE),
				answers, this.context);
		try {
			CompletableFuture.anyOf(answers.done, guest.exit()).get(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
			if (!answers.done.isDone()) {
				throw this.diagnosis.explain(describe(guest.exit().join(), answers));
			}
			this.relay = !answers.of("relay").isEmpty();
			List<Check> checks = checks(answers, guest);
			// The last: it ends what the others look at.
			checks.add(canEnd(guest));
			return new Isolation(checks);
		}
		catch (TimeoutException ex) {
			throw this.diagnosis.explain("the probe did not answer within " + TIMEOUT.toSeconds() + " s");
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw this.diagnosis.explain("the probe was interrupted");
		}
		catch (ExecutionException ex) {
			throw this.diagnosis.explain(String.valueOf(ex.getMessage()));
		}
		finally {
			guest.kill();
			guest.exit().orTimeout(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS).exceptionally((ex) -> null).join();
		}
	}

	/**
	 * Returns whether a relay could be started.
	 * @return {@code true} if it listened
	 */
	boolean relayStarts() {
		return this.relay;
	}

	private static String describe(Exit exit, Answers answers) {
		String words = exit.reason().isEmpty() ? "the probe ended with exit code " + exit.value() : exit.reason();
		return answers.errors.isEmpty() ? words : words + " " + answers.errors.toString().strip();
	}

	private List<Check> checks(Answers answers, Guest guest) {
		List<Check> checks = new ArrayList<>();
		ProcessIdentity init = guest.init();
		String uids = (init != null) ? HostProcess.field(init.pid(), "Uid") : "";
		add(checks, "outside-user-not-root", Restriction.PROCESS_CONTAINED,
				!uids.isEmpty() && !List.of(uids.split("\\s+")).contains("0"), "uids outside: " + uids);
		add(checks, "no-capabilities", Restriction.PROCESS_CONTAINED,
				answers.of("cap").size() == 5 && answers.of("cap").stream().allMatch((cap) -> cap.matches("0+")),
				"capability sets: " + answers.of("cap"));
		add(checks, "no-new-privileges", Restriction.PROCESS_CONTAINED, answers.of("nnp").equals(List.of("1")),
				"NoNewPrivs: " + answers.of("nnp"));
		add(checks, "seccomp-filter", Restriction.PROCESS_CONTAINED, answers.of("seccomp").equals(List.of("2")),
				"Seccomp: " + answers.of("seccomp"));
		add(checks, "own-process-namespace", Restriction.PROCESS_CONTAINED,
				answers.of("pid").contains("1") && answers.of("pid").size() <= 3, "pids: " + answers.of("pid"));
		List<String> wrote = answers.of("wrote");
		add(checks, "only-workspace-and-scratch-writable", Restriction.WRITE_CONTAINED,
				wrote.equals(List.of("/tmp/probe", "/workspace/probe", "/dev/shm/probe")), "writable: " + wrote);
		add(checks, "host-files-hidden", Restriction.SECRETS_HIDDEN, answers.of("sees").isEmpty(),
				"visible: " + answers.of("sees"));
		add(checks, "descriptors-closed", Restriction.SECRETS_HIDDEN, answers.of("fd").equals(List.of("0", "1", "2")),
				"descriptors: " + answers.of("fd"));
		add(checks, "environment-empty", Restriction.SECRETS_HIDDEN,
				List.of("PWD", "OLDPWD", "_", "SHLVL").containsAll(answers.of("environ")),
				"init's environment: " + answers.of("environ"));
		boolean ownNetwork = answers.of("net").stream().map(String::strip).toList().equals(List.of("lo"))
				&& separateNetwork(guest);
		add(checks, "own-network-namespace", Restriction.NETWORK_DENIED, ownNetwork,
				"interfaces: " + answers.of("net"));
		add(checks, "gateway-only-way-out", Restriction.EGRESS_BROKERED,
				ownNetwork && answers.of("run").equals(List.of(GuestEnvironment.DIRECTORY)),
				"interfaces: " + answers.of("net") + ", in /run: " + answers.of("run"));
		addLimits(checks, answers);
		return checks;
	}

	private void addLimits(List<Check> checks, Answers answers) {
		Map<String, String> set = new TreeMap<>();
		answers.of("limit").forEach((line) -> {
			String[] columns = line.split("\\s{2,}");
			if (columns.length > 2) {
				set.put(columns[0], columns[1]);
			}
		});
		boolean held = Long.toString(this.limits.openFiles()).equals(set.get("Max open files"))
				&& "0".equals(set.get("Max core file size")) && !"unlimited".equals(set.get("Max file size"))
				&& !"unlimited".equals(set.get("Max cpu time")) && (this.limits.processes() == 0
						|| Long.toString(this.limits.processes()).equals(set.get("Max processes")));
		add(checks, "resource-limits", Restriction.RESOURCES_BOUNDED, held, "soft limits: " + set);
	}

	// Root without CAP_KILL may start what it may not end.
	private static Check canEnd(Guest guest) {
		ProcessIdentity init = guest.init();
		boolean sent = init != null
				&& ProcessHandle.of(init.pid()).map(ProcessHandle::destroyForcibly).orElse(Boolean.FALSE);
		return new Check("processes-can-be-ended", Restriction.PROCESS_CONTAINED, sent,
				sent ? "the kernel took the signal"
						: "the application may not signal its sandboxes; as root it needs the capability KILL");
	}

	private static boolean separateNetwork(Guest guest) {
		try {
			String own = Files.readSymbolicLink(Path.of("/proc/self/ns/net")).toString();
			return !guest.networkNamespace().isEmpty() && !own.contains("[" + guest.networkNamespace() + "]");
		}
		catch (IOException ex) {
			return false;
		}
	}

	private static void add(List<Check> checks, String name, Restriction restriction, boolean held, String detail) {
		checks.add(new Check(name, restriction, held, detail));
	}

	/**
	 * Collects the probe's lines: a word, a space, a value.
	 */
	private static final class Answers implements OutputSink {

		private final CompletableFuture<Void> done = new CompletableFuture<>();

		private final StringBuilder text = new StringBuilder();

		private final StringBuffer errors = new StringBuffer();

		@Override
		public synchronized void stdout(byte[] buffer, int offset, int length) {
			this.text.append(new String(buffer, offset, length, StandardCharsets.UTF_8));
			if (this.text.indexOf("done\n") >= 0) {
				this.done.complete(null);
			}
		}

		@Override
		public void stderr(byte[] buffer, int offset, int length) {
			if (this.errors.length() < 4096) {
				this.errors.append(new String(buffer, offset, length, StandardCharsets.UTF_8));
			}
		}

		private synchronized List<String> of(String word) {
			return this.text.toString()
				.lines()
				.filter((line) -> line.startsWith(word + " "))
				.map((line) -> line.substring(word.length() + 1))
				.toList();
		}

	}

}
