package io.sandbox4j.lease;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A broker that notes what is asked of it.
 */
final class RecordingBroker implements CredentialBroker {

	final List<String> events = new CopyOnWriteArrayList<>();

	volatile Runnable onRevoke = () -> {
	};

	@Override
	public String id() {
		return "recording";
	}

	@Override
	public CredentialGrant issue(GrantRequest request) {
		this.events.add("issue");
		return new CredentialGrant() {

			@Override
			public Map<String, String> environment() {
				return Map.of();
			}

			@Override
			public String describe() {
				return "recording: nothing.";
			}

			@Override
			public void revoke() {
				RecordingBroker.this.events.add("revoke");
				RecordingBroker.this.onRevoke.run();
			}

		};
	}

}
