package io.sandbox4j.tools;

/**
 * Tells well-formed characters (RFC 3629) from other bytes, byte by byte: a decoder of
 * the JDK needs all bytes of a line, however long it is.
 */
final class Utf8 {

	/**
	 * The size of a byte order mark, which is U+FEFF.
	 */
	static final int BOM_BYTES = 3;

	private static final int MAX_BYTES = 4;

	private int missing;

	private int low;

	private int high;

	/**
	 * Takes the next byte. After one that was refused, the next begins a character.
	 * @param value the byte, signed or not
	 * @return whether it continues or begins a well-formed character
	 */
	boolean accept(int value) {
		int octet = value & 0xff;
		if (this.missing == 0) {
			return begin(octet);
		}
		boolean accepted = octet >= this.low && octet <= this.high;
		this.missing = accepted ? this.missing - 1 : 0;
		this.low = 0x80;
		this.high = 0xbf;
		return accepted;
	}

	// The second byte has less room after some: there are no overlong forms, no
	// surrogates and nothing above U+10FFFF.
	private boolean begin(int octet) {
		if (octet < 0x80) {
			return true;
		}
		if (octet < 0xc2 || octet > 0xf4) {
			return false;
		}
		this.missing = (octet < 0xe0) ? 1 : (octet < 0xf0) ? 2 : 3;
		this.low = (octet == 0xe0) ? 0xa0 : (octet == 0xf0) ? 0x90 : 0x80;
		this.high = (octet == 0xed) ? 0x9f : (octet == 0xf4) ? 0x8f : 0xbf;
		return true;
	}

	/**
	 * Whether no character is open.
	 * @return {@code true} at the end of a character, and before the first
	 */
	boolean isWhole() {
		return this.missing == 0;
	}

	static boolean startsWithBom(byte[] bytes, int length) {
		return length >= BOM_BYTES && bytes[0] == (byte) 0xef && bytes[1] == (byte) 0xbb && bytes[2] == (byte) 0xbf;
	}

	/**
	 * Moves a cut to the front of the character that it would split. Malformed bytes may
	 * be cut anywhere.
	 * @param bytes the text
	 * @param at the cut
	 * @return the cut, or up to three bytes before it
	 */
	static int floor(byte[] bytes, int at) {
		for (int from = Math.max(0, at - MAX_BYTES + 1); from < at; from++) {
			if (from + length(bytes, from) > at) {
				return from;
			}
		}
		return at;
	}

	/**
	 * Moves a cut to the end of the character that it would split.
	 * @param bytes the text
	 * @param at the cut
	 * @return the cut, or up to three bytes after it
	 */
	static int ceiling(byte[] bytes, int at) {
		int start = floor(bytes, at);
		return (start < at) ? start + length(bytes, start) : at;
	}

	// Zero if no well-formed character is there
	private static int length(byte[] bytes, int from) {
		Utf8 utf8 = new Utf8();
		for (int i = from; i < bytes.length && utf8.accept(bytes[i]); i++) {
			if (utf8.isWhole()) {
				return i + 1 - from;
			}
		}
		return 0;
	}

}
