package io.sandbox4j.bubblewrap;

/**
 * The way to the gateway for programs that know {@code http_proxy} only: a process inside
 * the sandbox that hands what comes to a port of its loopback interface to the gateway's
 * socket, and back. It decides nothing; the gateway takes it for what it is, a process of
 * the guest. It runs under the same filter and limits as the command.
 * <p>
 * In Perl, which is where a {@code git} is, and without a module: loading
 * {@code Socket.pm} takes longer than all the rest. So Linux's numbers stand there
 * instead of their names, those that {@link Architecture}'s machines have in common.
 */
final class Relay {

	/**
	 * Where it listens.
	 */
	static final int PORT = 3128;

	/**
	 * What {@code ps} and {@code /proc} call it.
	 */
	static final String NAME = "sandbox-relay";

	private static final int MAX_CONNECTIONS = 256;

	/**
	 * Its standard streams, its listener, and room for what the interpreter opens.
	 */
	private static final int OWN_FILES = 8;

	/**
	 * Binds and listens before it forks, and its parent leaves after that: whoever waited
	 * for it can connect. Its argument is how many connections it serves at once; beyond,
	 * it leaves them in the kernel's queue.
	 * <ul>
	 * <li>One loop over sockets that never block. From a side for whose bytes the other
	 * has no room, {@code $cap}, nothing is read.</li>
	 * <li>The gateway is connected to first: while its own queue is full, the client
	 * stays in the relay's.</li>
	 * <li>When the client has closed, what it sent is passed on and both are closed. A
	 * client that only ended its sending cannot be told from one that left, and a gateway
	 * that works for nobody costs more than such a client, which is rare.</li>
	 * <li>When the gateway has closed, its answer is passed on first. What the client
	 * still sends is read and dropped for a moment: closing over unread bytes would reset
	 * the connection and lose the answer that says why.</li>
	 * <li>A gateway that takes no more bytes can have answered already, so a failed write
	 * to it is no end.</li>
	 * </ul>
	 */
	static final String PROGRAM = """
			my ($max, $cap, $linger, $l) = (shift, 65536, 2);
			$0 = '%s';
			sub fail { print STDERR "$0: $_[0]: $!\\n"; exit 1 }
			# AF_INET, SOCK_STREAM | SOCK_NONBLOCK; IPPROTO_TCP, TCP_NODELAY, which its connections inherit.
			socket($l, 2, 2049, 0) && setsockopt($l, 6, 1, 1)
				&& bind($l, pack('S n C4 x8', 2, %d, 127, 0, 0, 1)) && listen($l, 1024) || fail('cannot listen');
			my $pid = fork;
			defined $pid || fail('cannot fork');
			exit 0 if $pid;
			open STDERR, '>', '/dev/null';
			# Of its own group: a script's 'kill 0' is not meant for it.
			setpgrp 0, 0;
			$SIG{PIPE} = 'IGNORE';
			# AF_UNIX
			my $gateway = pack('S a*', 1, "%s\\0");
			my ($C, $G, $UP, $DOWN, $LEFT, $ENDED, $DEAF, $UNTIL) = (0 .. 7);
			my (@all, $full);
			# EAGAIN, EINTR
			sub later { $! == 11 || $! == 4 }
			sub take {
				my ($k, $from, $to, $end) = @_;
				my $n = sysread $k->[$from], $k->[$to], $cap, length $k->[$to];
				$k->[$end] = 1 unless $n || !defined $n && later();
			}
			sub give {
				my ($k, $from, $to) = @_;
				my $n = syswrite $k->[$to], $k->[$from];
				return later() unless defined $n;
				substr $k->[$from], 0, $n, '';
				1;
			}
			while (1) {
				my ($r, $w, $t) = ('', '');
				if ($full) { ($t, $full) = (0.02, 0) }
				elsif (@all < $max) { vec($r, fileno $l, 1) = 1 }
				for my $k (@all) {
					vec($r, fileno $k->[$C], 1) = 1 if !$k->[$LEFT] && ($k->[$DEAF] || length $k->[$UP] < $cap);
					vec($r, fileno $k->[$G], 1) = 1 if !$k->[$ENDED] && length $k->[$DOWN] < $cap;
					vec($w, fileno $k->[$G], 1) = 1 if length $k->[$UP];
					vec($w, fileno $k->[$C], 1) = 1 if length $k->[$DOWN];
					$t = $linger if $k->[$UNTIL] && !defined $t;
				}
				next if select($r, $w, undef, $t) < 0;
				my @open;
				for my $k (@all) {
					my ($c, $g, $gone) = (fileno $k->[$C], fileno $k->[$G]);
					take($k, $C, $UP, $LEFT) if vec($r, $c, 1);
					take($k, $G, $DOWN, $ENDED) if vec($r, $g, 1);
					$k->[$DEAF] = 1 if $k->[$ENDED] || vec($w, $g, 1) && !give($k, $UP, $G);
					$k->[$UP] = '' if $k->[$DEAF];
					$gone = 1 if vec($w, $c, 1) && !give($k, $DOWN, $C);
					$gone = 1 if $k->[$LEFT] && !length $k->[$UP];
					if ($k->[$ENDED] && !length $k->[$DOWN]) {
						if (!$k->[$UNTIL]) { shutdown $k->[$C], 1; $k->[$UNTIL] = time + $linger }
						elsif (time > $k->[$UNTIL]) { $gone = 1 }
					}
					if ($gone) { close $k->[$C]; close $k->[$G] }
					else { push @open, $k }
				}
				@all = @open;
				if (vec($r, fileno $l, 1)) {
					my ($c, $g);
					my $up = socket($g, 1, 2049, 0) && connect($g, $gateway);
					if (!$up && later()) { $full = 1; next }
					accept($c, $l) || next;
					# F_SETFL, O_NONBLOCK
					push @all, [$c, $g, '', ''] if $up && fcntl($c, 4, 2048);
				}
			}
			""".formatted(NAME, PORT, GuestEnvironment.SOCKET);

	private Relay() {
	}

	/**
	 * Returns how many connections fit into a command's limits, two files each.
	 * @param limits the limits
	 * @return the count
	 */
	static int connections(ResourceLimits limits) {
		return (int) Math.max(1, Math.min(MAX_CONNECTIONS, (limits.openFiles() - OWN_FILES) / 2));
	}

}
