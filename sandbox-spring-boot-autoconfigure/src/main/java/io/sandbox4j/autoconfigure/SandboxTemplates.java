package io.sandbox4j.autoconfigure;

import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.PreparedTemplate;
import io.sandbox4j.SandboxBackend;
import io.sandbox4j.SandboxException;
import io.sandbox4j.SandboxTemplate;
import io.sandbox4j.SandboxUnavailableException;

/**
 * The templates that are ready to be copied, by name: those of {@code sandbox.templates}
 * and every {@link SandboxTemplate} bean. Thread-safe.
 *
 * @since 0.1.0
 */
public final class SandboxTemplates {

	private final Map<String, PreparedTemplate> templates;

	private SandboxTemplates(Map<String, PreparedTemplate> templates) {
		this.templates = Collections.unmodifiableMap(templates);
	}

	/**
	 * Prepares templates.
	 * @param backend the backend to prepare them in
	 * @param templates the templates
	 * @return the prepared templates
	 * @throws SandboxException {@link ErrorCode#SANDBOX_INVALID} if two have the same
	 * name, or as {@link SandboxBackend#prewarm}
	 */
	public static SandboxTemplates prewarm(SandboxBackend backend, Collection<SandboxTemplate> templates) {
		Map<String, PreparedTemplate> prepared = new TreeMap<>();
		refuseDuplicates(templates);
		templates.forEach((template) -> prepared.put(template.name(), prewarm(backend, template)));
		return new SandboxTemplates(prepared);
	}

	private static void refuseDuplicates(Collection<SandboxTemplate> templates) {
		Set<String> names = new HashSet<>();
		for (SandboxTemplate template : templates) {
			if (!names.add(template.name())) {
				throw new SandboxException(ErrorCode.SANDBOX_INVALID,
						"There are two templates named '" + template.name()
								+ "'. Rename the 'SandboxTemplate' bean or its entry in 'sandbox.templates'.");
			}
		}
	}

	private static PreparedTemplate prewarm(SandboxBackend backend, SandboxTemplate template) {
		try {
			return backend.prewarm(template);
		}
		catch (SandboxUnavailableException ex) {
			throw ex;
		}
		catch (SandboxException ex) {
			throw new SandboxException(ex.code(),
					"Template '" + template.name() + "' cannot be prepared: " + ex.getMessage(), ex);
		}
	}

	/**
	 * Returns a template.
	 * @param name its name
	 * @return the template, for {@link io.sandbox4j.SandboxRequest#from}
	 * @throws SandboxException {@link ErrorCode#SANDBOX_NOT_FOUND} if there is none of
	 * this name
	 */
	public PreparedTemplate get(String name) {
		PreparedTemplate template = this.templates.get(name);
		if (template == null) {
			String known = (!this.templates.isEmpty())
					? "Known templates are '" + String.join("', '", this.templates.keySet()) + "'."
					: "None is declared.";
			throw new SandboxException(ErrorCode.SANDBOX_NOT_FOUND, "There is no template '" + name + "'. " + known
					+ " Declare it below 'sandbox.templates' or as a 'SandboxTemplate' bean.");
		}
		return template;
	}

	/**
	 * Returns the names.
	 * @return the names, sorted
	 */
	public Set<String> names() {
		return this.templates.keySet();
	}

}
