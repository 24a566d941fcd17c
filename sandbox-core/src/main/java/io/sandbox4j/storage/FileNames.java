package io.sandbox4j.storage;

import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HexFormat;

import org.jspecify.annotations.Nullable;

/**
 * File names as UTF-8 bytes, whatever the locale. {@code Path.of} and
 * {@code Path.toString} use the locale's encoding, which is ASCII under {@code LC_ALL=C}:
 * the one throws for {@code hé}, the other shows {@code h??}. A {@link Path} itself holds
 * bytes, and its URI form is the door to them.
 *
 * @since 0.1.0
 */
public final class FileNames {

	private static final boolean UTF_8_LOCALE = "UTF-8".equalsIgnoreCase(System.getProperty("sun.jnu.encoding"));

	private static final char REPLACEMENT = '\uFFFD';

	// Path.toUri looks whether the path is a directory. Nothing lies below a device, so
	// that look ends at once and touches no file of the caller's.
	private static final Path NOWHERE = Path.of("/dev/null");

	private FileNames() {
	}

	/**
	 * Returns the path of a single name.
	 * @param name the name, without {@code /} and NUL
	 * @return a relative path of exactly the name's UTF-8 bytes
	 */
	public static Path toPath(String name) {
		if (name.isEmpty() || name.indexOf('/') >= 0 || name.indexOf('\0') >= 0) {
			throw new IllegalArgumentException("'name' must be a single file name");
		}
		return (UTF_8_LOCALE || isAscii(name)) ? Path.of(name) : throughUri(name);
	}

	/**
	 * Returns the last name of a path as text.
	 * @param path the path
	 * @return the name, or {@code null} if its bytes are not UTF-8 or it has none
	 */
	public static @Nullable String toText(Path path) {
		Path name = path.getFileName();
		if (name == null) {
			return null;
		}
		if (UTF_8_LOCALE) {
			String text = name.toString();
			if (text.indexOf(REPLACEMENT) < 0) {
				return text;
			}
		}
		try {
			return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(nameBytes(name))).toString();
		}
		catch (CharacterCodingException ex) {
			return null;
		}
	}

	/**
	 * Returns the path of a text with any number of names.
	 * @param text names with {@code /} between them, absolute or relative
	 * @return a path of exactly the text's UTF-8 bytes
	 */
	public static Path pathOf(String text) {
		if (UTF_8_LOCALE || isAscii(text)) {
			return Path.of(text);
		}
		Path path = Path.of(text.startsWith("/") ? "/" : "");
		for (String name : text.split("/")) {
			path = name.isEmpty() ? path : path.resolve(toPath(name));
		}
		return path;
	}

	/**
	 * Returns a whole path as text.
	 * @param path the path
	 * @return its names with {@code /} between them, or {@code null} if its bytes are not
	 * UTF-8
	 */
	public static @Nullable String textOf(Path path) {
		try {
			return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes(path))).toString();
		}
		catch (CharacterCodingException ex) {
			return null;
		}
	}

	/**
	 * Returns a path as the kernel knows it.
	 * @param path the path
	 * @return its bytes
	 */
	public static byte[] bytes(Path path) {
		ByteArrayOutputStream bytes = new ByteArrayOutputStream();
		if (path.isAbsolute()) {
			bytes.write('/');
		}
		for (int i = 0; i < path.getNameCount(); i++) {
			if (i > 0) {
				bytes.write('/');
			}
			bytes.writeBytes(nameBytes(path.getName(i)));
		}
		return bytes.toByteArray();
	}

	private static boolean isAscii(String name) {
		return name.chars().allMatch((character) -> character < 0x80);
	}

	private static Path throughUri(String name) {
		StringBuilder uri = new StringBuilder("file:///");
		for (byte value : name.getBytes(StandardCharsets.UTF_8)) {
			uri.append('%').append(HexFormat.of().toHexDigits(value));
		}
		return Path.of(URI.create(uri.toString())).getFileName();
	}

	private static byte[] nameBytes(Path name) {
		String uri = NOWHERE.resolve(name).toUri().getRawPath();
		ByteArrayOutputStream bytes = new ByteArrayOutputStream();
		for (int i = NOWHERE.toString().length() + 1; i < uri.length(); i++) {
			char character = uri.charAt(i);
			if (character == '%') {
				bytes.write(HexFormat.fromHexDigits(uri, i + 1, i + 3));
				i += 2;
			}
			else {
				bytes.write(character);
			}
		}
		return bytes.toByteArray();
	}

}
