package io.sandbox4j.tools;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.Stream;

import io.sandbox4j.WorkspacePath;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a walk leaves out is what git ignores.
 */
class IgnoreRulesTests {

	private static final WorkspacePath ROOT = WorkspacePath.parse(".");

	private static final String[] FILES = { "a.log", "keep.log", "build/x.txt", "sub/build/x.txt", "dist/app.js",
			"sub/dist/app.js", "sub/a.log", "sub/keep.log", "sub/deep/a.log", "a/b", "a/x/b", "a/x/y/b", "a/c",
			"sub/a/b", "#x", "!x", "sp", "sp ", "file1.o", "file2.o", "filex.o", "file[1].o", "dist2", "node/dist",
			"a.b", "aab", "(x)", "a+b", "aaab", "x y", "README", "sub/README", "a/a/b", "-", "^", "abc",
			"\u00e9t\u00e9" };

	private static final String[] LINES = { "*.log", "!keep.log", "!*.log", "dist/", "/dist", "dist", "/build",
			"build/", "build/*", "a/**/b", "a/**", "**/b", "**/a/b", "a/*/b", "a/*", "/a/b", "a/b", "a/", "/*", "*",
			"**", "!*/", "!/sub/", "!sub", "sub/*", "!sub/deep", "/sub/**/a.log", "sub/deep/", "\\#x", "#x", "\\!x",
			"!!x", "sp", "sp ", "sp\\ ", "sp\\  ", "file[12].o", "file[!12].o", "file[^1].o", "file[[:digit:]].o",
			"file[1-2].o", "file\\[1\\].o", "file[[]1].o", "file[a-z].o", "file?.o", "file*", "[", "file[1", "[]-]",
			"[!]a]", "[z-a]", "[[:foo:]]", "/", "//", "!", "", " ", "\\", "x\\", "a.b", "a\\.b", "\\(x\\)", "(x)",
			"a+b", "a\\+b", "x y", "x*y", "/**/b", "/**", "***", "a***b", "a**b", "**/", "README", "/README",
			"\\README", "sub//a.log", "./a", "../a", "*.LOG", "a.log\r", "dist/\r", "*.log\t", "[a-]", "[-a]", "[\\]]",
			"sub/a.log/", "b/", "deep", "*e*", "*/b", "*/", "!a/x/", "a/x/**", "a/**/", "**/x/**", "**/*.o", "*.[lo]*",
			"**/**/b", "a/**/**/b", "a/**/y/b", "a/***/b", "foo/**/", "[a-z]*", "[[:upper:]]*", "{a,b}.log",
			"\u00e9t\u00e9", "t\u00e9", "^", "[a-c]bc", "[^]-]" };

	@TempDir
	Path directory;

	@Test
	void nestedFilesSayTheSameAsToGit() throws Exception {
		assertSameAsGit(Map.of("", "*.log\ndist/\n/build\na/**/b\n\\#x\nsp\\ \nfile[12].o\n", "sub",
				"!keep.log\n!dist/\nREADME\n", "sub/deep", "!a.log\n", "a/x", "!b\n"));
	}

	@ParameterizedTest
	@FieldSource("LINES")
	void aPatternSaysTheSameAsToGit(String line) throws Exception {
		assertSameAsGit(Map.of("", line + "\n"));
		assertSameAsGit(Map.of("", "*\n!*/\n!" + line));
	}

	@Test
	void randomFilesSayTheSameAsToGit() throws Exception {
		Random random = new Random(42);
		for (int i = 0; i < 300; i++) {
			assertSameAsGit(Map.of("", lines(random), "sub", lines(random), "a", lines(random)));
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "[a^]", "[a&&b]", "[+--]", "[\\]a]", "[[:word:]]", "*a*a*", "a\\\\b", "a\\/b" })
	void whatJGitCouldMisreadIsLeftOut(String pattern) {
		IgnoreRules rules = rules("*\n!" + pattern + "\n" + pattern + "\n!x\n");
		for (String name : List.of("a", "aa", "^", "b", "-", "a\\b")) {
			assertThat(rules.ignores(name, false)).isTrue();
		}
		assertThat(rules.ignores("x", false)).isFalse();
	}

	@Test
	void theDirectoryOfGitIsAlwaysIgnored() {
		assertThat(IgnoreRules.NONE.ignores(".git", true)).isTrue();
		assertThat(rules("!.git\n").ignores(".git", false)).isTrue();
		assertThat(IgnoreRules.NONE.ignores(".gitignore", false)).isFalse();
	}

