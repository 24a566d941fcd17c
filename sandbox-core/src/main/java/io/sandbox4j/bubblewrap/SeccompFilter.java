package io.sandbox4j.bubblewrap;

import java.util.OptionalInt;

import io.sandbox4j.SandboxUnavailableException;
import io.sandbox4j.bubblewrap.BpfProgram.Label;
import io.sandbox4j.bubblewrap.BpfProgram.Test;
import io.sandbox4j.bubblewrap.SeccompPolicy.Errno;
import io.sandbox4j.bubblewrap.SeccompPolicy.Rule;

/**
 * The system calls a sandboxed process may make: a program for {@code bwrap --seccomp}.
 * <p>
 * Namespaces decide what a process can name; this filter takes away the kernel code that
 * has let processes out of namespaces. It is a deny list, because programs nobody has
 * seen yet must run: what the {@linkplain SeccompPolicy policy} does not list is allowed.
 * It is the same in every network mode, and it has no switch. It does not replace
 * capabilities and namespaces: alone it contains nothing.
 * <p>
 * Filters add up, and the strictest answer wins. A process may install another one; that
 * cannot loosen this one.
 *
 * @see <a href="https://man7.org/linux/man-pages/man2/seccomp.2.html">seccomp(2)</a>
 */
final class SeccompFilter {

	private static final int KILL_PROCESS = 0x80000000;

	private static final int NUMBER = 0;

	private static final int ARCHITECTURE = 4;

	private static final int X32_BIT = 0x40000000;

	private static final int X32_FIRST = 512;

	private static final int X32_LAST = 547;

	private final byte[] program;

	private SeccompFilter(byte[] program) {
		this.program = program;
	}

	/**
	 * Returns the filter for the machine this JVM runs on.
	 * @return the filter
	 * @throws SandboxUnavailableException if there is none: then nothing may be launched
	 */
	static SeccompFilter current() {
		return forArchitecture(Architecture.current());
	}

	/**
	 * Returns the filter for an architecture.
	 * @param architecture where the sandboxed processes run
	 * @return the filter
	 */
	static SeccompFilter forArchitecture(Architecture architecture) {
		BpfProgram program = new BpfProgram();
		requireArchitecture(program, architecture);
		program.load(NUMBER);
		if (architecture == Architecture.X86_64) {
			refuseX32(program);
		}
		for (Rule rule : SeccompPolicy.RULES) {
			for (Syscall call : rule.calls()) {
				emit(program, call.number(architecture), rule);
			}
		}
		program.end(SeccompPolicy.ALLOW);
		return new SeccompFilter(program.bytes());
	}

	/**
	 * Returns the program as bubblewrap reads it: an array of {@code struct sock_filter}.
	 * @return a copy
	 */
	byte[] bytes() {
		return this.program.clone();
	}

	// A 32-bit program, or "int 0x80" in a 64-bit one, numbers its calls differently:
	// every rule would be about the wrong call. There is nothing to fall back to, so it
	// is killed, with all its threads.
	private static void requireArchitecture(BpfProgram program, Architecture architecture) {
		Label matches = new Label();
		program.load(ARCHITECTURE).when(Test.EQUAL, architecture.auditArch(), matches).end(KILL_PROCESS).place(matches);
	}

	// x32 shares the architecture value of x86_64. Before Linux 5.4 its own calls had a
	// second number without the bit, ptrace 521 (seccomp(2)). ENOSYS is what a kernel
	// built without x32 answers, and what a probe with -1 expects.
	private static void refuseX32(BpfProgram program) {
		Label refuse = new Label();
		Label below = new Label();
		Label above = new Label();
		program.when(Test.AT_LEAST, X32_BIT, refuse)
			.unless(Test.AT_LEAST, X32_FIRST, below)
			.when(Test.AT_LEAST, X32_LAST + 1, above)
			.place(refuse)
			.end(Errno.ENOSYS.action())
			.place(below)
			.place(above);
	}

	// One comparison a call, each jumping over its own answer: no distance depends on the
	// length of the table, which is what the eight bits of a jump need.
	private static void emit(BpfProgram program, OptionalInt number, Rule rule) {
		number.ifPresent((present) -> {
			Label next = new Label();
			program.unless(Test.EQUAL, present, next);
			rule.answer().accept(program);
			program.place(next);
		});
	}

}
