package io.sandbox4j;

import java.util.List;

import io.sandbox4j.Isolation.Check;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class IsolationTests {

	@Test
	void aRestrictionHoldsWhenEveryCheckOfItDoes() {
		Check good = new Check("root-read-only", Restriction.WRITE_CONTAINED, true, "");
		Check bad = new Check("proc-read-only", Restriction.WRITE_CONTAINED, false, "writable");
		Check other = new Check("no-network", Restriction.NETWORK_DENIED, true, "");
		assertThat(new Isolation(List.of(good, other)).held()).containsExactlyInAnyOrder(Restriction.WRITE_CONTAINED,
				Restriction.NETWORK_DENIED);
		assertThat(new Isolation(List.of(bad, good, other)).held()).containsExactly(Restriction.NETWORK_DENIED);
		assertThat(new Isolation(List.of(bad, good, other)).gaps()).containsExactly(bad);
	}

	@Test
	void nothingHoldsWithoutACheck() {
		assertThat(new Isolation(List.of()).held()).isEmpty();
	}

}
