package io.sandbox4j.tools;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

import io.sandbox4j.WorkspacePath;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * A pattern finds what a model means by it, and a walk that prunes finds the same.
 */
class GlobTests {

	private static final int CASES = 20_000;

	@ParameterizedTest
	@ValueSource(strings = { "log/2031/05.md", "log/2031/*.md", "./log/**", "log/**/05.md", "log/2031/**/05.md", "**",
			"*/*/*", "**/*.md", "**/05.md", "**/log/**", "/workspace/log/2031/05.md", "/workspace/**",
			"././log/*/0?.md", "/workspace/./log/**", "**/**/05.md", "log/**/**/2031/**/**", "log/20**/05.md",
			"l*g/2?31/**", "log/2031/05.md/**", "log/2031/??.??", "log/2031/*5*" })
	void everySpellingFindsTheFile(String pattern) {
		assertThat(matches(pattern, "log/2031/05.md")).isTrue();
	}

	@ParameterizedTest
	@ValueSource(strings = { "05.md", "*.md", "log", "log/*", "log/2031", "2031/05.md", "log/2031/05", "log/*/*/05.md",
			"LOG/**", "log/2031/05.MD", "log*05.md", "log**05.md", "log/**05.md", "log?2031/05.md", "log/2031/**/x",
			"**/log", "log/2031/05.md/*", "log/2031/?.md", "log/2031/05?md?", "x/**", "[l]og/**", "{log}/**" })
	void aPatternIsAnchoredAtBothEnds(String pattern) {
		assertThat(matches(pattern, "log/2031/05.md")).isFalse();
	}

	@ParameterizedTest
	@ValueSource(strings = { "web/src/routes/(shop)/page.tsx", "src/routes/[post].tsx", "a{b,c}d", "+page.svelte",
			"a|b^c$d.e", "!keep", "#x", "@scope/x", "a b", "-r", "~", "$HOME", "[...slug].ts", "\uD83D\uDE00.md" })
	void nearlyEveryCharacterStandsForItself(String path) {
		assertThat(Glob.parse(path).isLiteral()).isTrue();
		assertThat(matches(path, path)).isTrue();
		assertThat(matches(path, path + "x")).isFalse();
		assertThat(matches(path.replace('.', '-'), path)).isEqualTo(path.indexOf('.') < 0);
	}

	@Test
	void aStarStaysInItsSegment() {
		assertThat(matches("*", "a/b")).isFalse();
		assertThat(matches("a*", "a/b")).isFalse();
		assertThat(matches("a*b", "a/b")).isFalse();
		assertThat(matches("a**b", "a/b")).isFalse();
		assertThat(matches("a?b", "a/b")).isFalse();
	}

	@Test
	void aStarTakesNothingToo() {
		assertThat(matches("*a*", "a")).isTrue();
		assertThat(matches("a*a", "a")).isFalse();
		assertThat(matches("*.java", ".java")).isTrue();
		assertThat(matches("*.java", "java")).isFalse();
		assertThat(matches("ab*bc", "abc")).isFalse();
	}

	@Test
	void aStarFindsHiddenFiles() {
		assertThat(matches("**/*.yml", ".github/workflows/.ci.yml")).isTrue();
		assertThat(matches("*", ".env")).isTrue();
	}

	@Test
	void twoStarsTakeNoSegmentToo() {
		assertThat(matches("**/x", "x")).isTrue();
		assertThat(matches("a/**/b", "a/b")).isTrue();
		assertThat(matches("a/**", "a")).isTrue();
		assertThat(matches("a/**", "ab")).isFalse();
		assertThat(matches("**/a/**/a/**", "a")).isFalse();
		assertThat(matches("**/a/**/a/**", "a/a")).isTrue();
		assertThat(matches("**/a/b", "a/a/b")).isTrue();
	}

	@Test
	void aQuestionMarkIsOneCodePoint() {
		String face = "\uD83D\uDE00";
		assertThat(matches("?", face)).isTrue();
		assertThat(matches("??", face)).isFalse();
		assertThat(matches("*??*", face)).isFalse();
		assertThat(matches("?*?", face + face)).isTrue();
		assertThat(matches("*?x", "a" + face + "x")).isTrue();
		assertThat(matches("?", "\u00e9")).isTrue();
		assertThat(matches("?", "e\u0301")).isFalse();
	}