	@Test
	void rulesReachThroughDirectoriesWithoutAFile() {
		IgnoreRules deep = rules("/x/y/z\n").within(WorkspacePath.parse("x"), null)
			.within(WorkspacePath.parse("x/y"), new byte[0]);
		assertThat(deep.ignores("z", false)).isTrue();
		assertThat(deep.ignores("y", false)).isFalse();
	}

	@Test
	void aDirectoryDoesNotChangeTheRulesOfItsParent() {
		IgnoreRules root = rules("*.log\n");
		root.within(WorkspacePath.parse("x"), bytes("!a.log\n"));
		assertThat(root.ignores("a.log", false)).isTrue();
	}

	@Test
	void bytesThatAreNotTextSpoilOnlyTheirLine() {
		byte[] bytes = { (byte) 0xff, '[', (byte) 0xc3, '\n', 'a', 0, 'b', '\n', '*', '.', 'o', '\n' };
		IgnoreRules rules = IgnoreRules.NONE.within(ROOT, bytes);
		assertThat(rules.ignores("x.o", false)).isTrue();
		assertThat(rules.ignores("b", false)).isFalse();
	}

	@Test
	void randomBytesNeverThrow() {
		Random random = new Random(1);
		byte[] alphabet = bytes("\\[]!*?(){}+|^$&:-/.#ab \t\r\n\n\0\u00e9");
		for (int i = 0; i < 20_000; i++) {
			byte[] bytes = new byte[random.nextInt(40)];
			for (int j = 0; j < bytes.length; j++) {
				bytes[j] = alphabet[random.nextInt(alphabet.length)];
			}
			IgnoreRules rules = IgnoreRules.NONE.within(ROOT, bytes);
			assertThat(List.of(rules.ignores("aab", false), rules.ignores("[a]\\", true))).hasSize(2);
		}
	}

	@Test
	void aByteOrderMarkIsNoPartOfTheFirstPattern() {
		assertThat(rules("\uFEFFx\n").ignores("x", false)).isTrue();
	}

	@Test
	void onlyWholeLinesOfTheFirst64KiBAreUsed() {
		String filler = "#".repeat(64 * 1024 - 6) + "\n";
		assertThat(rules(filler + "long\nx\n").ignores("long", false)).isTrue();
		IgnoreRules rules = rules(filler + "longer\nx\n");
		assertThat(List.of(rules.ignores("longe", false), rules.ignores("longer", false), rules.ignores("x", false)))
			.containsOnly(false);
	}

	@Test
	void onlyTheFirst2000RulesOfAFileAreUsed() {
		IgnoreRules rules = rules("# a comment is no rule\n\n" + "a\n".repeat(1999) + "b\nc\n");
		assertThat(rules.ignores("b", false)).isTrue();
		assertThat(rules.ignores("c", false)).isFalse();
	}

