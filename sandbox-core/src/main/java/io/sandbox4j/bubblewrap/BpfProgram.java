package io.sandbox4j.bubblewrap;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * An assembler for the part of classic BPF that a seccomp filter needs: one register, and
 * jumps that only go forward. It has no instruction beyond the ones the kernel can run
 * ahead of time ({@code seccomp_is_const_allow}): since Linux 5.11 a call that is allowed
 * whatever its arguments are costs a bit test instead of a run.
 *
 * @see <a href="https://docs.kernel.org/networking/filter.html">Linux socket
 * filtering</a>
 */
final class BpfProgram {

	/**
	 * The kernel's {@code BPF_MAXINSNS}.
	 */
	static final int MAX_INSTRUCTIONS = 4096;

	private static final int INSTRUCTION_BYTES = 8;

	private static final int MAX_JUMP = 0xFF;

	private static final int LOAD_WORD_ABSOLUTE = 0x20;

	private static final int AND_CONSTANT = 0x54;

	private static final int RETURN_CONSTANT = 0x06;

	private final List<Instruction> instructions = new ArrayList<>();

	/**
	 * Loads a 32-bit word of {@code struct seccomp_data}.
	 * @param offset the word's offset
	 * @return this program
	 */
	BpfProgram load(int offset) {
		return add(new Instruction(LOAD_WORD_ABSOLUTE, offset, null, null));
	}

	/**
	 * Keeps some bits of the loaded word.
	 * @param mask the bits
	 * @return this program
	 */
	BpfProgram and(int mask) {
		return add(new Instruction(AND_CONSTANT, mask, null, null));
	}

	/**
	 * Jumps if a test holds, else goes on.
	 * @param test how to compare the loaded word
	 * @param value with what
	 * @param target where to go
	 * @return this program
	 */
	BpfProgram when(Test test, int value, Label target) {
		return add(new Instruction(test.code, value, target, null));
	}

	/**
	 * Jumps if a test does not hold, else goes on.
	 * @param test how to compare the loaded word
	 * @param value with what
	 * @param target where to go
	 * @return this program
	 */
	BpfProgram unless(Test test, int value, Label target) {
		return add(new Instruction(test.code, value, null, target));
	}

	/**
	 * Jumps either way.
	 * @param test how to compare the loaded word
	 * @param value with what
	 * @param ifTrue where to go if the test holds
	 * @param ifFalse where to go if it does not
	 * @return this program
	 */
	BpfProgram branch(Test test, int value, Label ifTrue, Label ifFalse) {
		return add(new Instruction(test.code, value, ifTrue, ifFalse));
	}

	/**
	 * Ends the run.
	 * @param value the answer
	 * @return this program
	 */
	BpfProgram end(int value) {
		return add(new Instruction(RETURN_CONSTANT, value, null, null));
	}

	/**
	 * Makes the next instruction a jump target.
	 * @param label its name
	 * @return this program
	 */
	BpfProgram place(Label label) {
		label.position = this.instructions.size();
		return this;
	}

	/**
	 * Returns the program as {@code struct sock_filter[]}. Both architectures are little
	 * endian.
	 * @return eight bytes an instruction
	 */
	byte[] bytes() {
		int count = this.instructions.size();
		if (count > MAX_INSTRUCTIONS) {
			throw new IllegalStateException("A program of " + count + " instructions is too long for the kernel");
		}
		ByteBuffer bytes = ByteBuffer.allocate(count * INSTRUCTION_BYTES).order(ByteOrder.LITTLE_ENDIAN);
		for (int i = 0; i < count; i++) {
			Instruction instruction = this.instructions.get(i);
			bytes.putShort((short) instruction.code())
				.put(distance(i, instruction.ifTrue()))
				.put(distance(i, instruction.ifFalse()))
				.putInt(instruction.value());
		}
		return bytes.array();
	}

	private byte distance(int from, @Nullable Label target) {
		if (target == null) {
			return 0;
		}
		int distance = target.position - from - 1;
		if (distance < 0 || distance > MAX_JUMP || target.position >= this.instructions.size()) {
			throw new IllegalStateException("Instruction " + from + " cannot jump to " + target.position);
		}
		return (byte) distance;
	}

	private BpfProgram add(Instruction instruction) {
		this.instructions.add(instruction);
		return this;
	}

	/**
	 * A comparison of the loaded word, as an unsigned number, with a constant.
	 */
	enum Test {

		/**
		 * They are equal.
		 */
		EQUAL(0x15),

		/**
		 * The word is the greater one, or equal.
		 */
		AT_LEAST(0x35),

		/**
		 * They have a bit in common.
		 */
		ANY_BIT(0x45);

		private final int code;

		Test(int code) {
			this.code = code;
		}

	}

	/**
	 * A jump target.
	 */
	static final class Label {

		private int position = -1;

	}

	private record Instruction(int code, int value, @Nullable Label ifTrue, @Nullable Label ifFalse) {
	}

}
