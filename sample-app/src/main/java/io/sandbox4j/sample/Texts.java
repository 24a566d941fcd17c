package io.sandbox4j.sample;

/**
 * Texts for people.
 */
final class Texts {

	private Texts() {
	}

	static String shortened(String text, int most) {
		if (text.length() <= most) {
			return text;
		}
		int end = Character.isHighSurrogate(text.charAt(most - 1)) ? most - 1 : most;
		return text.substring(0, end) + "...";
	}

}
