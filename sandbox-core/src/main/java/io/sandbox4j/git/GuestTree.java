package io.sandbox4j.git;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.ExecResult;
import io.sandbox4j.ExecSpec;
import io.sandbox4j.SandboxException;
import io.sandbox4j.SandboxProcess;
import io.sandbox4j.SandboxSession;
import org.jspecify.annotations.Nullable;

/**
 * The working tree of the sandbox, read and written by commands inside it. Each has a
 * repository of its own in the private {@code /tmp} of the command, made for it and gone
 * with it: nothing that the agent did to its repository, its configuration or its index
 * has a part in what is read or written.
 */
final class GuestTree {

	private static final String PREPARE = """
			set -eu
			umask 022
			export TMPDIR=/tmp
			g=/tmp/sandbox4j-sync
			git init --quiet --bare --template= --object-format="$1" "$g"
			mkdir -p "$g/info"
			printf %s "$2" >"$g/info/attributes"
			export GIT_DIR="$g" GIT_WORK_TREE=/workspace
			cd /workspace
			rm -rf './git~1'
			""";

	// Files that are unchanged are hashed and not stored. What 'ls-files' cannot read,
	// and
	// names that 'update-index' refuses, they leave out with no more than a message: the
	// one would look like a deletion, the other would make the sides differ. That an
	// attributes file is a link or a directory is no matter: attributes have no say.
	private static final String SNAPSHOT = PREPARE
			+ """
					head -c "$3" >"$g/info/exclude"
					git update-index -z --index-info
					git update-index -q --refresh >/dev/null || :
					git diff-files -z --name-only --diff-filter=D >"$g/gone"
					git diff-files -z --name-only --diff-filter=d >"$g/kept"
					git ls-files -z -o --exclude="$5" --exclude-standard >"$g/others" 2>"$g/errors" || echo failed >>"$g/errors"
					if grep -qv "^warning: unable to access '.*[.]git[ai][a-z]*': " "$g/errors"; then cat "$g/errors" >&2; exit 3; fi
					grep -zv '/$' "$g/others" >>"$g/kept" || :
					grep -z '/$' "$g/others" >"$g/nested" || :
					git update-index -z --force-remove --stdin <"$g/gone"
					git update-index -z --add --replace --stdin <"$g/kept" 2>"$g/errors" || echo failed >>"$g/errors"
					if grep -qv "^warning: unable to access '.*[.]git[ai][a-z]*': " "$g/errors"; then cat "$g/errors" >&2; exit 3; fi
					tree=$(git write-tree --missing-ok)
					git cat-file --batch-all-objects --batch-check='%(objecttype) %(objectsize) %(objectname)' >"$g/made"
					size=$(awk '$1 == "blob" { sum += $2 } END { printf "%.0f", sum }' "$g/made")
					printf '%s %s %s\\n' "$tree" "$size" "$(wc -c <"$g/nested")"
					if [ "$size" -gt "$4" ]; then exit 4; fi
					cat "$g/nested"
					cut -d' ' -f3 "$g/made" | git pack-objects --quiet --stdout --window=0
					""";

	// A file is made apart and put in its place by a rename, so that a sync that is cut
	// off leaves each file old or new. No tree can have the name of that place: to Git it
	// is another spelling of '.git'. What is in the way of a file, or would lead it
	// elsewhere, is something that is ignored, and stays.
	private static final String UPDATE = PREPARE + """
			head -c "$3" >"$g/gone"
			head -c "$4" >"$g/parents"
			head -c "$5" >"$g/entries"
			head -c "$6" >"$g/written"
			git index-pack --stdin >/dev/null
			git update-index -z --index-info <"$g/entries"
			trap "rm -rf './git~1'" EXIT
			mkdir './git~1'
			git checkout-index -f -q -z --prefix='git~1/' --stdin <"$g/written"
			xargs -0 -r rm -f -- <"$g/gone"
			xargs -0 -r rmdir -p --ignore-fail-on-non-empty -- <"$g/parents" 2>/dev/null || :
			xargs -0 -r sh -c 'for f; do
				if [ -d "./$f" ] && [ ! -L "./$f" ]; then find "./$f" -depth -type d -empty -delete; fi
			done' sh <"$g/written"
			find './git~1' -type d -print0 >"$g/made"
			xargs -0 sh -euc 'for made; do
				place=".${made#./git~1}"
				if [ -L "$place" ]; then echo "$place is in the way" >&2; exit 1; fi
				if [ ! -d "$place" ]; then mkdir -- "$place"; fi
				find "$made" -mindepth 1 -maxdepth 1 ! -type d -exec mv -f -t "$place" -- {} +
			done' sh <"$g/made"
			""";

