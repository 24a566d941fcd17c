package io.sandbox4j.git;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * Lists as git writes and reads them with {@code -z}: a name may have any byte but NUL.
 * Each byte becomes one character and back.
 */
final class NulList {

	private NulList() {
	}

	static List<String> parse(byte[] bytes) {
		List<String> words = new ArrayList<>();
		int start = 0;
		for (int i = 0; i < bytes.length; i++) {
			if (bytes[i] == 0) {
				words.add(new String(bytes, start, i - start, StandardCharsets.ISO_8859_1));
				start = i + 1;
			}
		}
		return words;
	}

	static byte[] format(Collection<String> words) {
		ByteArrayOutputStream bytes = new ByteArrayOutputStream();
		for (String word : words) {
			bytes.writeBytes(word.getBytes(StandardCharsets.ISO_8859_1));
			bytes.write(0);
		}
		return bytes.toByteArray();
	}

}
