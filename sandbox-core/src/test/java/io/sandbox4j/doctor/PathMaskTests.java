package io.sandbox4j.doctor;

import java.nio.file.Path;
import java.util.List;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link PathMask}.
 */
class PathMaskTests {

	private final PathMask mask = new PathMask(
			List.of(Path.of("/srv/my app"), Path.of("/"), Path.of("/usr/bin/bwrap")));

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
			In /srv/my app/state is it.|In (path)/state is it.
			'/home/a b/c' is gone|'(path)' is gone
			Run 'chmod go-w /opt/x'.|Run 'chmod go-w (path)'.
			at /var/lib/x: no|at (path): no
			(/var/lib/x)|((path))
			a=/var/lib/x|a=(path)
			See https://a.example/b/c and docs/x.md.|See https://a.example/b/c and docs/x.md.
			through /proc/self/fd, and '/usr/bin/bwrap'|through /proc/self/fd, and '/usr/bin/bwrap'
			in /etc/apparmor.d/bwrap put|in /etc/apparmor.d/bwrap put
			/proc/1/environ|(path)
			/usr/bin/bwrap/../../x|(path)
			/workspace/../srv|(path)
			""")
	void hidesWhereThingsLie(String text, String masked) {
		assertThat(this.mask.apply(text)).isEqualTo(masked);
	}

}
