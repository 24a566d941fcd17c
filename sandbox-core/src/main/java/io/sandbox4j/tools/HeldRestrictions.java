package io.sandbox4j.tools;

import java.util.Objects;
import java.util.Set;

import io.sandbox4j.Restriction;
import io.sandbox4j.SandboxSession;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a session says that it holds. A session that cannot say holds nothing, and no
 * command is worth a guess.
 */
final class HeldRestrictions {

	private static final Logger logger = LoggerFactory.getLogger(HeldRestrictions.class);

	private HeldRestrictions() {
	}

	/**
	 * Asks the session.
	 * @param session the session
	 * @return what it holds
	 * @throws Refusal if it does not say
	 */
	static Set<Restriction> of(SandboxSession session) {
		try {
			return Set.copyOf(Objects.requireNonNull(session.restrictions(), "The session names no restrictions."));
		}
		catch (RuntimeException | LinkageError ex) {
			// The cause can name what is the host's: it is for the log.
			logger.warn("The restrictions of the sandbox are unknown", ex);
			throw Refusal.unavailable("The restrictions of the sandbox are unknown.");
		}
	}

}
