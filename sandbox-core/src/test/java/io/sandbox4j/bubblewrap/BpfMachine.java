package io.sandbox4j.bubblewrap;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Deque;
import java.util.Set;
import java.util.TreeSet;

/**
 * Runs a seccomp program as the kernel does, by {@code linux/filter.h} and
 * {@code linux/bpf_common.h}, and refuses what the kernel refuses to load.
 */
final class BpfMachine {

	static final int DATA_BYTES = 64;

	private static final int LD_W_ABS = 0x20;

	private static final int ALU_AND_K = 0x54;

	private static final int JMP_JA = 0x05;

	private static final int JMP_JEQ_K = 0x15;

	private static final int JMP_JGT_K = 0x25;

	private static final int JMP_JGE_K = 0x35;

	private static final int JMP_JSET_K = 0x45;

	private static final int RET_K = 0x06;

	private final ByteBuffer program;

	private final int length;

	private final Set<Integer> loaded = new TreeSet<>();

	BpfMachine(byte[] program) {
		if (program.length == 0 || program.length % 8 != 0 || program.length / 8 > 4096) {
			throw new IllegalArgumentException("EINVAL: " + program.length + " bytes");
		}
		this.program = ByteBuffer.wrap(program).order(ByteOrder.LITTLE_ENDIAN);
		this.length = program.length / 8;
		verify();
	}

	/**
	 * Answers a system call.
	 * @param arch the architecture value
	 * @param number the call's number
	 * @param arguments up to six
	 * @return what the program returns
	 */
	int answer(int arch, int number, long... arguments) {
		ByteBuffer data = ByteBuffer.allocate(DATA_BYTES).order(ByteOrder.LITTLE_ENDIAN);
		data.putInt(number).putInt(arch).putLong(0x7f0000001000L);
		for (long argument : arguments) {
			data.putLong(argument);
		}
		this.loaded.clear();
		int accumulator = 0;
		for (int pc = 0;; pc++) {
			int k = k(pc);
			switch (code(pc)) {
				case LD_W_ABS -> {
					this.loaded.add(k);
					accumulator = data.getInt(k);
				}
				case ALU_AND_K -> {
					accumulator &= k;
				}
				case JMP_JA -> {
					pc += k;
				}
				case RET_K -> {
					return k;
				}
				default -> {
					pc += holds(code(pc), accumulator, k) ? ifTrue(pc) : ifFalse(pc);
				}
			}
		}
	}

	/**
	 * Returns the offsets the last run loaded.
	 * @return offsets into {@code struct seccomp_data}
	 */
	Set<Integer> loaded() {
		return this.loaded;
	}

	int length() {
		return this.length;
	}

	/**
	 * Counts the instructions no input can reach.
	 * @return 0 for a program without dead code
	 */
	int unreachable() {
		BitSet seen = new BitSet();
		Deque<Integer> open = new ArrayDeque<>(Set.of(0));
		while (!open.isEmpty()) {
			int pc = open.pop();
			if (!seen.get(pc)) {
				seen.set(pc);
				switch (code(pc)) {
					case RET_K -> {
					}
					case LD_W_ABS, ALU_AND_K -> open.push(pc + 1);
					case JMP_JA -> open.push(pc + 1 + k(pc));
					default -> {
						open.push(pc + 1 + ifTrue(pc));
						open.push(pc + 1 + ifFalse(pc));
					}
				}
			}
		}
		return this.length - seen.cardinality();
	}

	// bpf_check_classic and seccomp_check_filter.
	private void verify() {
		for (int pc = 0; pc < this.length; pc++) {
			boolean valid = switch (code(pc)) {
				case LD_W_ABS -> k(pc) >= 0 && k(pc) < DATA_BYTES && k(pc) % 4 == 0;
				case ALU_AND_K, RET_K -> true;
				case JMP_JA -> Integer.compareUnsigned(k(pc), this.length - pc - 1) < 0;
				case JMP_JEQ_K, JMP_JGT_K, JMP_JGE_K, JMP_JSET_K ->
					pc + 1 + ifTrue(pc) < this.length && pc + 1 + ifFalse(pc) < this.length;
				default -> false;
			};
			if (!valid) {
				throw new IllegalArgumentException("EINVAL: instruction " + pc);
			}
		}
		if (code(this.length - 1) != RET_K) {
			throw new IllegalArgumentException("EINVAL: does not end in a return");
		}
	}

	private static boolean holds(int code, int accumulator, int k) {
		return switch (code) {
			case JMP_JEQ_K -> accumulator == k;
			case JMP_JGT_K -> Integer.compareUnsigned(accumulator, k) > 0;
			case JMP_JGE_K -> Integer.compareUnsigned(accumulator, k) >= 0;
			case JMP_JSET_K -> (accumulator & k) != 0;
			default -> throw new IllegalStateException("Code " + code);
		};
	}

	private int code(int pc) {
		return Short.toUnsignedInt(this.program.getShort(pc * 8));
	}

	private int ifTrue(int pc) {
		return Byte.toUnsignedInt(this.program.get(pc * 8 + 2));
	}

	private int ifFalse(int pc) {
		return Byte.toUnsignedInt(this.program.get(pc * 8 + 3));
	}

	private int k(int pc) {
		return this.program.getInt(pc * 8 + 4);
	}

}
