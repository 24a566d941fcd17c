package io.sandbox4j.bubblewrap;

import java.util.List;
import java.util.function.Consumer;

import io.sandbox4j.bubblewrap.BpfProgram.Label;
import io.sandbox4j.bubblewrap.BpfProgram.Test;

/**
 * Which system calls are denied, with which error, and why.
 * <ul>
 * <li>A denied call fails with an error, so that programs fall back to something else.
 * {@code ENOSYS} stands where they only do so if the kernel seems not to have the
 * call.</li>
 * <li>Arguments the kernel takes as 32 bits are compared as 32 bits. A rule that compares
 * 64 lets a value through whose upper half is not zero (CVE-2019-10063).</li>
 * <li>A filter cannot look behind a pointer. A call with flags in a structure is allowed
 * or denied as a whole.</li>
 * </ul>
 */
final class SeccompPolicy {

	/**
	 * Lets a call through: {@code SECCOMP_RET_ALLOW}.
	 */
	static final int ALLOW = 0x7FFF0000;

	private static final int AF_UNIX = 1;

	private static final int AF_INET = 2;

	private static final int AF_INET6 = 10;

	private static final int AF_NETLINK = 16;

	private static final int NETLINK_ROUTE = 0;

	private static final int SOCK_TYPE_MASK = 0xF;

	private static final int SOCK_PACKET = 10;

	private static final int IPPROTO_SMC = 256;

	// NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID and NEWNET. NEWTIME is not a flag
	// of clone(2): its bit belongs to the exit signal there.
	private static final int CLONE_NEW_ANY = 0x7E020000;

	private static final int TIOCSTI = 0x5412;

	private static final int TIOCLINUX = 0x541C;

	private static final int PER_LINUX = 0;

	private static final int PER_QUERY = 0xFFFFFFFF;

	/**
	 * What is denied or looked at; any other call is allowed.
	 */
	static final List<Rule> RULES = List.of(
	// @formatter:off

			// First the calls that may go through and still have to run the program.
			inspect(Syscall.IOCTL, SeccompPolicy::terminalRequest),
			inspect(Syscall.SOCKET, SeccompPolicy::socketFamily),
			inspect(Syscall.CLONE, SeccompPolicy::namespaceFlags),
			inspect(Syscall.SOCKETPAIR, SeccompPolicy::pairFamily),
			inspect(Syscall.PERSONALITY, SeccompPolicy::executionDomain),

			// Its flags are behind a pointer. C libraries fall back to clone, but on ENOSYS
			// only (CVE-2021-41133).
			deny(Errno.ENOSYS, Syscall.CLONE3),

			// A queue served by the kernel opens files and sockets behind this filter.
			// Libraries that use it probe for it.
			deny(Errno.ENOSYS, Syscall.IO_URING_SETUP, Syscall.IO_URING_ENTER, Syscall.IO_URING_REGISTER),

			// In a user namespace of its own a process has every capability, and so reaches
			// kernel code that was written for root (CVE-2022-0185).
			deny(Errno.EPERM, Syscall.UNSHARE, Syscall.SETNS),

			// The second generation of mount calls was missing in flatpak's filter
			// (CVE-2021-41133); open_tree_attr is the third.
			deny(Errno.EPERM, Syscall.MOUNT, Syscall.UMOUNT2, Syscall.PIVOT_ROOT, Syscall.CHROOT, Syscall.OPEN_TREE,
					Syscall.OPEN_TREE_ATTR, Syscall.MOVE_MOUNT, Syscall.FSOPEN, Syscall.FSCONFIG, Syscall.FSMOUNT,
					Syscall.FSPICK, Syscall.MOUNT_SETATTR),

			// A handle names a file outside every mount of the sandbox: how "shocker" left
			// a container. The other two watch or name whole file systems.
			deny(Errno.EPERM, Syscall.OPEN_BY_HANDLE_AT, Syscall.NAME_TO_HANDLE_AT, Syscall.FANOTIFY_INIT),

			// Keep a process from steering or reading another, bubblewrap's own included.
			deny(Errno.EPERM, Syscall.PTRACE, Syscall.PROCESS_VM_READV, Syscall.PROCESS_VM_WRITEV, Syscall.KCMP,
					Syscall.PIDFD_GETFD, Syscall.PROCESS_MADVISE),

			// User namespaces keep keyrings apart; this is about the code (CVE-2016-0728).
			deny(Errno.EPERM, Syscall.ADD_KEY, Syscall.REQUEST_KEY, Syscall.KEYCTL),

			// Programs in the kernel, counters of the whole machine, and page faults held
			// open at will, which turns a narrow race in the kernel into a sure one.
			deny(Errno.EPERM, Syscall.BPF, Syscall.PERF_EVENT_OPEN, Syscall.USERFAULTFD),

			// The machine's own: code, clock, name, swap, log and accounts.
			deny(Errno.EPERM, Syscall.INIT_MODULE, Syscall.FINIT_MODULE, Syscall.DELETE_MODULE, Syscall.KEXEC_LOAD,
					Syscall.KEXEC_FILE_LOAD, Syscall.REBOOT, Syscall.SWAPON, Syscall.SWAPOFF, Syscall.ACCT,
					Syscall.SYSLOG, Syscall.QUOTACTL, Syscall.QUOTACTL_FD, Syscall.VHANGUP, Syscall.SETHOSTNAME,
					Syscall.SETDOMAINNAME, Syscall.SETTIMEOFDAY, Syscall.CLOCK_SETTIME, Syscall.ADJTIMEX,
					Syscall.CLOCK_ADJTIME),

			// Placing pages on nodes. Container engines deny these too, so programs cope; of
			// the JVM and Node.js only -XX:+UseNUMA tries. get_mempolicy only reads and stays.
			deny(Errno.EPERM, Syscall.MBIND, Syscall.SET_MEMPOLICY, Syscall.SET_MEMPOLICY_HOME_NODE,
					Syscall.MIGRATE_PAGES, Syscall.MOVE_PAGES),

			// Segments and ports of the x86, and calls nothing has used for decades.
			deny(Errno.EPERM, Syscall.MODIFY_LDT, Syscall.IOPL, Syscall.IOPERM, Syscall.USELIB, Syscall.SYSCTL,
					Syscall.LOOKUP_DCOOKIE, Syscall.NFSSERVCTL)

	// @formatter:on
	);

