package io.sandbox4j.store.jdbc;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.run.RunEvent;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Two processes over one database.
 */
interface ProcessFacts {

	TestDatabase database();

	Path temporary();

	private ChildJvm child(String name, String count) throws Exception {
		return ChildJvm.start(temporary().resolve(name), WritingChild.class, database().arguments(), name, count);
	}

	@Test
	default void twoProcessesThatWriteAtOnceLoseNothing() throws Exception {
		try (ChildJvm one = child("one", "60"); ChildJvm other = child("other", "60")) {
			// Both made the tables, or one of them did.
			assertThat(one.awaitLine()).isEqualTo("open");
			assertThat(other.awaitLine()).isEqualTo("open");
			one.tell("go");
			other.tell("go");
			List<String> said = new ArrayList<>(one.awaitEnd());
			said.addAll(other.awaitEnd());
			said.removeIf("open"::equals);
			try (JdbcRunStore store = database().builder().build()) {
				List<RunEvent> events = Samples.events(store, "s");
				assertThat(events).extracting(RunEvent::sequence)
					.containsExactlyElementsOf(LongStream.rangeClosed(1, 120).boxed().toList());
				assertThat(events.stream().map((event) -> event.content() + " " + event.sequence()))
					.containsExactlyInAnyOrderElementsOf(said);
				assertThat(Stream.of("one", "other")
					.map((name) -> events.stream().filter((event) -> event.content().startsWith(name)).toList()))
					.allSatisfy((own) -> assertThat(own).extracting((event) -> event.content().replaceAll("\\D", ""))
						.isSortedAccordingTo((left, right) -> Integer.parseInt(left) - Integer.parseInt(right)));
			}
		}
	}

	@Test
	default void whileOneProcessWritesAnotherIsBusyAtOnceAndReads() throws Exception {
		try (ChildJvm holder = child("hold", "0"); JdbcRunStore store = database().builder().build()) {
			holding(holder);
			long start = System.nanoTime();
			assertThat(Samples.code(() -> store.write("s", (transaction) -> Samples.append(transaction, "never"))))
				.isEqualTo(ErrorCode.SANDBOX_BUSY);
			assertThat(Samples.events(store, "s")).isEmpty();
			assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(3));
			holder.tell("end");
			assertThat(holder.awaitEnd()).endsWith("done");
			assertThat(store.<Long>write("s", (transaction) -> Samples.append(transaction, "next"))).isEqualTo(2);
			assertThat(Samples.events(store, "s")).extracting(RunEvent::content).containsExactly("held", "next");
		}
	}

	@Test
	default void whatAKilledProcessHadUnderWayIsUndoneAndInNobodysWay() throws Exception {
		try (ChildJvm holder = child("hold", "0"); JdbcRunStore store = database().builder().build()) {
			holding(holder);
			holder.kill();
			Awaitility.await()
				.atMost(Duration.ofSeconds(10))
				.ignoreExceptions()
				.until(() -> store.<Long>write("s", (transaction) -> Samples.append(transaction, "next")) == 1);
			assertThat(Samples.events(store, "s")).extracting(RunEvent::content).containsExactly("next");
		}
	}

	private static void holding(ChildJvm holder) throws Exception {
		assertThat(holder.awaitLine()).isEqualTo("open");
		holder.tell("go");
		assertThat(holder.awaitLine()).isEqualTo("holding");
	}

}
