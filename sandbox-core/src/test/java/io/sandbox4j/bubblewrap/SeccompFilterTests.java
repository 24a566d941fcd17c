package io.sandbox4j.bubblewrap;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Runs the generated programs on {@link BpfMachine}, for both architectures.
 */
class SeccompFilterTests {

	private static final int ALLOW = 0x7FFF0000;

	private static final int KILL_PROCESS = 0x80000000;

	private static final int EPERM = 0x00050000 | 1;

	private static final int ENOSYS = 0x00050000 | 38;

	private static final int EAFNOSUPPORT = 0x00050000 | 97;

	private static final long HIGH_BITS = 0xDEADBEEF00000000L;

	// read, write, openat, close, mmap, mprotect, brk, execve, execveat, exit_group,
	// futex,
	// wait4, waitid, kill, prctl, seccomp, getrandom, epoll_pwait, connect, bind,
	// accept4,
	// memfd_create, get_mempolicy, sched_getaffinity, timer_create, rseq, statx, mknodat,
	// inotify_init1, pidfd_send_signal, pidfd_open, close_range, openat2, faccessat2,
	// landlock (3), memfd_secret, process_mrelease, futex_waitv, statmount, listmount
	private static final Map<Architecture, int[]> NEEDED = Map.of(Architecture.X86_64,
			new int[] {
					0, 1, 257, 3, 9, 10, 12, 59, 322, 231, 202, 61, 247, 62, 157, 317, 318, 281, 42, 49, 288, 319, 239,
					204, 222, 334, 332, 259, 294, 424, 434, 436, 437, 439, 444, 445, 446, 447, 448, 449, 457, 458 },
			Architecture.AARCH64,
			new int[] { 63, 64, 56, 57, 222, 226, 214, 221, 281, 94, 98, 260, 95, 129, 167, 277, 278, 22, 203, 200, 242,
					279, 236, 123, 107, 293, 291, 33, 26, 424, 434, 436, 437, 439, 444, 445, 446, 447, 448, 449, 457,
					458 });

	@Test
	void hasARuleForEveryCallOfTheHeaders() {
		Map<String, Call> calls = Call.read().stream().collect(Collectors.toMap(Call::name, Function.identity()));
		assertThat(Arrays.stream(Syscall.values()).map((call) -> call.name().toLowerCase(Locale.ROOT)))
			.containsExactlyInAnyOrderElementsOf(
					calls.keySet().stream().map((name) -> name.replaceFirst("^_", "")).toList());
		for (Syscall syscall : Syscall.values()) {
			String name = syscall.name().toLowerCase(Locale.ROOT);
			Call call = (syscall != Syscall.SYSCTL) ? calls.get(name) : calls.get("_" + name);
			for (Architecture architecture : Architecture.values()) {
				assertThat(syscall.number(architecture)).as(name).isEqualTo(call.number(architecture));
			}
		}
	}

	@ParameterizedTest
	@EnumSource
	void deniesEveryListedCall(Architecture architecture) {
		Filter filter = new Filter(architecture);
		for (Call call : Call.read()) {
			if (!call.answer().equals("args") && call.number(architecture).isPresent()) {
				int expected = call.answer().equals("ENOSYS") ? ENOSYS : EPERM;
				int number = call.number(architecture).getAsInt();
				assertThat(filter.answer(number)).as(call.name()).isEqualTo(expected);
				assertThat(filter.answer(number, -1, -1, -1, -1, -1, -1)).as(call.name()).isEqualTo(expected);
			}
		}
	}

	@ParameterizedTest
	@EnumSource
	void allowsWhateverIsNotListed(Architecture architecture) {
		Filter filter = new Filter(architecture);
		Set<Integer> listed = Call.read()
			.stream()
			.flatMapToInt((call) -> call.number(architecture).stream())
			.boxed()
			.collect(Collectors.toSet());
		for (int number = 0; number < 1024; number++) {
			boolean x32 = architecture == Architecture.X86_64 && number >= 512 && number <= 547;
			if (!listed.contains(number) && !x32) {
				assertThat(filter.answer(number)).as("call %d", number).isEqualTo(ALLOW);
			}
		}
	}

	@ParameterizedTest
	@EnumSource
	void allowsWhatProgramsNeedWithoutReadingArguments(Architecture architecture) {
		Filter filter = new Filter(architecture);
		for (int number : NEEDED.get(architecture)) {
			assertThat(filter.answer(number)).as("call %d", number).isEqualTo(ALLOW);
			assertThat(filter.machine.loaded()).as("what the kernel can decide ahead of time").containsExactly(0, 4);
		}
	}

