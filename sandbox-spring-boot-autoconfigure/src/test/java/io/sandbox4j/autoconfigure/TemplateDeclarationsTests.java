package io.sandbox4j.autoconfigure;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import io.sandbox4j.SandboxTemplate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.core.io.DefaultResourceLoader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link TemplateDeclarations}.
 */
class TemplateDeclarationsTests {

	@TempDir
	private Path directory;

	@Test
	void keepsTheKeysInBracketsAsTheyAre() {
		SandboxTemplate template = read("""
				sandbox.templates.python.files:
				  "[src/app.py]": print('hello')
				  "[Read Me.md]": |
				    two
				    lines
				  README.md: dots need no brackets
				  "[.hidden]": but a leading one does
				""").get(0);
		assertThat(template.name()).isEqualTo("python");
		assertThat(template.files()).containsOnlyKeys("src/app.py", "Read Me.md", "README.md", ".hidden");
		assertThat(text(template, "src/app.py")).isEqualTo("print('hello')");
		assertThat(text(template, "Read Me.md")).isEqualTo("two\nlines\n");
	}

	@Test
	void refusesAKeyThatLosesItsSlash() {
		assertThatExceptionOfType(InvalidSandboxPropertyException.class).isThrownBy(() -> read("""
				sandbox.templates.python.files:
				  src/app.py: print('hello')
				"""))
			.withMessageContaining("'sandbox.templates.python.files'")
			.withMessageContaining("\"[src/app.py]\"");
		assertInvalid("sandbox.templates.python.resources", """
				sandbox.templates.python.resources:
				  src/app.py: classpath:app.py
				""");
	}

	@Test
	void refusesAKeyThatLosesADot() {
		assertInvalid("sandbox.templates.python.files", "sandbox.templates.python.files: { .hidden: text }");
		assertInvalid("sandbox.templates.python.files", "sandbox.templates.python.files: { a..b: text }");
	}

	@Test
	void readsResourcesFromTheClassPathAndFromFiles() throws IOException {
		Path file = Files.write(this.directory.resolve("data.bin"), new byte[] { 0, -1, 10 });
		SandboxTemplate template = read("""
				sandbox.templates.mixed.resources:
				  "[lib/hello.sh]": classpath:template/hello.sh
				  "[data.bin]": file:%s
				""".formatted(file)).get(0);
		assertThat(text(template, "lib/hello.sh")).contains("echo hello");
		assertThat(template.files().get("data.bin").bytes()).containsExactly(0, -1, 10);
	}

	@Test
	void startsWithADirectory() {
		SandboxTemplate template = read("sandbox.templates.tree.directory: " + this.directory).get(0);
		assertThat(template.directory()).isEqualTo(this.directory);
	}

	@Test
	void namesThePropertyOfAMissingResource() {
		assertInvalid("sandbox.templates.t.resources[a.txt]", """
				sandbox.templates.t.resources:
				  a.txt: classpath:missing.txt
				""");
	}

	@Test
	void namesThePropertyOfABadDirectory() {
		assertInvalid("sandbox.templates.t.directory", "sandbox.templates.t.directory: some/where");
		assertInvalid("sandbox.templates.t.directory",
				"sandbox.templates.t.directory: " + this.directory.resolve("missing"));
	}

	@Test
	void namesThePropertyOfABadPath() {
		assertInvalid("sandbox.templates.t.files[../up]", """
				sandbox.templates.t.files:
				  "[../up]": text
				""");
	}

	@Test
	void refusesAPathThatIsDeclaredTwice() {
		assertInvalid("sandbox.templates.t.resources[a.txt]", """
				sandbox.templates.t:
				  files:
				    a.txt: text
				  resources:
				    a.txt: classpath:template/hello.sh
				""");
	}

	@Test
	void refusesAFileThatIsADirectoryAsWell() {
		assertInvalid("sandbox.templates.t", """
				sandbox.templates.t.files:
				  a: text
				  "[a/b]": text
				""");
	}

	private void assertInvalid(String property, String yaml) {
		assertThatExceptionOfType(InvalidSandboxPropertyException.class).isThrownBy(() -> read(yaml))
			.satisfies((ex) -> assertThat(ex.property()).isEqualTo(property));
	}

	private String text(SandboxTemplate template, String path) {
		return new String(template.files().get(path).bytes(), StandardCharsets.UTF_8);
	}

	private List<SandboxTemplate> read(String yaml) {
		StandardEnvironment environment = new StandardEnvironment();
		ByteArrayResource resource = new ByteArrayResource(yaml.getBytes(StandardCharsets.UTF_8));
		try {
			environment.getPropertySources().addFirst(new YamlPropertySourceLoader().load("test", resource).get(0));
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
		SandboxProperties properties = Binder.get(environment).bind("sandbox", SandboxProperties.class).get();
		return new TemplateDeclarations(new DefaultResourceLoader(), environment).read(properties.templates());
	}

}
