package io.sandbox4j.storage;

/**
 * What {@code ready} says: without it a directory is no template.
 *
 * @param backend the backend's name
 * @param key the template's key
 */
record TemplateMarker(String backend, String key) {

	TemplateMarker {
		if (backend == null || key == null) {
			throw new IllegalArgumentException("'backend' and 'key' must be given");
		}
	}

}
