package io.sandbox4j.advisory;

import java.io.InputStream;
import java.util.List;

import io.sandbox4j.FileEntry;
import io.sandbox4j.FileScan;
import io.sandbox4j.SandboxFiles;

/**
 * Files whose writes are refused while they would not stay. What takes no room is let
 * through: to remove, to move, to set a permission.
 */
final class LastingFiles implements SandboxFiles {

	private final SandboxFiles files;

	private final Runnable check;

	LastingFiles(SandboxFiles files, Runnable check) {
		this.files = files;
		this.check = check;
	}

	@Override
	public byte[] read(String path) {
		return this.files.read(path);
	}

	@Override
	public String readText(String path) {
		return this.files.readText(path);
	}

	@Override
	public InputStream open(String path) {
		return this.files.open(path);
	}

	@Override
	public void write(String path, byte[] content) {
		this.check.run();
		this.files.write(path, content);
	}

	@Override
	public void writeText(String path, String content) {
		this.check.run();
		this.files.writeText(path, content);
	}

	@Override
	public void write(String path, InputStream content) {
		this.check.run();
		this.files.write(path, content);
	}

	@Override
	public void create(String path, byte[] content) {
		this.check.run();
		this.files.create(path, content);
	}

	@Override
	public void createDirectories(String path) {
		this.check.run();
		this.files.createDirectories(path);
	}

	@Override
	public void setExecutable(String path, boolean executable) {
		this.files.setExecutable(path, executable);
	}

	@Override
	public boolean remove(String path) {
		return this.files.remove(path);
	}

	@Override
	public void move(String source, String target) {
		this.files.move(source, target);
	}

	@Override
	public FileEntry stat(String path) {
		return this.files.stat(path);
	}

	@Override
	public boolean exists(String path) {
		return this.files.exists(path);
	}

	@Override
	public List<FileEntry> list(String path) {
		return this.files.list(path);
	}

	@Override
	public List<FileEntry> walk(String path, int maxDepth) {
		return this.files.walk(path, maxDepth);
	}

	@Override
	public void scan(String path, FileScan<?> scan) {
		this.files.scan(path, scan);
	}

}
