package io.sandbox4j.run;

import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.NetworkPolicy;
import io.sandbox4j.SandboxException;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link RunSubscription} over a store that cannot be reached for a time.
 */
@Tag("isolation")
class RunSubscriptionTests {

	@RegisterExtension
	static final RunsExtension fixture = new RunsExtension();

	private final AtomicInteger refused = new AtomicInteger();

	private volatile boolean away;

	@Test
	void aStoreThatIsAwayForATimeLosesAndDoublesNoEvent() {
		List<Long> seen = new CopyOnWriteArrayList<>();
		try (SandboxRuns runs = SandboxRuns
			.builder(fixture.backend(), fixture.template(), new LeavingStore(), Turn::text)
			.network(NetworkPolicy.denyAll())
			.build();
				RunSubscription subscription = runs.sandbox("s").subscribe(0, (event) -> seen.add(event.sequence()))) {
			append();
			Awaitility.await().until(() -> seen.size() == 1);
			int before = this.refused.get();
			this.away = true;
			append();
			append();
			Awaitility.await().until(() -> this.refused.get() > before + 2);
			assertThat(seen).containsExactly(1L);
			this.away = false;
			Awaitility.await().until(() -> seen.size() == 3);
			append();
			Awaitility.await().untilAsserted(() -> assertThat(seen).containsExactly(1L, 2L, 3L, 4L));
			assertThat(subscription).isNotNull();
		}
	}

	private static void append() {
		fixture.store().write("s", (transaction) -> transaction.append(Instant.EPOCH, "test/event", "", "", ""));
	}

	/**
	 * The store of the test, which cannot be read while it is away.
	 */
	private final class LeavingStore implements RunStore {

		@Override
		public <T extends @Nullable Object> T read(Function<? super RunView, T> work) {
			if (RunSubscriptionTests.this.away) {
				RunSubscriptionTests.this.refused.incrementAndGet();
				throw new SandboxException(ErrorCode.SANDBOX_UNAVAILABLE, "The store is away.");
			}
			return fixture.store().read(work);
		}

		@Override
		public <T extends @Nullable Object> T write(String sandbox, Function<? super RunTransaction, T> work) {
			return fixture.store().write(sandbox, work);
		}

		@Override
		public void close() {
			// The test's own is closed by nobody.
		}

	}

}