	@ParameterizedTest
	@EnumSource
	void killsAForeignArchitecture(Architecture architecture) {
		Filter filter = new Filter(architecture);
		int i386 = 0x40000003;
		int arm = 0x40000028;
		int aarch64BigEndian = 0x800000B7;
		Architecture other = (architecture == Architecture.X86_64) ? Architecture.AARCH64 : Architecture.X86_64;
		for (int arch : new int[] { i386, arm, aarch64BigEndian, other.auditArch(), 0, -1 }) {
			for (int number : new int[] { 0, 1, 63, 102, 359, 0x40000000, -1 }) {
				assertThat(filter.machine.answer(arch, number)).isEqualTo(KILL_PROCESS);
			}
		}
	}

	@Test
	void refusesX32WithAndWithoutItsBit() {
		Filter filter = new Filter(Architecture.X86_64);
		IntStream.range(0, 600).forEach((number) -> assertThat(filter.answer(0x40000000 | number)).isEqualTo(ENOSYS));
		assertThat(filter.answer(-1)).isEqualTo(ENOSYS);
		assertThat(filter.answer(0x80000000)).isEqualTo(ENOSYS);
		IntStream.rangeClosed(512, 547).forEach((number) -> assertThat(filter.answer(number)).isEqualTo(ENOSYS));
		assertThat(filter.answer(511)).isEqualTo(ALLOW);
		assertThat(filter.answer(548)).isEqualTo(ALLOW);
	}

	@ParameterizedTest
	@EnumSource
	void allowsFourSocketFamilies(Architecture architecture) {
		Filter filter = new Filter(architecture);
		int socket = Syscall.SOCKET.number(architecture).getAsInt();
		for (int family = 0; family < 64; family++) {
			int expected = List.of(1, 2, 10, 16).contains(family) ? ALLOW : EAFNOSUPPORT;
			for (long type : new long[] { 1, 2, 3, 5, 0x80801 }) {
				assertThat(filter.answer(socket, family, type, 0)).as("family %d", family).isEqualTo(expected);
				assertThat(filter.answer(socket, HIGH_BITS | family, HIGH_BITS | type, HIGH_BITS))
					.as("family %d", family)
					.isEqualTo(expected);
			}
		}
		assertThat(filter.answer(socket, -1, 1, 0)).isEqualTo(EAFNOSUPPORT);
	}

	@ParameterizedTest
	@EnumSource
	void allowsNoNetlinkProtocolBesideRoute(Architecture architecture) {
		Filter filter = new Filter(architecture);
		int socket = Syscall.SOCKET.number(architecture).getAsInt();
		for (int protocol = -1; protocol < 32; protocol++) {
			int expected = (protocol == 0) ? ALLOW : EAFNOSUPPORT;
			assertThat(filter.answer(socket, 16, 3, protocol)).as("protocol %d", protocol).isEqualTo(expected);
			assertThat(filter.answer(socket, 16, 3, HIGH_BITS | Integer.toUnsignedLong(protocol)))
				.as("protocol %d", protocol)
				.isEqualTo(expected);
		}
	}

	@ParameterizedTest
	@EnumSource
	void knowsDeniedFamiliesByTheirOtherNames(Architecture architecture) {
		Filter filter = new Filter(architecture);
		int socket = Syscall.SOCKET.number(architecture).getAsInt();
		int packet = 10;
		int smc = 256;
		for (long family : new long[] { 2, 10 }) {
			assertThat(filter.answer(socket, family, packet, 0)).isEqualTo(EAFNOSUPPORT);
			assertThat(filter.answer(socket, family, HIGH_BITS | 0x80800 | packet, 0)).isEqualTo(EAFNOSUPPORT);
			assertThat(filter.answer(socket, family, 1, HIGH_BITS | smc)).isEqualTo(EAFNOSUPPORT);
			for (long protocol : new long[] { 0, 1, 6, 17, 58, 132, 255, 262 }) {
				assertThat(filter.answer(socket, family, 1, protocol)).isEqualTo(ALLOW);
			}
		}
	}

	@ParameterizedTest
	@EnumSource
	void pairsUnixSocketsOnly(Architecture architecture) {
		Filter filter = new Filter(architecture);
		int socketpair = Syscall.SOCKETPAIR.number(architecture).getAsInt();
		for (int family = -1; family < 64; family++) {
			int expected = (family == 1) ? ALLOW : EAFNOSUPPORT;
			assertThat(filter.answer(socketpair, family, 1)).as("family %d", family).isEqualTo(expected);
			assertThat(filter.answer(socketpair, HIGH_BITS | Integer.toUnsignedLong(family), 1)).isEqualTo(expected);
		}
	}

