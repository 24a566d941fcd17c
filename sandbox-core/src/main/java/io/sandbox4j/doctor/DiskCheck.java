package io.sandbox4j.doctor;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The space that is left for templates and sessions.
 */
final class DiskCheck implements DoctorCheck {

	private static final String NAME = "disk";

	private static final long MIB = 1024L * 1024;

	private static final long FEW = 1024 * MIB;

	private static final long TOO_FEW = 100 * MIB;

	private static final int PART = 20;

	@Override
	public String name() {
		return NAME;
	}

	@Override
	public List<DoctorFinding> check(DoctorContext context) throws IOException {
		Path directory = context.stateDirectory();
		if (directory == null || !Files.isDirectory(directory)) {
			return List.of();
		}
		FileStore store = Files.getFileStore(directory);
		return List.of(judge(store.getUsableSpace(), store.getTotalSpace()));
	}

	static DoctorFinding judge(long usable, long total) {
		String summary = "The state directory's file system has " + usable / MIB + " MiB left of " + total / MIB
				+ " MiB.";
		String remedy = "Delete sessions that nobody needs, or move 'sandbox.state-directory'.";
		if (usable < TOO_FEW) {
			return DoctorFinding.fail(NAME, summary, "Commands and new sessions fail for want of space.", remedy);
		}
		if (usable < FEW || usable < total / PART) {
			return DoctorFinding.warn(NAME, summary, "A few workspaces can fill it.",
					remedy + " 'sandbox.storage.max-workspace-size' bounds each workspace.");
		}
		return DoctorFinding.ok(NAME, summary);
	}

}
