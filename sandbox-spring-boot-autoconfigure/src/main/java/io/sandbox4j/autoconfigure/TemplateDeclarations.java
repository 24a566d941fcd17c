package io.sandbox4j.autoconfigure;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.sandbox4j.SandboxException;
import io.sandbox4j.SandboxTemplate;
import io.sandbox4j.autoconfigure.SandboxProperties.Template;

import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.Environment;
import org.springframework.core.env.PropertySource;
import org.springframework.core.io.Resource;
import org.springframework.core.io.ResourceLoader;

/**
 * Turns {@code sandbox.templates} into templates.
 */
final class TemplateDeclarations {

	private static final String PREFIX = "sandbox.templates.";

	private static final Pattern KEY = Pattern
		.compile("(sandbox\\.templates\\.[^.]+\\.(?:files|resources))\\.([^\\[]+)");

	private static final Pattern SAFE_BARE_KEY = Pattern.compile("[A-Za-z0-9_-]+(\\.[A-Za-z0-9_-]+)*");

	private final ResourceLoader resourceLoader;

	private final Environment environment;

	TemplateDeclarations(ResourceLoader resourceLoader, Environment environment) {
		this.resourceLoader = resourceLoader;
		this.environment = environment;
	}

	List<SandboxTemplate> read(Map<String, Template> declared) {
		if (this.environment instanceof ConfigurableEnvironment configurable) {
			configurable.getPropertySources().forEach(this::refuseBareKeys);
		}
		List<SandboxTemplate> templates = new ArrayList<>();
		declared.forEach((name, template) -> templates.add(read(name, template)));
		return templates;
	}

	private void refuseBareKeys(PropertySource<?> source) {
		// Binding drops characters from keys without brackets: 'src/app.py' would
		// silently become 'srcapp.py'.
		if (source instanceof EnumerablePropertySource<?> enumerable) {
			for (String name : enumerable.getPropertyNames()) {
				Matcher matcher = KEY.matcher(name);
				if (matcher.matches() && !SAFE_BARE_KEY.matcher(matcher.group(2)).matches()) {
					throw new InvalidSandboxPropertyException(matcher.group(1),
							"The key '%1$s' needs brackets, in YAML \"[%1$s]\", or else some of its characters are dropped."
								.formatted(matcher.group(2)));
				}
			}
		}
	}

	private SandboxTemplate read(String name, Template declared) {
		String property = PREFIX + name;
		SandboxTemplate.Builder builder = SandboxTemplate.named(name);
		if (declared.directory() != null) {
			builder.directory(directory(property + ".directory", declared.directory()));
		}
		declared.files()
			.forEach((path, text) -> add(builder, property + ".files[" + path + "]", path,
					text.getBytes(StandardCharsets.UTF_8)));
		declared.resources().forEach((path, location) -> {
			String key = property + ".resources[" + path + "]";
			add(builder, key, path, content(key, location));
		});
		try {
			return builder.build();
		}
		catch (SandboxException ex) {
			throw new InvalidSandboxPropertyException(property, message(ex), ex);
		}
	}

	private void add(SandboxTemplate.Builder builder, String property, String path, byte[] content) {
		try {
			builder.file(path, content);
		}
		catch (SandboxException ex) {
			throw new InvalidSandboxPropertyException(property, message(ex), ex);
		}
	}

	private Path directory(String property, Path directory) {
		PropertiesBackendCustomizer.absolute(property, directory);
		if (!Files.isDirectory(directory)) {
			throw new InvalidSandboxPropertyException(property, "It must be an existing directory.");
		}
		return directory;
	}

	private byte[] content(String property, String location) {
		Resource resource = this.resourceLoader.getResource(location);
		try (InputStream input = resource.getInputStream()) {
			return input.readAllBytes();
		}
		catch (IOException ex) {
			throw new InvalidSandboxPropertyException(property, "Its resource cannot be read: " + ex.getMessage(), ex);
		}
	}

	private static String message(SandboxException ex) {
		return String.valueOf(ex.getMessage());
	}

}