	@ParameterizedTest
	@ValueSource(strings = { "*a*a*a*a*a*a*a*ab", "\\(a\\+\\)\\+b", "[\\\\](a+)+]", "*a*ab",
			"*[a-za-za-za-za-za-za-za-z]*ab", "**/*a*ab/**/*a*ab", "\\(\\(a*\\)*\\)*b", "*[a]*[a]*[a]*[a]*[a]*b",
			"*?*?*?*?*?*?b" })
	@Timeout(value = 10, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
	void aHostilePatternTakesLittleTime(String pattern) {
		IgnoreRules rules = rules((pattern + "\n").repeat(100));
		assertThat(rules.ignores("a".repeat(255), false)).isFalse();
		assertThat(rules.ignores("\\" + "a".repeat(254), false)).isFalse();
	}

	@ParameterizedTest
	@ValueSource(strings = { "?", "[a]", "**/", "a/", "*", "\\a", "[", "[!", "*/", "a*", "\\", "!", "/**" })
	void aHugeLineIsHarmless(String part) {
		IgnoreRules rules = rules(part.repeat(60_000 / part.length()) + "b\n*.o\n");
		assertThat(rules.ignores("x.o", false)).isTrue();
	}

	@ParameterizedTest
	@ValueSource(strings = { "a-b", "\u0100", "a" })
	void aHugeBracketIsHarmless(String part) {
		IgnoreRules rules = rules("[" + part.repeat(20_000) + "]\n[" + part.repeat(300) + "]\n*.o\n");
		assertThat(rules.ignores("x.o", false)).isTrue();
		assertThat(rules.ignores("x", false)).isFalse();
	}

	@Test
	void deeplyNestedFilesDoNotAddUpWithoutEnd() {
		IgnoreRules rules = rules("a\n".repeat(2000));
		WorkspacePath at = ROOT;
		for (int i = 0; i < 3; i++) {
			at = at.child("d");
			rules = rules.within(at, bytes("b" + i + "\n" + "a\n".repeat(1998)));
		}
		assertThat(rules.ignores("b0", false)).isTrue();
		assertThat(rules.ignores("b1", false)).isTrue();
		assertThat(rules.ignores("b2", false)).isFalse();
	}

	private static String lines(Random random) {
		List<String> lines = new ArrayList<>();
		for (int count = random.nextInt(6); count > 0; count--) {
			lines.add(((random.nextInt(4) != 0) ? "" : "!") + LINES[random.nextInt(LINES.length)]);
		}
		return String.join("\n", lines);
	}

	private void assertSameAsGit(Map<String, String> gitignores) throws Exception {
		Path root = tree();
		for (String place : List.of("", "sub", "sub/deep", "a", "a/x")) {
			Files.writeString(root.resolve(place).resolve(".gitignore"), gitignores.getOrDefault(place, ""));
		}
		List<String> paths = new ArrayList<>();
		TreeSet<String> ignored = new TreeSet<>();
		walk(root, ROOT, IgnoreRules.NONE, false, paths, ignored);
		assertThat(ignored).as("%s", gitignores).isEqualTo(ignoredByGit(root, paths));
	}

	private Path tree() throws Exception {
		Path root = this.directory.resolve("tree");
		if (!Files.exists(root)) {
			for (String file : FILES) {
				Files.createDirectories(root.resolve(file).getParent());
				Files.createFile(root.resolve(file));
			}
			assertThat(git(root, "init", "-q").start().waitFor()).isZero();
		}
		return root;
	}

	private static void walk(Path root, WorkspacePath at, IgnoreRules above, boolean all, List<String> paths,
			TreeSet<String> ignored) throws IOException {
		Path here = root.resolve(at.relative());
		Path file = here.resolve(".gitignore");
		IgnoreRules rules = above.within(at, Files.exists(file) ? Files.readAllBytes(file) : null);
		List<Path> entries;
		try (Stream<Path> list = Files.list(here)) {
			entries = list.filter((entry) -> !entry.endsWith(".git")).toList();
		}
		for (Path entry : entries) {
			String name = entry.getFileName().toString();
			boolean ignores = all || rules.ignores(name, Files.isDirectory(entry));
			paths.add(root.relativize(entry).normalize().toString());
			if (ignores) {
				ignored.add(at.child(name).relative());
			}
			if (Files.isDirectory(entry)) {
				walk(root, at.child(name), rules, ignores, paths, ignored);
			}
		}
	}

	private TreeSet<String> ignoredByGit(Path root, List<String> paths) throws Exception {
		Path input = this.directory.resolve("paths");
		Files.writeString(input, String.join("\0", paths.stream().map((path) -> path.replace("./", "")).toList()));
		Process process = git(root, "check-ignore", "-z", "--stdin").redirectInput(input.toFile()).start();
		String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		assertThat(process.waitFor()).isLessThan(2);
		return new TreeSet<>(output.isEmpty() ? List.of() : Arrays.asList(output.split("\0")));
	}

	private static ProcessBuilder git(Path root, String... arguments) {
		List<String> command = new ArrayList<>(List.of("git", "-c", "core.excludesFile=/dev/null"));
		command.addAll(List.of(arguments));
		ProcessBuilder builder = new ProcessBuilder(command).directory(root.toFile());
		builder.environment().keySet().removeIf((name) -> name.startsWith("GIT_"));
		builder.environment().put("GIT_CONFIG_GLOBAL", "/dev/null");
		builder.environment().put("GIT_CONFIG_NOSYSTEM", "1");
		return builder.redirectError(ProcessBuilder.Redirect.DISCARD);
	}

	private static IgnoreRules rules(String gitignore) {
		return IgnoreRules.NONE.within(ROOT, bytes(gitignore));
	}

	private static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

}
