package io.sandbox4j.gateway;

import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class RedactorCacheTests {

	private final RedactorCache cache = new RedactorCache();

	@Test
	void buildsOneForTheSameSecrets() {
		List<String> secrets = new ArrayList<>(List.of("secret-one", "secret-two"));
		Redactor built = this.cache.of(secrets);
		assertThat(this.cache.of(List.of("secret-one", "secret-two"))).isSameAs(built);
		secrets.set(0, "secret-other");
		assertThat(this.cache.of(secrets)).isNotSameAs(built);
		assertThat(this.cache.of(List.of("secret-one", "secret-two"))).isSameAs(built);
	}

	@Test
	void keepsWhatWasUsedLast() {
		Redactor used = this.cache.of(List.of("secret-used"));
		Redactor idle = this.cache.of(List.of("secret-idle"));
		for (int i = 0; i < 200; i++) {
			this.cache.of(List.of("secret-" + i));
			assertThat(this.cache.of(List.of("secret-used"))).isSameAs(used);
		}
		assertThat(this.cache.size()).isEqualTo(128);
		assertThat(this.cache.of(List.of("secret-idle"))).isNotSameAs(idle);
	}

	@Test
	void longSecretsTakeMoreRoom() {
		for (int i = 0; i < 30; i++) {
			this.cache.of(List.of((i + "0123456789abcdef").repeat(500)));
		}
		assertThat(this.cache.size()).isBetween(2, 20);
	}

	@Test
	void saysNothingOfTheSecrets() {
		this.cache.of(List.of("secret-one"));
		assertThat(this.cache).hasToString("RedactorCache[size=1]");
	}

}
