package io.sandbox4j.bubblewrap;

import io.sandbox4j.bubblewrap.BpfProgram.Label;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class BpfProgramTests {

	@Test
	void writesEightBytesAnInstruction() {
		Label label = new Label();
		BpfProgram program = new BpfProgram().load(4)
			.unless(BpfProgram.Test.EQUAL, 0x01020304, label)
			.end(-1)
			.place(label)
			.end(0);
		assertThat(program.bytes()).containsExactly(0x20, 0, 0, 0, 4, 0, 0, 0, 0x15, 0, 0, 1, 4, 3, 2, 1, 6, 0, 0, 0,
				-1, -1, -1, -1, 6, 0, 0, 0, 0, 0, 0, 0);
	}

	@Test
	void jumpsAsFarAsAByteGoes() {
		assertThat(new BpfMachine(jumpOver(255).bytes()).answer(0, 0)).isEqualTo(1);
		assertThatIllegalStateException().isThrownBy(jumpOver(256)::bytes)
			.withMessage("Instruction 1 cannot jump to 258");
	}

	@Test
	void jumpsForwardOnly() {
		Label label = new Label();
		BpfProgram program = new BpfProgram().place(label).load(0).when(BpfProgram.Test.EQUAL, 0, label).end(0);
		assertThatIllegalStateException().isThrownBy(program::bytes);
	}

	@Test
	void jumpsToPlacedLabelsWithAnInstructionOnly() {
		BpfProgram unplaced = new BpfProgram().when(BpfProgram.Test.ANY_BIT, 0, new Label()).end(0);
		assertThatIllegalStateException().isThrownBy(unplaced::bytes);
		Label end = new Label();
		BpfProgram beyond = new BpfProgram().when(BpfProgram.Test.AT_LEAST, 0, end).end(0).place(end);
		assertThatIllegalStateException().isThrownBy(beyond::bytes);
	}

	@Test
	void isNoLongerThanTheKernelReads() {
		BpfProgram program = new BpfProgram();
		for (int i = 0; i < BpfProgram.MAX_INSTRUCTIONS; i++) {
			program.end(0);
		}
		assertThat(program.bytes()).hasSize(4096 * 8);
		assertThatIllegalStateException().isThrownBy(program.end(0)::bytes);
	}

	private static BpfProgram jumpOver(int distance) {
		Label far = new Label();
		BpfProgram program = new BpfProgram().load(0).when(BpfProgram.Test.EQUAL, 0, far);
		for (int i = 0; i < distance; i++) {
			program.end(0);
		}
		return program.place(far).end(1);
	}

}
