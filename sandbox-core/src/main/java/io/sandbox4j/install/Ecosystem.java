package io.sandbox4j.install;

/**
 * Where packages come from. Managers of one ecosystem share its registry.
 *
 * @since 0.1.0
 */
public enum Ecosystem {

	/**
	 * npm, pnpm, yarn and bun.
	 */
	JAVASCRIPT,

	/**
	 * pip and uv.
	 */
	PYTHON,

	/**
	 * Maven and Gradle.
	 */
	MAVEN,

	/**
	 * Cargo.
	 */
	CARGO,

	/**
	 * Go modules.
	 */
	GO

}
