package io.sandbox4j.test.autoconfigure;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.test.autoconfigure.OverrideAutoConfiguration;
import org.springframework.boot.test.context.filter.annotation.TypeExcludeFilters;
import org.springframework.context.annotation.ComponentScan.Filter;
import org.springframework.core.annotation.AliasFor;
import org.springframework.test.context.BootstrapWith;
import org.springframework.test.context.junit.jupiter.SpringExtension;

/**
 * A test of what an application does with its sandboxes: a context with the
 * auto-configurations of sandboxes, leases, network, workspaces and tools, and no others.
 * Of the components that are scanned only those that shape sandboxes are beans, such as
 * customizers, listeners and authorizations; import what else the test is about. Health,
 * metrics and endpoints are not part of it.
 * <p>
 * The sandboxes are those of a {@link io.sandbox4j.test.FakeSandboxBackend} unless
 * {@link #backend()} says otherwise, so the test needs no bubblewrap, and its programs
 * are Java code:
 *
 * <pre class="code">
 * &#64;SandboxTest
 * &#64;Import(CodeRunner.class)
 * class CodeRunnerTests {
 *
 *     &#64;Autowired
 *     private FakeSandboxBackend backend;
 *
 *     &#64;Autowired
 *     private CodeRunner runner;
 *
 *     &#64;Test
 *     void itReportsTheOutput() {
 *         this.backend.on("python3", (python) -&gt; {
 *             python.print("42");
 *             return 0;
 *         });
 *         assertThat(this.runner.run("print(6 * 7)")).isEqualTo("42");
 *     }
 *
 * }
 * </pre>
 *
 * A backend that is a bean of the application is taken in place of both.
 *
 * @since 0.1.0
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@BootstrapWith(SandboxTestContextBootstrapper.class)
@ExtendWith(SpringExtension.class)
@OverrideAutoConfiguration(enabled = false)
@TypeExcludeFilters(SandboxTypeExcludeFilter.class)
@AutoConfigureSandbox
@ImportAutoConfiguration
public @interface SandboxTest {

	/**
	 * Which sandboxes there are.
	 * @return the backend, a fake unless set
	 */
	Backend backend() default Backend.FAKE;

	/**
	 * Properties of the test, as {@code name=value}.
	 * @return the properties
	 */
	String[] properties() default {};

	/**
	 * Whether components that shape sandboxes are beans when they are scanned.
	 * @return {@code false} for none but those of {@link #includeFilters()}
	 */
	boolean useDefaultFilters() default true;

	/**
	 * Components that are scanned and are beans beside those that are by default.
	 * @return the filters
	 */
	Filter[] includeFilters() default {};

	/**
	 * Components that are scanned and are no beans.
	 * @return the filters
	 */
	Filter[] excludeFilters() default {};

	/**
	 * Auto-configurations to leave out.
	 * @return the classes
	 */
	@AliasFor(annotation = ImportAutoConfiguration.class, attribute = "exclude")
	Class<?>[] excludeAutoConfiguration() default {};

	/**
	 * What makes the sandboxes of a test.
	 *
	 * @since 0.1.0
	 */
	enum Backend {

		/**
		 * A {@link io.sandbox4j.test.FakeSandboxBackend}. It isolates nothing, so the
		 * tools require no restrictions unless
		 * {@code sandbox.tools.required-restrictions} says so in {@link #properties()}.
		 */
		FAKE,

		/**
		 * Bubblewrap, as the application configures it, in directories of the test's own
		 * that are deleted with its context.
		 */
		BUBBLEWRAP

	}

}
