package io.sandbox4j.test.race;

import java.util.List;
import java.util.stream.IntStream;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class RaceTraceTests {

	private final RaceTrace trace = new RaceTrace();

	@Test
	void entriesAreNumberedInOrder() {
		assertThat(this.trace.record("a")).isEqualTo(new RaceTrace.Entry("a", 1));
		assertThat(this.trace.record("b")).isEqualTo(new RaceTrace.Entry("b", 2));
		assertThat(this.trace.record("a")).isEqualTo(new RaceTrace.Entry("a", 3));
		assertThat(this.trace.count("a")).isEqualTo(2);
		assertThat(this.trace.count("c")).isZero();
	}

	@Test
	void entriesAreACopy() {
		this.trace.record("a");
		List<RaceTrace.Entry> entries = this.trace.entries();
		this.trace.record("b");
		assertThat(entries).hasSize(1);
		assertThat(this.trace.entries()).hasSize(2);
	}

	@Test
	void theSequenceIsExact() {
		record("a", "b", "a");
		this.trace.assertSequence("a", "b", "a");
		for (String[] other : new String[][] { { "a", "b" }, { "a", "b", "a", "a" }, { "b", "a", "a" }, {} }) {
			assertFails(() -> this.trace.assertSequence(other),
					"Expected exactly " + List.of(other) + ". The trace: 1 a, 2 b, 3 a.");
		}
	}

	@Test
	void anEmptyTraceHasTheEmptySequence() {
		this.trace.assertSequence();
		assertFails(() -> this.trace.assertSequence("a"), "Expected exactly [a]. The trace is empty.");
	}

	@Test
	void everyEntryOfTheFirstComesBeforeEveryEntryOfTheSecond() {
		record("a", "x", "a", "b", "b");
		this.trace.assertBefore("a", "b");
		assertFails(() -> this.trace.assertBefore("b", "a"),
				"Expected 'b' before 'a'. The trace: 1 a, 2 x, 3 a, 4 b, 5 b.");
		record("a");
		assertFails(() -> this.trace.assertBefore("a", "b"),
				"Expected 'a' before 'b'. The trace: 1 a, 2 x, 3 a, 4 b, 5 b, 6 a.");
	}

	@Test
	void whatDidNotHappenIsBeforeAndAfterNothing() {
		record("a");
		assertFails(() -> this.trace.assertBefore("a", "b"),
				"Expected 'a' before 'b', but 'b' was not recorded. The trace: 1 a.");
		assertFails(() -> this.trace.assertBefore("b", "a"),
				"Expected 'b' before 'a', but 'b' was not recorded. The trace: 1 a.");
	}

	@Test
	void whatCanProveNothingIsRefused() {
		assertThatIllegalArgumentException().isThrownBy(() -> this.trace.assertBefore("a", "a"));
		assertThatIllegalArgumentException().isThrownBy(() -> this.trace.record(" "));
		assertThat(this.trace.entries()).isEmpty();
	}

	@Test
	void manyThreadsGetDifferentNumbers() {
		IntStream.range(0, 2000).parallel().forEach((i) -> this.trace.record("a"));
		assertThat(this.trace.entries()).extracting(RaceTrace.Entry::sequence)
			.containsExactlyElementsOf(IntStream.rangeClosed(1, 2000).boxed().toList());
	}

	private void record(String... names) {
		for (String name : names) {
			this.trace.record(name);
		}
	}

	private static void assertFails(ThrowingCallable assertion, String message) {
		assertThatExceptionOfType(AssertionError.class).isThrownBy(assertion).withMessage(message);
	}

}
