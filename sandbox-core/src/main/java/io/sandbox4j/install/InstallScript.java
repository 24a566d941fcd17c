package io.sandbox4j.install;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.ExecSpec;
import io.sandbox4j.SandboxException;
import io.sandbox4j.SandboxFiles;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What runs inside: the command, and then a file with its exit code, which tells the next
 * application how it ended when this one is not there to hear it. The guest could write
 * that file itself; it can lie about its own install only.
 */
final class InstallScript {

	private static final Logger logger = LoggerFactory.getLogger(InstallScript.class);

	private static final String DIRECTORY = "/workspace/.sandbox/install";

	private static final String IGNORED = "/workspace/.sandbox/.gitignore";

	// The file appears whole or not at all. What the command leaves running ends with it.
	// A tree outside of the directory is a cache in the home, which no repository ignores
	// by itself.
	private static final String TEXT = """
			exit="$1" cache="$2" command="$3" run="$4"
			shift 4
			umask 022
			rm -rf -- "$cache"
			mkdir -p -- "$cache"
			/bin/sh -c "$command" </dev/null 2>&1
			code=$?
			rm -rf -- "$cache"
			for tree; do
			if [ -d "$tree" ] && [ ! -e "$tree/.gitignore" ]; then echo '*' >"$tree/.gitignore"; fi
			done
			printf '%s %s\\n' "$run" "$code" >"$exit.tmp" && mv -f -- "$exit.tmp" "$exit"
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

	ExecSpec command(InstallRecord record, Duration timeout) {
		String cache = cache(record.run());
		List<String> arguments = new ArrayList<>(
				List.of("-c", TEXT, "sh", path(".exit"), cache, record.command(), record.run()));
		record.trees().stream().filter((tree) -> tree.startsWith("/")).forEach(arguments::add);
		return ExecSpec.of("/bin/sh", arguments.toArray(new String[0]))
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
	 * Removes what a run that was killed had downloaded, if it can be removed: it takes
	 * room, and nothing else is wrong with it.
	 * @param run the run
	 */
	void discardCache(String run) {
		try {
			this.files.remove(cache(run));
		}
		catch (SandboxException ex) {
			logger.debug("The cache of an install cannot be removed", ex);
		}
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

	// Of one run only, so that nobody who is late removes that of the next.
	private static String cache(String run) {
		return DIRECTORY + "/" + run + ".cache";
	}

	private String path(String suffix) {
		byte[] digest = Fingerprint.sha256().digest(this.directory.getBytes(StandardCharsets.UTF_8));
		return DIRECTORY + "/" + HexFormat.of().formatHex(digest).substring(0, NAME) + suffix;
	}

}