	private SeccompPolicy() {
	}

	// The families a command needs. Of the others AF_VSOCK ignores network namespaces,
	// AF_ALG wrote into the page cache of other containers (CVE-2026-31431), AF_PACKET
	// and AF_XDP see raw frames. getifaddrs needs NETLINK_ROUTE. Two denied families have
	// a second name under AF_INET: SOCK_PACKET is AF_PACKET, IPPROTO_SMC is AF_SMC.
	private static void socketFamily(BpfProgram program) {
		Label internet = new Label();
		Label allow = new Label();
		Label refuse = new Label();
		program.load(argument(0))
			.when(Test.EQUAL, AF_UNIX, allow)
			.when(Test.EQUAL, AF_INET, internet)
			.when(Test.EQUAL, AF_INET6, internet)
			.unless(Test.EQUAL, AF_NETLINK, refuse)
			.load(argument(2))
			.branch(Test.EQUAL, NETLINK_ROUTE, allow, refuse)
			.place(internet)
			.load(argument(1))
			.and(SOCK_TYPE_MASK)
			.when(Test.EQUAL, SOCK_PACKET, refuse)
			.load(argument(2))
			.unless(Test.EQUAL, IPPROTO_SMC, allow)
			.place(refuse)
			.end(Errno.EAFNOSUPPORT.action())
			.place(allow)
			.end(ALLOW);
	}

	private static void pairFamily(BpfProgram program) {
		allowOnly(program, argument(0), Errno.EAFNOSUPPORT, AF_UNIX);
	}

	// The flags are the first argument on both architectures.
	private static void namespaceFlags(BpfProgram program) {
		Label plain = new Label();
		program.load(argument(0))
			.unless(Test.ANY_BIT, CLONE_NEW_ANY, plain)
			.end(Errno.EPERM.action())
			.place(plain)
			.end(ALLOW);
	}

	// TIOCSTI types into a terminal (CVE-2017-5226), TIOCLINUX pastes into a console
	// (CVE-2023-28100).
	private static void terminalRequest(BpfProgram program) {
		Label refuse = new Label();
		Label allow = new Label();
		program.load(argument(1))
			.when(Test.EQUAL, TIOCSTI, refuse)
			.unless(Test.EQUAL, TIOCLINUX, allow)
			.place(refuse)
			.end(Errno.EPERM.action())
			.place(allow)
			.end(ALLOW);
	}

	// The default and the question what it is. The other bits weaken the address space
	// (ADDR_NO_RANDOMIZE, MMAP_PAGE_ZERO, READ_IMPLIES_EXEC) or announce the 32-bit
	// programs that are killed anyway.
	private static void executionDomain(BpfProgram program) {
		allowOnly(program, argument(0), Errno.EPERM, PER_LINUX, PER_QUERY);
	}

	private static void allowOnly(BpfProgram program, int offset, Errno otherwise, int... values) {
		Label allow = new Label();
		program.load(offset);
		for (int value : values) {
			program.when(Test.EQUAL, value, allow);
		}
		program.end(otherwise.action()).place(allow).end(ALLOW);
	}

	// Where the lower half of a 64-bit argument lies.
	private static int argument(int index) {
		return 16 + 8 * index;
	}

	private static Rule deny(Errno errno, Syscall... calls) {
		return new Rule(List.of(calls), (program) -> program.end(errno.action()));
	}

	private static Rule inspect(Syscall call, Consumer<BpfProgram> answer) {
		return new Rule(List.of(call), answer);
	}

	/**
	 * What happens to some calls.
	 *
	 * @param calls the calls
	 * @param answer writes instructions that end the run on every path
	 */
	record Rule(List<Syscall> calls, Consumer<BpfProgram> answer) {
	}

	/**
	 * The errors a denied call fails with. Both architectures number them alike.
	 */
	enum Errno {

		EPERM(1), ENOSYS(38), EAFNOSUPPORT(97);

		private final int number;

		Errno(int number) {
			this.number = number;
		}

		/**
		 * Returns the value a program ends with for the call to fail with this error.
		 * @return {@code SECCOMP_RET_ERRNO} with the number in its lower half
		 */
		int action() {
			return 0x00050000 | this.number;
		}

	}

}
