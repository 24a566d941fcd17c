package io.sandbox4j.install;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.ExecSpec;
import io.sandbox4j.SandboxException;
import io.sandbox4j.SandboxFiles;
import org.jspecify.annotations.Nullable;

/**
 * What runs inside: the command, and then a file with its exit code, which tells the next
 * application how it ended when this one is not there to hear it. The guest could write
 * that file itself; it can lie about its own install only.
 */
final class InstallScript {

	static final String DIRECTORY = "/workspace/.sandbox/install";

	private static final String IGNORED = "/workspace/.sandbox/.gitignore";

	// The file appears whole or not at all. What the command leaves running ends with it.
	private static final String TEXT = """
			umask 022
			rm -rf -- "$2"
			mkdir -p -- "$2"
			/bin/sh -c "$3" </dev/null 2>&1
			code=$?
			rm -rf -- "$2"
			printf '%s %s\\n' "$4" "$code" >"$1.tmp" && mv -f -- "$1.tmp" "$1"
			exit "$code"
			""";

	private static final Pattern COMPLETION = Pattern.compile("([0-9a-f-]{36}) ([0-9]{1,3})\n");

	private static final int NAME = 16;

	private final SandboxFiles files;

	private final String directory;

	InstallScript(SandboxFiles files, String directory) {
		this.files = files;
		this.directory = directory;
	}

	/**
	 * Removes the file of an earlier run and makes room for the next.
	 */
	void prepare() {
		this.files.createDirectories(DIRECTORY);
		if (!this.files.exists(IGNORED)) {
			this.files.writeText(IGNORED, "*\n");
		}
		this.files.remove(path(".exit"));
		this.files.remove(path(".exit.tmp"));
	}

	ExecSpec command(String run, String command, Duration timeout) {
		String cache = path(".cache");
		return ExecSpec.of("/bin/sh", "-c", TEXT, "sh", path(".exit"), cache, command, run)
			.withCwd(this.directory)
			.withTimeout(timeout)
			.withEnvironment(Map.ofEntries(Map.entry("CI", "1"), Map.entry("SANDBOX_INSTALL_CACHE", cache),
					Map.entry("npm_config_cache", cache), Map.entry("npm_config_update_notifier", "false"),
					Map.entry("BUN_INSTALL_CACHE_DIR", cache), Map.entry("UV_CACHE_DIR", cache),
					Map.entry("UV_LINK_MODE", "copy"), Map.entry("UV_PYTHON_DOWNLOADS", "never"),
					Map.entry("YARN_ENABLE_TELEMETRY", "0"), Map.entry("COREPACK_ENABLE_DOWNLOAD_PROMPT", "0"),
					Map.entry("GOTOOLCHAIN", "local")));
	}

	/**
	 * Reads how a run ended.
	 * @param run the run
	 * @return its exit code, or {@code null} if it left none
	 */
	@Nullable Integer exitCode(String run) {
		try {
			byte[] content = this.files.read(path(".exit"));
			Matcher completion = COMPLETION.matcher(new String(content, StandardCharsets.UTF_8));
			boolean own = completion.matches() && completion.group(1).equals(run);
			return own ? Integer.valueOf(completion.group(2)) : null;
		}
		catch (SandboxException ex) {
			if (ex.code() != ErrorCode.SANDBOX_PATH && ex.code() != ErrorCode.SANDBOX_NOT_FOUND
					&& ex.code() != ErrorCode.SANDBOX_LIMIT) {
				throw ex;
			}
			return null;
		}
	}

	private String path(String suffix) {
		byte[] digest = Fingerprint.sha256().digest(this.directory.getBytes(StandardCharsets.UTF_8));
		return DIRECTORY + "/" + HexFormat.of().formatHex(digest).substring(0, NAME) + suffix;
	}

}
