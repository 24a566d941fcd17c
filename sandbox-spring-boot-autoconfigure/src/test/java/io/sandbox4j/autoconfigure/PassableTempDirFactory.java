package io.sandbox4j.autoconfigure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

import org.junit.jupiter.api.extension.AnnotatedElementContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDirFactory;

/**
 * Makes directories that other users can pass through: as root, commands run as another
 * user.
 */
public final class PassableTempDirFactory implements TempDirFactory {

	@Override
	public Path createTempDirectory(AnnotatedElementContext element, ExtensionContext context) throws IOException {
		Path directory = Files.createTempDirectory("sandbox4j-test");
		return Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx--x--x"));
	}

}
