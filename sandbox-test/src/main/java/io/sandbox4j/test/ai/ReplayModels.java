package io.sandbox4j.test.ai;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;

import org.springframework.ai.chat.model.ChatModel;

/**
 * Models by id, for agents that make a model for each attempt: try again after a failure,
 * or fall back to another model. Each id has a list of models, one for each attempt, and
 * an attempt too many is an error.
 *
 * <pre class="code">
 * ReplayModels models = ReplayModels.builder()
 *     .attempts("large", broken, ReplayChatModel.read(script))
 *     .attempts("small", ReplayChatModel.read(shorter))
 *     .build();
 * agent(models::create).run("Fix it");
 * assertThat(models.calls("large")).isEqualTo(2);
 * </pre>
 *
 * Thread-safe.
 *
 * @since 0.1.0
 */
public final class ReplayModels {

	private final Map<String, Attempts> attempts;

	private ReplayModels(Map<String, List<ChatModel>> attempts) {
		Map<String, Attempts> byId = new LinkedHashMap<>();
		attempts.forEach((id, models) -> byId.put(id, new Attempts(models, new AtomicInteger())));
		this.attempts = byId;
	}

	/**
	 * Starts without models.
	 * @return a builder
	 */
	public static Builder builder() {
		return new Builder();
	}

	/**
	 * Returns the model of the next attempt.
	 * @param id the id of a model
	 * @return the next model of this id
	 * @throws IllegalStateException if there is none left
	 * @throws IllegalArgumentException if there is no such id
	 */
	public ChatModel create(String id) {
		Attempts known = attempts(id);
		int call = known.calls().incrementAndGet();
		if (call > known.models().size()) {
			throw new IllegalStateException(
					"Model '" + id + "' has " + known.models().size() + " attempts and was asked for another one");
		}
		return known.models().get(call - 1);
	}

	/**
	 * Returns how often a model was asked for, also in vain.
	 * @param id the id of a model
	 * @return the number of calls of {@link #create}
	 * @throws IllegalArgumentException if there is no such id
	 */
	public int calls(String id) {
		return attempts(id).calls().get();
	}

	private Attempts attempts(String id) {
		Attempts known = this.attempts.get(Objects.requireNonNull(id, "'id' must not be null"));
		if (known == null) {
			throw new IllegalArgumentException("There is no model '" + id + "', only " + this.attempts.keySet());
		}
		return known;
	}

	/**
	 * Builds {@link ReplayModels}. Not thread-safe.
	 *
	 * @since 0.1.0
	 */
	public static final class Builder {

		private final Map<String, List<ChatModel>> attempts = new LinkedHashMap<>();

		private Builder() {
		}

		/**
		 * Adds a model's attempts.
		 * @param id the id of the model
		 * @param models a model for each attempt, such as a {@link ReplayChatModel}; none
		 * if it must not be asked for
		 * @return this builder
		 * @throws IllegalArgumentException if the id is blank or has attempts already
		 */
		public Builder attempts(String id, ChatModel... models) {
			if (Objects.requireNonNull(id, "'id' must not be null").isBlank()) {
				throw new IllegalArgumentException("'id' must not be blank");
			}
			if (this.attempts.putIfAbsent(id, List.of(models)) != null) {
				throw new IllegalArgumentException("'" + id + "' has attempts already");
			}
			return this;
		}

		/**
		 * Builds the models.
		 * @return the models
		 */
		public ReplayModels build() {
			return new ReplayModels(this.attempts);
		}

	}

	private record Attempts(List<ChatModel> models, AtomicInteger calls) {
	}

}
