package io.sandbox4j.bubblewrap;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A service without a locale, where the JVM itself writes a question mark for every other
 * character.
 */
@Tag("isolation")
class LocaleTests {

	@RegisterExtension
	final BackendExtension sandboxes = new BackendExtension();

	@Test
	void argumentsEnvironmentPathsAndNamesAreByteExactUnderTheCLocale() throws Exception {
		Process jvm = ChildJvm.start(LocaleFreeJvm.class, List.of(), Map.of("LC_ALL", "C", "LANG", "C"),
				this.sandboxes.stateDirectory().toString(), this.sandboxes.runtimeDirectory().toString());
		String said = new String(jvm.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		assertThat(jvm.waitFor(60, TimeUnit.SECONDS)).isTrue();
		String word = HexFormat.of().formatHex("h\u00e9\u2713".getBytes(StandardCharsets.UTF_8));
		String template = HexFormat.of().formatHex("\u00fc.txt".getBytes(StandardCharsets.UTF_8));
		assertThat(said.lines()).containsExactly("ANSI_X3.4-1968", "argument " + word, "environment " + word,
				"cwd " + word, "template " + template, "listed true", "read true");
	}

}
