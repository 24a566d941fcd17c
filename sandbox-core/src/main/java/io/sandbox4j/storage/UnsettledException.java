package io.sandbox4j.storage;

import java.io.IOException;

/**
 * An entry was replaced again and again while it was worked on, or holds a thread up.
 */
class UnsettledException extends IOException {

	UnsettledException(String message) {
		super(message);
	}

}