	private static final String PREFLIGHT = """
			git --version && awk 1 /dev/null && xargs -0 -r true </dev/null || exit 1
			grep -z x /dev/null
			[ $? -le 1 ] || exit 1
			[ -z "$(find /workspace -mindepth 1 -maxdepth 1 -print -quit)" ] || exit 5
			""";

	private static final int NOT_EMPTY = 5;

	private static final String SEED = """
			set -eu
			umask 022
			cd /workspace
			if [ "$6" = again ]; then
				chmod -R u+rwX . || :
				find . -mindepth 1 -maxdepth 1 -exec rm -rf -- {} +
			fi
			if [ -n "$(find . -mindepth 1 -maxdepth 1 -print -quit)" ]; then exit 5; fi
			git init --quiet --template= --object-format="$1" .
			mkdir -p .git/info
			head -c "$3" >.git/info/exclude
			head -c "$8" >".git/objects/pack/$7.idx"
			cat >".git/objects/pack/$7.pack"
			chmod 444 .git/objects/pack/*
			printf %s "$2" >.git/info/attributes
			git symbolic-ref HEAD "refs/heads/$5"
			git update-ref HEAD "$4"
			git read-tree --reset -u HEAD
			rm .git/info/attributes
			""";

	private static final int MAX_ERRORS = 4096;

	private static final int MAX_NESTED = 1 << 20;

	// TREE, the bytes of new content, the bytes of the list of nested repositories
	private static final Pattern HEAD = Pattern.compile("([0-9a-f]{40,64}) ([0-9]{1,18}) ([0-9]{1,9})");

	private final SandboxSession session;

	private final ObjectStore store;

	private final Duration timeout;

	private final long maxBytes;

	private List<String> leftOut = List.of();

	GuestTree(SandboxSession session, ObjectStore store, Duration timeout, long maxBytes) {
		this.session = session;
		this.store = store;
		this.timeout = timeout;
		this.maxBytes = maxBytes;
	}

	List<String> leftOut() {
		return this.leftOut;
	}

	/**
	 * Looks whether a seed can succeed, before anything says that one was begun.
	 * @param begun whether one was, so that what is in the workspace is its own
	 */
	void preflight(boolean begun) {
		ExecResult result = this.session.run(ExecSpec.shell(PREFLIGHT).withTimeout(this.timeout));
		if (result.exitCode() == NOT_EMPTY) {
			if (begun) {
				return;
			}
			check(result, "");
		}
		if (!result.succeeded()) {
			throw new SandboxException(ErrorCode.SANDBOX_UNAVAILABLE,
					"The sandbox lacks 'git', 'awk', 'xargs' or 'grep', which a Git workspace needs. "
							+ "Install them on the host: the sandbox sees its programs.");
		}
	}

	/**
	 * Makes the repository and the tree of a fresh workspace.
	 * @param pack holds all of the commit; its index is beside it
	 * @param format the format of objects
	 * @param commit the commit
	 * @param branch the name of the branch
	 * @param exclusions the rules of what is ignored
	 * @param again whether what is there is of a seed that was cut off
	 */
	void seed(Path pack, String format, String commit, String branch, byte[] exclusions, boolean again) {
		String name = pack.getFileName().toString().replace(".pack", "");
		byte[] index = this.store.index(pack);
		send(SEED, List.of(format, ObjectStore.ATTRIBUTES, String.valueOf(exclusions.length), commit, branch,
				again ? "again" : "new", name, String.valueOf(index.length)), List.of(exclusions, index), pack);
	}

