package io.sandbox4j.gateway;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The forms in which an upstream may write a secret back. One encoding is undone, not
 * several upon each other, and no line breaks within. Byte strings are held as
 * {@code String}s of which each character is one byte: so they compare and hash.
 */
final class SecretForms {

	/**
	 * What encoders leave beside letters and digits: nothing, RFC 3986, JavaScript's
	 * {@code encodeURIComponent} and {@code encodeURI}, Java's and PHP's forms, Python's
	 * {@code quote}.
	 */
	private static final List<String> PERCENT_PLAIN = List.of("", "-._~", "-_.!~*'()", "-_.!~*'();/?:@&=+$,#", "-_.*",
			"-_.", "-._~/");

	/**
	 * What encoders write as a backslash, {@code u} and four digits, besides what is not
	 * ASCII: nothing, Go, Gson, .NET, PHP.
	 */
	private static final List<String> JSON_UNICODE = List.of("", "<>&", "<>&='", "<>&'+`\"", "<>&'\"");

	/**
	 * Text, XML, Go, Python, PHP, Mustache, Handlebars, OWASP.
	 */
	private static final List<Map<Character, String>> HTML = List.of(Map.of(), Map.of('"', "&quot;"),
			Map.of('"', "&quot;", '\'', "&apos;"), Map.of('"', "&quot;", '\'', "&#39;"),
			Map.of('"', "&#34;", '\'', "&#39;"), Map.of('"', "&#34;", '\'', "&#39;", '+', "&#43;"),
			Map.of('"', "&quot;", '\'', "&#x27;"), Map.of('"', "&quot;", '\'', "&#039;"),
			Map.of('"', "&quot;", '\'', "&#39;", '/', "&#x2F;", '`', "&#x60;", '=', "&#x3D;"),
			Map.of('"', "&quot;", '\'', "&#x27;", '`', "&#x60;", '=', "&#x3D;"),
			Map.of('"', "&quot;", '\'', "&#x27;", '/', "&#x2F;"));

	private final Set<String> forms = new LinkedHashSet<>();

	/**
	 * Adds a secret in every form.
	 * @param secret the bytes
	 * @return this
	 */
	SecretForms add(byte[] secret) {
		this.forms.add(latin1(secret));
		base64(secret);
		hex(secret);
		percent(secret);
		String text = text(secret);
		this.forms.add(utf8(text));
		json(text);
		html(text);
		return this;
	}

	Set<String> forms() {
		return this.forms;
	}

	// In a larger text the secret starts at one of three places within a group of three
	// bytes. The characters that share bits with its neighbours vary and are left.
	private void base64(byte[] secret) {
		for (int before = 0; before < 3; before++) {
			byte[] shifted = new byte[before + secret.length];
			System.arraycopy(secret, 0, shifted, before, secret.length);
			int from = (8 * before + 5) / 6;
			int to = 8 * shifted.length / 6;
			this.forms.add(Base64.getEncoder().encodeToString(shifted).substring(from, to));
			this.forms.add(Base64.getUrlEncoder().encodeToString(shifted).substring(from, to));
		}
	}

	private void hex(byte[] secret) {
		this.forms.add(HexFormat.of().formatHex(secret));
		this.forms.add(HexFormat.of().withUpperCase().formatHex(secret));
	}

	private void percent(byte[] secret) {
		for (HexFormat digits : List.of(HexFormat.of(), HexFormat.of().withUpperCase())) {
			this.forms.add(digits.withPrefix("%").formatHex(secret));
			for (String plain : PERCENT_PLAIN) {
				this.forms.add(percent(secret, digits, plain, "%20"));
				this.forms.add(percent(secret, digits, plain, "+"));
			}
		}
	}

	private static String percent(byte[] secret, HexFormat digits, String plain, String blank) {
		StringBuilder form = new StringBuilder();
		for (byte value : secret) {
			char c = (char) (value & 0xff);
			if (c == ' ') {
				form.append(blank);
			}
			else if (isLetterOrDigit(c) || plain.indexOf(c) >= 0) {
				form.append(c);
			}
			else {
				form.append('%').append(digits.toHexDigits(value));
			}
		}
		return form.toString();
	}

	private static boolean isLetterOrDigit(char c) {
		return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
	}

	private void json(String text) {
		for (HexFormat digits : List.of(HexFormat.of(), HexFormat.of().withUpperCase())) {
			for (String unicode : JSON_UNICODE) {
				for (boolean slash : new boolean[] { false, true }) {
					this.forms.add(json(text, digits, unicode, slash, false));
					this.forms.add(json(text, digits, unicode, slash, true));
				}
			}
		}
	}

	private static String json(String text, HexFormat digits, String unicode, boolean slash, boolean ascii) {
		StringBuilder form = new StringBuilder();
		for (char c : text.toCharArray()) {
			if (unicode.indexOf(c) >= 0 || (c < ' ' && c != '\t') || (ascii && c > '~')) {
				form.append("\\u").append(digits.toHexDigits(c));
			}
			else if (c == '\t') {
				form.append("\\t");
			}
			else {
				form.append((c == '"' || c == '\\' || (slash && c == '/')) ? "\\" : "").append(c);
			}
		}
		return utf8(form.toString());
	}

	private void html(String text) {
		for (Map<Character, String> names : HTML) {
			StringBuilder form = new StringBuilder();
			for (char c : text.toCharArray()) {
				switch (c) {
					case '&' -> form.append("&amp;");
					case '<' -> form.append("&lt;");
					case '>' -> form.append("&gt;");
					default -> form.append(names.getOrDefault(c, String.valueOf(c)));
				}
			}
			this.forms.add(utf8(form.toString()));
		}
	}

	private static String text(byte[] secret) {
		try {
			return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(secret)).toString();
		}
		catch (CharacterCodingException ex) {
			return latin1(secret);
		}
	}

	private static String utf8(String text) {
		return latin1(text.getBytes(StandardCharsets.UTF_8));
	}

	private static String latin1(byte[] bytes) {
		return new String(bytes, StandardCharsets.ISO_8859_1);
	}

}
