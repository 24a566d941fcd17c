package io.sandbox4j.test.ai;

import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.model.ChatModel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class ReplayModelsTests {

	private final ChatModel first = says("first");

	private final ChatModel second = says("second");

	@Test
	void eachAttemptHasItsModel() {
		ReplayModels models = ReplayModels.builder()
			.attempts("large", this.first, this.second)
			.attempts("small", this.second)
			.build();
		assertThat(ask(models.create("large"))).isEqualTo("first");
		assertThat(ask(models.create("small"))).isEqualTo("second");
		assertThat(ask(models.create("large"))).isEqualTo("second");
		assertThat(models.calls("large")).isEqualTo(2);
		assertThat(models.calls("small")).isOne();
	}

	@Test
	void anAttemptTooManyIsAnErrorAndCounts() {
		ReplayModels models = ReplayModels.builder().attempts("large", this.first).attempts("none").build();
		models.create("large");
		assertThatIllegalStateException().isThrownBy(() -> models.create("large"))
			.withMessage("Model 'large' has 1 attempts and was asked for another one");
		assertThatIllegalStateException().isThrownBy(() -> models.create("none"));
		assertThat(models.calls("large")).isEqualTo(2);
		assertThat(models.calls("none")).isOne();
	}

	@Test
	void anIdThatIsUnknownIsRefusedEverywhere() {
		ReplayModels models = ReplayModels.builder().attempts("large", this.first).build();
		assertThatIllegalArgumentException().isThrownBy(() -> models.create("larg"))
			.withMessage("There is no model 'larg', only [large]");
		assertThatIllegalArgumentException().isThrownBy(() -> models.calls("larg"));
	}

	@Test
	void anIdHasAttemptsOnce() {
		ReplayModels.Builder builder = ReplayModels.builder().attempts("large", this.first);
		assertThatIllegalArgumentException().isThrownBy(() -> builder.attempts("large", this.second));
		assertThatIllegalArgumentException().isThrownBy(() -> builder.attempts(" ", this.second));
	}

	@Test
	void attemptsAtOnceGetDifferentModels() {
		ChatModel[] many = IntStream.range(0, 500).mapToObj((i) -> says("" + i)).toArray(ChatModel[]::new);
		ReplayModels models = ReplayModels.builder().attempts("large", many).build();
		assertThat(IntStream.range(0, 500).parallel().mapToObj((i) -> models.create("large")))
			.containsExactlyInAnyOrder(many);
	}

	private static ChatModel says(String text) {
		return ReplayChatModel.builder().turn(text).build();
	}

	private static String ask(ChatModel model) {
		return ChatClient.create(model).prompt("Hello").call().content();
	}

}