	/**
	 * Returns the tree of what is in the workspace now.
	 * @param format the format of objects
	 * @param known the tree that it had last, which is whole in the store
	 * @param exclusions the rules of what is ignored that are not in the tree
	 * @return its id; its objects are in the store
	 */
	String snapshot(String format, String known, byte[] exclusions) {
		byte[] entries = this.store.entries(known);
		ExecSpec command = command(SNAPSHOT, List.of(format, ObjectStore.ATTRIBUTES, String.valueOf(exclusions.length),
				String.valueOf(this.maxBytes), HandoffMirror.RULE));
		Path pack = this.store.directory().resolve("received.pack");
		try (SandboxProcess process = this.session.start(command)) {
			CompletableFuture<String> errors = CompletableFuture.supplyAsync(() -> text(process.stderr()),
					GitCommand.STREAMS);
			CompletableFuture<Void> sending = CompletableFuture
				.runAsync(() -> write(process.stdin(), List.of(exclusions, entries), null), GitCommand.STREAMS);
			Matcher head = HEAD.matcher(line(process.stdout()));
			boolean told = head.matches();
			boolean large = told && Long.parseLong(head.group(2)) > this.maxBytes;
			if (told && !large) {
				readNested(process.stdout(), Integer.parseInt(head.group(3)));
				receive(process.stdout(), pack);
			}
			process.stdout().close();
			sending.join();
			if (large) {
				throw new SandboxException(ErrorCode.SANDBOX_LIMIT, "The changes in the sandbox have " + head.group(2)
						+ " bytes, more than the " + this.maxBytes + " of 'maxTransfer'. Nothing was moved.");
			}
			check(process.onExit().join(), errors.join());
			if (!told) {
				throw new SandboxException(ErrorCode.SANDBOX_STATE_MISMATCH, "The sandbox named no tree.");
			}
			String tree = head.group(1);
			if (!tree.equals(known)) {
				this.store.take(pack, tree, known);
			}
			return tree;
		}
		catch (IOException ex) {
			throw ObjectStore.failed(ex);
		}
		finally {
			discard(pack);
		}
	}

	private void readNested(InputStream output, int length) throws IOException {
		if (length > MAX_NESTED) {
			throw new SandboxException(ErrorCode.SANDBOX_LIMIT,
					"The sandbox has too many nested repositories. Remove them, or have them ignored.");
		}
		this.leftOut = NulList.parse(output.readNBytes(length)).stream().map(HostTree::shown).toList();
	}

	private void receive(InputStream output, Path pack) throws IOException {
		// A pack has little beside its objects; what says otherwise is no pack.
		long left = this.maxBytes + (16L << 20);
		byte[] buffer = new byte[65_536];
		try (OutputStream file = Files.newOutputStream(pack)) {
			for (int count = output.read(buffer); count >= 0; count = output.read(buffer)) {
				left -= count;
				if (left < 0) {
					throw new SandboxException(ErrorCode.SANDBOX_LIMIT, "The sandbox sent more than the "
							+ this.maxBytes + " bytes of 'maxTransfer'. Nothing is kept.");
				}
				file.write(buffer, 0, count);
			}
		}
	}

	/**
	 * Writes the files that differ between the tree that the workspace has and another.
	 * @param format the format of objects
	 * @param changes what differs
	 */
	void update(String format, List<TreeChange> changes) {
		if (changes.isEmpty()) {
			return;
		}
		List<String> gone = new ArrayList<>();
		Set<String> parents = new TreeSet<>(Collections.reverseOrder());
		List<String> entries = new ArrayList<>();
		List<String> written = new ArrayList<>();
		Set<String> blobs = new TreeSet<>();
		for (TreeChange change : changes) {
			if (change.deleted()) {
				gone.add("./" + change.path());
				int slash = change.path().lastIndexOf('/');
				if (slash > 0) {
					parents.add("./" + change.path().substring(0, slash));
				}
			}
			else {
				entries.add(change.newMode() + " " + change.newId() + "\t" + change.path());
				written.add(change.path());
				blobs.add(change.newId());
			}
		}
		Path pack = this.store.directory().resolve("sent.pack");
		try {
			long size = this.store.sizeOf(blobs);
			if (size > this.maxBytes) {
				throw tooLarge(size);
			}
			this.store.pack(pack,
					blobs.stream()
						.map((blob) -> blob + "\n")
						.collect(Collectors.joining())
						.getBytes(StandardCharsets.US_ASCII));
			List<byte[]> lists = List.of(NulList.format(gone), NulList.format(parents), NulList.format(entries),
					NulList.format(written));
			List<String> args = new ArrayList<>(List.of(format, ObjectStore.ATTRIBUTES));
			lists.forEach((list) -> args.add(String.valueOf(list.length)));
			send(UPDATE, args, lists, pack);
		}
		finally {
			discard(pack);
		}
	}