	@ParameterizedTest
	@CsvSource({ "0x00020000", "0x02000000", "0x04000000", "0x08000000", "0x10000000", "0x20000000", "0x40000000" })
	void refusesACloneIntoANewNamespace(String flag) {
		int namespace = Integer.decode(flag);
		for (Architecture architecture : Architecture.values()) {
			Filter filter = new Filter(architecture);
			int clone = Syscall.CLONE.number(architecture).getAsInt();
			assertThat(filter.answer(clone, namespace)).isEqualTo(EPERM);
			assertThat(filter.answer(clone, HIGH_BITS | namespace | 17)).isEqualTo(EPERM);
			assertThat(filter.answer(clone, namespace | 0x3D0F00)).isEqualTo(EPERM);
			assertThat(filter.answer(clone, -1)).isEqualTo(EPERM);
		}
	}

	// A pthread, a fork by glibc, a bare fork, a vfork or posix_spawn, a fork with a
	// pidfd,
	// CLONE_PARENT and CLONE_IO.
	@ParameterizedTest
	@CsvSource({ "0x3D0F00", "0x01200011", "0x11", "0x4111", "0x1011", "0x80008011" })
	void allowsACloneForAThreadOrAChild(String flags) {
		for (Architecture architecture : Architecture.values()) {
			Filter filter = new Filter(architecture);
			int clone = Syscall.CLONE.number(architecture).getAsInt();
			assertThat(filter.answer(clone, Long.decode(flags), -1, -1, -1, -1)).isEqualTo(ALLOW);
		}
	}

	@ParameterizedTest
	@EnumSource
	void refusesToTypeIntoATerminal(Architecture architecture) {
		Filter filter = new Filter(architecture);
		int ioctl = Syscall.IOCTL.number(architecture).getAsInt();
		for (long request : new long[] { 0x5412, 0x541C }) {
			assertThat(filter.answer(ioctl, 0, request)).isEqualTo(EPERM);
			assertThat(filter.answer(ioctl, 0, HIGH_BITS | request)).isEqualTo(EPERM);
			assertThat(filter.answer(ioctl, 0, request | 0x10000)).isEqualTo(ALLOW);
		}
		for (long request : new long[] { 0, 0x5401, 0x5402, 0x540E, 0x540F, 0x5410, 0x5411, 0x5413, 0x5414, 0x541B,
				0x541D, 0x5421, 0x5450, 0x5451, 0x8912, 0x80045430L, -1 }) {
			assertThat(filter.answer(ioctl, 0x5412, request, 0x5412)).isEqualTo(ALLOW);
		}
	}

	@ParameterizedTest
	@EnumSource
	void allowsTheDefaultPersonalityOnly(Architecture architecture) {
		Filter filter = new Filter(architecture);
		int personality = Syscall.PERSONALITY.number(architecture).getAsInt();
		for (long value : new long[] { 0, 0xFFFFFFFFL, -1, HIGH_BITS }) {
			assertThat(filter.answer(personality, value)).isEqualTo(ALLOW);
		}
		for (long value : new long[] { 8, 0x20000, 0x40000, 0x100000, 0x400000, 0xFFFFFFFEL, HIGH_BITS | 0x40000 }) {
			assertThat(filter.answer(personality, value)).isEqualTo(EPERM);
		}
	}

	@ParameterizedTest
	@EnumSource
	void isAProgramTheKernelLoads(Architecture architecture) {
		byte[] bytes = SeccompFilter.forArchitecture(architecture).bytes();
		BpfMachine machine = new BpfMachine(bytes);
		assertThat(machine.length()).isEqualTo(bytes.length / 8).isBetween(100, 4096);
		assertThat(machine.unreachable()).isZero();
	}

	@Test
	void givesAwayCopies() {
		SeccompFilter filter = SeccompFilter.current();
		byte[] bytes = filter.bytes();
		Arrays.fill(bytes, (byte) 0);
		assertThat(filter.bytes()).isEqualTo(SeccompFilter.forArchitecture(Architecture.current()).bytes())
			.isNotEqualTo(bytes);
	}

	private static final class Filter {

		private final BpfMachine machine;

		private final int arch;

		Filter(Architecture architecture) {
			this.machine = new BpfMachine(SeccompFilter.forArchitecture(architecture).bytes());
			this.arch = architecture.auditArch();
		}

		int answer(int number, long... arguments) {
			return this.machine.answer(this.arch, number, arguments);
		}

	}

	/**
	 * A line of the table that was made from the kernel's headers.
	 */
	record Call(String name, String x8664, String aarch64, String answer) {

		static List<Call> read() {
			try (InputStream table = SeccompFilterTests.class.getResourceAsStream("seccomp-calls.txt")) {
				return new String(table.readAllBytes(), StandardCharsets.UTF_8).lines()
					.filter((line) -> !line.startsWith("#"))
					.map((line) -> line.split(" "))
					.map((words) -> new Call(words[0], words[1], words[2], words[3]))
					.toList();
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}

		OptionalInt number(Architecture architecture) {
			String number = (architecture == Architecture.X86_64) ? this.x8664 : this.aarch64;
			return number.equals("-") ? OptionalInt.empty() : OptionalInt.of(Integer.parseInt(number));
		}

	}

}
