package io.sandbox4j.storage;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class StorageSettingsTests {

	@Test
	void defaultsAreModest() {
		assertThat(StorageSettings.defaults())
			.isEqualTo(new StorageSettings(Durability.PROCESS, null, 1L << 30, 200_000));
	}

	@Test
	void limitsArePositive() {
		assertThatIllegalArgumentException().isThrownBy(() -> new StorageSettings(Durability.PROCESS, null, 0, 1))
			.withMessage("'maxTemplateBytes' must be positive");
		assertThatIllegalArgumentException().isThrownBy(() -> new StorageSettings(Durability.PROCESS, null, 1, 0))
			.withMessage("'maxTemplateFiles' must be positive");
	}

}
