package io.sandbox4j.checkpoint;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Entries as bytes. The same entry has the same bytes always: they are what is hashed.
 */
final class EntryCodec {

	private EntryCodec() {
	}

	static byte[] encode(Entry entry) {
		ByteArrayOutputStream bytes = new ByteArrayOutputStream(128);
		try (DataOutputStream output = new DataOutputStream(bytes)) {
			output.writeByte(entry.type().ordinal());
			output.writeShort(entry.mode());
			output.writeLong(entry.modified().getEpochSecond());
			output.writeInt(entry.modified().getNano());
			text(output, entry.path());
			if (entry.type() == Entry.Type.FILE) {
				output.writeLong(entry.size());
				output.writeInt(entry.extents().size());
				for (Extent extent : entry.extents()) {
					output.writeLong(extent.offset());
					output.writeInt(extent.length());
					output.write(extent.digest().bytes());
				}
			}
			else {
				text(output, entry.target());
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		return bytes.toByteArray();
	}

	private static void text(DataOutputStream output, String text) throws IOException {
		output.writeShort(text.length());
		output.write(text.getBytes(StandardCharsets.ISO_8859_1));
	}

	static Entry decode(ByteBuffer buffer) {
		try {
			Entry.Type type = Entry.Type.values()[buffer.get()];
			int mode = buffer.getShort();
			Instant modified = Instant.ofEpochSecond(buffer.getLong(), buffer.getInt());
			String path = text(buffer);
			if (type != Entry.Type.FILE) {
				return new Entry(path, type, mode, modified, 0, List.of(), text(buffer));
			}
			long size = buffer.getLong();
			int count = buffer.getInt();
			if (count < 0 || count > buffer.remaining() / (Digest.BYTES + 12)) {
				throw Failures.damaged("an entry has an impossible number of pieces");
			}
			List<Extent> extents = new ArrayList<>(count);
			for (int i = 0; i < count; i++) {
				extents.add(new Extent(buffer.getLong(), buffer.getInt(), Digest.read(buffer)));
			}
			return new Entry(path, type, mode, modified, size, List.copyOf(extents), "");
		}
		catch (BufferUnderflowException | ArrayIndexOutOfBoundsException | DateTimeException ex) {
			throw Failures.damaged("an entry cannot be read");
		}
	}

	private static String text(ByteBuffer buffer) {
		byte[] bytes = new byte[Short.toUnsignedInt(buffer.getShort())];
		buffer.get(bytes);
		return new String(bytes, StandardCharsets.ISO_8859_1);
	}

}