	@ParameterizedTest
	@CsvSource({ "'', is empty", "/etc/passwd, is outside the workspace", "/, is outside the workspace",
			"/workspaces/x, is outside the workspace", "//workspace/x, is outside the workspace",
			"/**, is outside the workspace", "../x, has a '..' segment", "a/../b, has a '..' segment",
			"a/.., has a '..' segment", "/workspace/../x, has a '..' segment", "., has a '.' segment",
			"a/./b, has a '.' segment", "a/., has a '.' segment", "a//b, has an empty segment",
			".//a, has an empty segment", "/workspace//a, has an empty segment", "a/, ends with '/'",
			"**/, ends with '/'", "./, names the workspace itself", "/workspace, names the workspace itself",
			"/workspace/, names the workspace itself", "src\\*.java, has a backslash", "\\[a], has a backslash" })
	void aBadPatternIsRefusedWithItsReason(String pattern, String reason) {
		assertThatIllegalArgumentException().isThrownBy(() -> Glob.parse(pattern))
			.withMessageStartingWith("Pattern '" + pattern + "' " + reason)
			.withMessageMatching(".* (Use|Remove|Write) .*\\.");
	}

	@Test
	void theNumberOfSegmentsIsLimited() {
		String sixty = String.join("/", Collections.nCopies(60, "*"));
		assertThat(Glob.parse(sixty).matches(Collections.nCopies(60, "a"))).isTrue();
		assertThat(Glob.parse(sixty).matches(Collections.nCopies(61, "a"))).isFalse();
		assertThat(Glob.parse(sixty).matches(Collections.nCopies(59, "a"))).isFalse();
		assertThatIllegalArgumentException().isThrownBy(() -> Glob.parse(sixty + "/a"))
			.withMessageContaining("more than 60 segments");
	}

	@Test
	void sixtySegmentsOfTwoStarsUseEveryState() {
		Glob glob = Glob.parse(String.join("/", Collections.nCopies(30, "**/a")));
		assertThat(glob.matches(Collections.nCopies(30, "a"))).isTrue();
		assertThat(glob.matches(Collections.nCopies(29, "a"))).isFalse();
		assertThat(glob.matches(Collections.nCopies(2000, "a"))).isTrue();
	}

	@Test
	void theLengthIsLimitedAndNotRepeatedInFull() {
		assertThat(Glob.parse("a".repeat(4096)).isLiteral()).isTrue();
		assertThatIllegalArgumentException().isThrownBy(() -> Glob.parse("a".repeat(4097)))
			.withMessageContaining("longer than 4096")
			.satisfies((ex) -> assertThat(ex.getMessage()).hasSizeLessThan(400));
	}

	@ParameterizedTest
	@CsvSource({ "src/main/*.java, src/main", "src/main/App.java, src/main", "a, ''", "**, ''", "*/a/b, ''",
			"a/b?/c, a", "a/**, a", "./a/b/**/c, a/b", "/workspace/a/b, a" })
	void theLiteralPrefixNeverHasTheLastSegment(String pattern, String prefix) {
		assertThat(String.join("/", Glob.parse(pattern).literalPrefix())).isEqualTo(prefix);
	}

	@Test
	void anyWildcardMakesAPatternNotLiteral() {
		assertThat(Glob.parse("a/[b]/c").isLiteral()).isTrue();
		assertThat(Glob.parse("a/*/c").isLiteral()).isFalse();
		assertThat(Glob.parse("a/b?").isLiteral()).isFalse();
		assertThat(Glob.parse("**/c").isLiteral()).isFalse();
	}

	@Test
	void aWalkEntersOnlyWhereSomethingCanMatch() {
		Glob glob = Glob.parse("src/*/x.md");
		long src = glob.step(glob.start(), "src");
		assertThat(glob.goesOn(glob.start())).isTrue();
		assertThat(glob.goesOn(src)).isTrue();
		assertThat(glob.goesOn(glob.step(glob.start(), "lib"))).isFalse();
		long file = glob.step(glob.step(src, "a"), "x.md");
		assertThat(glob.accepts(file)).isTrue();
		assertThat(glob.goesOn(file)).isFalse();
	}

