package io.sandbox4j.checkpoint;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.function.LongSupplier;

import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;

/**
 * A tar stream whose names are bytes.
 */
final class TarInput extends TarArchiveInputStream {

	private static final int RECORD = 512;

	private final LongSupplier taken;

	/**
	 * Creates a stream.
	 * @param input where it comes from
	 * @param block what its length is a multiple of
	 * @param taken how many bytes of the input were read
	 */
	TarInput(InputStream input, int block, LongSupplier taken) {
		super(input, block, RECORD, StandardCharsets.ISO_8859_1.name());
		this.taken = taken;
	}

	// The library counts holes as bytes, and would look for the end of the last block
	// elsewhere.
	@Override
	public long getBytesRead() {
		return this.taken.getAsLong();
	}

}
