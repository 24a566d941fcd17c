package io.sandbox4j.git;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.SandboxException;

/**
 * What a handoff may carry at most.
 *
 * @param maxFile the bytes of a file
 * @param maxTotal the bytes of all files
 * @param maxFiles how many files and directories
 */
record HandoffLimits(long maxFile, long maxTotal, int maxFiles) {

	static final int MAX_DEPTH = 32;

	// Contents are held in arrays.
	private static final long MOST = 1L << 30;

	HandoffLimits {
		if (maxFile < 1 || maxFile > MOST || maxTotal < 1 || maxTotal > MOST || maxFiles < 1) {
			throw new SandboxException(ErrorCode.SANDBOX_INVALID,
					"'maxFile' and 'maxTotal' must be 1 byte to 1 GiB, and 'maxFiles' at least 1.");
		}
	}

	void requireFile(String path, long size) {
		if (size > this.maxFile) {
			throw exceeded(
					"'" + CommitText.shown(path) + "' has more than the " + this.maxFile + " bytes of 'maxFile'");
		}
	}

	void requireTotal(long bytes) {
		if (bytes > this.maxTotal) {
			throw exceeded("The files have more than the " + this.maxTotal + " bytes of 'maxTotal'");
		}
	}

	void requireCount(int count) {
		if (count > this.maxFiles) {
			throw exceeded("There are more than the " + this.maxFiles + " entries of 'maxFiles'");
		}
	}

	void requireDepth(int depth) {
		if (depth > MAX_DEPTH) {
			throw exceeded("Directories lie more than " + MAX_DEPTH + " levels deep");
		}
	}

	int mostOfFile() {
		return (int) this.maxFile + 1;
	}

	private static SandboxException exceeded(String what) {
		return new SandboxException(ErrorCode.SANDBOX_LIMIT, what + ". Nothing was carried.");
	}

}
