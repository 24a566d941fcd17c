package io.sandbox4j.storage;

import java.io.IOException;
import java.nio.file.attribute.BasicFileAttributes;

import io.sandbox4j.FileType;

/**
 * An entry is not of the type that was asked for.
 */
class UnexpectedTypeException extends IOException {

	private final FileType wanted;

	private final transient BasicFileAttributes found;

	UnexpectedTypeException(FileType wanted, BasicFileAttributes found) {
		super("Not a " + wanted);
		this.wanted = wanted;
		this.found = found;
	}

	final FileType wanted() {
		return this.wanted;
	}

	final BasicFileAttributes found() {
		return this.found;
	}

}
