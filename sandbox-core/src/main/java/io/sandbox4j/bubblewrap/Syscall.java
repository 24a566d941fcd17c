package io.sandbox4j.bubblewrap;

import java.util.OptionalInt;

/**
 * The system calls the {@linkplain SeccompFilter filter} has a rule for, with their
 * numbers: {@code asm/unistd_64.h} for x86_64, {@code asm-generic/unistd.h} for aarch64.
 * Since Linux 5.1 every architecture gives a new call the same number. A call with one
 * number exists on x86_64 only.
 */
enum Syscall {

// @formatter:off

	CLONE(56, 220),
	CLONE3(435, 435),
	SETNS(308, 268),
	UNSHARE(272, 97),

	SOCKET(41, 198),
	SOCKETPAIR(53, 199),
	IOCTL(16, 29),
	PERSONALITY(135, 92),

	IO_URING_SETUP(425, 425),
	IO_URING_ENTER(426, 426),
	IO_URING_REGISTER(427, 427),

	ADD_KEY(248, 217),
	REQUEST_KEY(249, 218),
	KEYCTL(250, 219),

	PTRACE(101, 117),
	PROCESS_VM_READV(310, 270),
	PROCESS_VM_WRITEV(311, 271),
	KCMP(312, 272),
	PIDFD_GETFD(438, 438),
	PROCESS_MADVISE(440, 440),

	MOUNT(165, 40),
	UMOUNT2(166, 39),
	PIVOT_ROOT(155, 41),
	CHROOT(161, 51),
	OPEN_TREE(428, 428),
	MOVE_MOUNT(429, 429),
	FSOPEN(430, 430),
	FSCONFIG(431, 431),
	FSMOUNT(432, 432),
	FSPICK(433, 433),
	MOUNT_SETATTR(442, 442),
	OPEN_TREE_ATTR(467, 467),

	OPEN_BY_HANDLE_AT(304, 265),
	NAME_TO_HANDLE_AT(303, 264),
	FANOTIFY_INIT(300, 262),

	BPF(321, 280),
	PERF_EVENT_OPEN(298, 241),
	USERFAULTFD(323, 282),

	INIT_MODULE(175, 105),
	FINIT_MODULE(313, 273),
	DELETE_MODULE(176, 106),
	KEXEC_LOAD(246, 104),
	KEXEC_FILE_LOAD(320, 294),
	REBOOT(169, 142),
	SWAPON(167, 224),
	SWAPOFF(168, 225),
	ACCT(163, 89),
	SYSLOG(103, 116),
	QUOTACTL(179, 60),
	QUOTACTL_FD(443, 443),
	VHANGUP(153, 58),
	SETHOSTNAME(170, 161),
	SETDOMAINNAME(171, 162),
	SETTIMEOFDAY(164, 170),
	CLOCK_SETTIME(227, 112),
	ADJTIMEX(159, 171),
	CLOCK_ADJTIME(305, 266),

	MBIND(237, 235),
	SET_MEMPOLICY(238, 237),
	SET_MEMPOLICY_HOME_NODE(450, 450),
	MIGRATE_PAGES(256, 238),
	MOVE_PAGES(279, 239),

	MODIFY_LDT(154),
	IOPL(172),
	IOPERM(173),
	USELIB(134),
	SYSCTL(156),
	LOOKUP_DCOOKIE(212, 18),
	NFSSERVCTL(180, 42);

	// @formatter:on

	private static final int ABSENT = -1;

	private final int x8664;

	private final int aarch64;

	Syscall(int x8664) {
		this(x8664, ABSENT);
	}

	Syscall(int x8664, int aarch64) {
		this.x8664 = x8664;
		this.aarch64 = aarch64;
	}

	/**
	 * Returns the number of this call.
	 * @param architecture where
	 * @return the number, empty if the architecture does not have the call
	 */
	OptionalInt number(Architecture architecture) {
		int number = switch (architecture) {
			case X86_64 -> this.x8664;
			case AARCH64 -> this.aarch64;
		};
		return (number != ABSENT) ? OptionalInt.of(number) : OptionalInt.empty();
	}

}