	SandboxException tooLarge(long size) {
		return new SandboxException(ErrorCode.SANDBOX_LIMIT, "The files to bring into the sandbox have " + size
				+ " bytes, more than the " + this.maxBytes + " of 'maxTransfer'. Nothing was moved.");
	}

	private void send(String script, List<String> args, List<byte[]> lists, Path pack) {
		try (SandboxProcess process = this.session.start(command(script, args))) {
			CompletableFuture<String> errors = CompletableFuture.supplyAsync(() -> text(process.stderr()),
					GitCommand.STREAMS);
			CompletableFuture<String> output = CompletableFuture.supplyAsync(() -> text(process.stdout()),
					GitCommand.STREAMS);
			write(process.stdin(), lists, pack);
			output.join();
			check(process.onExit().join(), errors.join());
		}
	}

	private ExecSpec command(String script, List<String> args) {
		List<String> words = new ArrayList<>(List.of("-c", script, "sandbox4j-sync"));
		words.addAll(args);
		Map<String, String> environment = GitCommand.settings();
		environment.put("PATH", "/usr/bin:/bin");
		environment.put("HOME", "/nonexistent");
		return ExecSpec.of("/bin/sh", words).withEnvironment(environment).withTimeout(this.timeout);
	}

	private void check(ExecResult result, String errors) {
		if (result.succeeded()) {
			return;
		}
		if (result.exitCode() == NOT_EMPTY) {
			throw new SandboxException(ErrorCode.SANDBOX_STATE_MISMATCH,
					"The workspace is not empty, so that nothing was seeded. Use a template without files.");
		}
		ErrorCode code = errors.contains("No space left") ? ErrorCode.SANDBOX_LIMIT : ErrorCode.SANDBOX_STATE_MISMATCH;
		throw new SandboxException(code, "The workspace could not be synchronised inside the sandbox, "
				+ result.status() + ": " + errors.strip());
	}

	// A command that ends early says why by its status, not by a broken pipe.
	private static void write(OutputStream stdin, List<byte[]> lists, @Nullable Path pack) {
		try (OutputStream output = stdin) {
			for (byte[] list : lists) {
				output.write(list);
			}
			if (pack != null) {
				Files.copy(pack, output);
			}
		}
		catch (IOException ex) {
			return;
		}
	}

	private static String text(InputStream stream) {
		try (InputStream input = stream) {
			ByteArrayOutputStream kept = new ByteArrayOutputStream();
			byte[] buffer = new byte[4096];
			for (int count = input.read(buffer); count >= 0; count = input.read(buffer)) {
				kept.write(buffer, 0, Math.min(count, MAX_ERRORS - Math.min(kept.size(), MAX_ERRORS)));
			}
			return kept.toString(StandardCharsets.UTF_8);
		}
		catch (IOException ex) {
			return "";
		}
	}

	static String line(InputStream input) throws IOException {
		StringBuilder line = new StringBuilder();
		for (int c = input.read(); c >= 0 && c != '\n' && line.length() < 256; c = input.read()) {
			line.append((char) c);
		}
		return line.toString();
	}

	private static void discard(Path file) {
		try {
			Files.deleteIfExists(file);
		}
		catch (IOException ex) {
			// Overwritten by the next sync.
		}
	}

}
