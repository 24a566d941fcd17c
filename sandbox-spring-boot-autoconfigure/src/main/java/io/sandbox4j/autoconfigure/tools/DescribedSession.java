package io.sandbox4j.autoconfigure.tools;

import java.io.InputStream;
import java.time.Instant;
import java.util.List;
import java.util.Set;

import io.sandbox4j.AdmissionStatus;
import io.sandbox4j.ErrorCode;
import io.sandbox4j.ExecResult;
import io.sandbox4j.ExecSpec;
import io.sandbox4j.FileEntry;
import io.sandbox4j.FileScan;
import io.sandbox4j.FileType;
import io.sandbox4j.NetworkPolicy;
import io.sandbox4j.Restriction;
import io.sandbox4j.SandboxException;
import io.sandbox4j.SandboxFiles;
import io.sandbox4j.SandboxProcess;
import io.sandbox4j.SandboxSession;
import io.sandbox4j.WorkspacePath;

/**
 * Stands for a session while tools are described, which is before there is one. It
 * answers what building the tools asks, and refuses everything else.
 */
final class DescribedSession implements SandboxSession, SandboxFiles {

	private static SandboxException none() {
		return new SandboxException(ErrorCode.SANDBOX_STOPPED, "The tools are only described; there is no sandbox.");
	}

	@Override
	public String id() {
		return "0".repeat(64);
	}

	@Override
	public String resolvePath(String path) {
		return WorkspacePath.parse(path).toString();
	}

	@Override
	public ExecResult run(ExecSpec command) {
		throw none();
	}

	@Override
	public SandboxProcess start(ExecSpec command) {
		throw none();
	}

	@Override
	public SandboxFiles files() {
		return this;
	}

	@Override
	public NetworkPolicy networkPolicy() {
		return NetworkPolicy.denyAll();
	}

	@Override
	public void setNetworkPolicy(NetworkPolicy policy) {
		throw none();
	}

	@Override
	public Set<Restriction> restrictions() {
		return Set.of(Restriction.values());
	}

	@Override
	public AdmissionStatus admission() {
		throw none();
	}

	@Override
	public FileEntry stat(String path) {
		WorkspacePath parsed = WorkspacePath.parse(path);
		if (!parsed.isRoot()) {
			throw none();
		}
		return new FileEntry(parsed, FileType.DIRECTORY, 0, Instant.EPOCH, true);
	}

	@Override
	public byte[] read(String path) {
		throw none();
	}

	@Override
	public String readText(String path) {
		throw none();
	}

	@Override
	public InputStream open(String path) {
		throw none();
	}

	@Override
	public void write(String path, byte[] content) {
		throw none();
	}

	@Override
	public void writeText(String path, String content) {
		throw none();
	}

	@Override
	public void write(String path, InputStream content) {
		throw none();
	}

	@Override
	public void create(String path, byte[] content) {
		throw none();
	}

	@Override
	public void createDirectories(String path) {
		throw none();
	}

	@Override
	public void setExecutable(String path, boolean executable) {
		throw none();
	}

	@Override
	public boolean remove(String path) {
		throw none();
	}

	@Override
	public void move(String source, String target) {
		throw none();
	}

	@Override
	public boolean exists(String path) {
		throw none();
	}

	@Override
	public List<FileEntry> list(String path) {
		throw none();
	}

	@Override
	public List<FileEntry> walk(String path, int maxDepth) {
		throw none();
	}

	@Override
	public void scan(String path, FileScan<?> scan) {
		throw none();
	}

}