	@Test
	void aWorkspacePathMatchesFromItsRoot() {
		assertThat(Glob.parse("src/*.py").matches(WorkspacePath.parse("/workspace/src/app.py"))).isTrue();
		assertThat(Glob.parse("*").matches(WorkspacePath.parse("."))).isFalse();
	}

	@ParameterizedTest
	@ValueSource(strings = { "*a*a*a*a*a*b", "*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*ab", "**a**a**a**a**b", "*?*?*?*?*b",
			"*aaaaaaaaaaaaaaaaaaaaaaaaaaab" })
	@Timeout(value = 5, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
	void aHostilePatternTakesLittleTime(String pattern) {
		assertThat(Glob.parse(pattern).matches(List.of("a".repeat(10_000)))).isFalse();
	}

	@Test
	@Timeout(value = 5, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
	void aHostileNestOfTwoStarsTakesLittleTime() {
		Glob glob = Glob.parse(String.join("/", Collections.nCopies(29, "**/*a*a*b")));
		List<String> path = Collections.nCopies(100, "a".repeat(255));
		assertThat(glob.matches(path)).isFalse();
	}

	@Test
	void randomPatternsMatchAsTheDefinitionSays() {
		Random random = new Random(20_310_502);
		int found = 0;
		for (int i = 0; i < CASES; i++) {
			List<String> pattern = segments(random, 5, "ab*?\u00e9", true);
			List<String> path = segments(random, 6, "ab\u00e9", false);
			boolean expected = naive(pattern, path);
			assertThat(Glob.parse(String.join("/", pattern)).matches(path)).as("%s on %s", pattern, path)
				.isEqualTo(expected);
			found += expected ? 1 : 0;
		}
		assertThat(found).isBetween(CASES / 20, CASES / 2);
	}

	@Test
	void pruningNeverLosesAMatch() {
		Random random = new Random(7);
		int found = 0;
		for (int i = 0; i < CASES; i++) {
			Glob glob = Glob.parse(String.join("/", segments(random, 5, "ab*?", true)));
			List<String> path = segments(random, 6, "ab", false);
			boolean walked = walk(glob, path);
			assertThat(walked).isEqualTo(glob.matches(path));
			if (walked) {
				List<String> prefix = glob.literalPrefix();
				assertThat(path.subList(0, Math.min(prefix.size(), path.size()))).isEqualTo(prefix);
				found++;
			}
		}
		assertThat(found).isPositive();
	}

	private static boolean walk(Glob glob, List<String> path) {
		long states = glob.start();
		for (String name : path) {
			if (!glob.goesOn(states)) {
				return false;
			}
			states = glob.step(states, name);
		}
		return glob.accepts(states);
	}

	private static List<String> segments(Random random, int max, String alphabet, boolean deep) {
		List<String> segments = new ArrayList<>();
		for (int count = 1 + random.nextInt(max); count > 0; count--) {
			StringBuilder name = new StringBuilder();
			for (int length = 1 + random.nextInt(3); length > 0; length--) {
				name.append(alphabet.charAt(random.nextInt(alphabet.length())));
			}
			segments.add((deep && random.nextInt(3) == 0) ? "**" : name.toString());
		}
		return segments;
	}

	private static boolean naive(List<String> pattern, List<String> path) {
		if (pattern.isEmpty()) {
			return path.isEmpty();
		}
		List<String> rest = pattern.subList(1, pattern.size());
		if (pattern.get(0).equals("**")) {
			return naive(rest, path) || (!path.isEmpty() && naive(pattern, path.subList(1, path.size())));
		}
		return !path.isEmpty() && naive(pattern.get(0), path.get(0)) && naive(rest, path.subList(1, path.size()));
	}

	private static boolean naive(String text, String name) {
		if (text.isEmpty()) {
			return name.isEmpty();
		}
		if (text.charAt(0) == '*') {
			return naive(text.substring(1), name) || (!name.isEmpty() && naive(text, name.substring(1)));
		}
		return !name.isEmpty() && (text.charAt(0) == '?' || text.charAt(0) == name.charAt(0))
				&& naive(text.substring(1), name.substring(1));
	}

	private static boolean matches(String pattern, String path) {
		return Glob.parse(pattern).matches(List.of(path.split("/")));
	}

}
