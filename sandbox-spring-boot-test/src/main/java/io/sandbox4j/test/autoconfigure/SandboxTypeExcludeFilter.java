package io.sandbox4j.test.autoconfigure;

import org.springframework.boot.context.TypeExcludeFilter;
import org.springframework.boot.test.context.filter.annotation.StandardAnnotationCustomizableTypeExcludeFilter;

/**
 * {@link TypeExcludeFilter} for {@link SandboxTest}. What stays is listed in
 * {@code META-INF/spring}.
 */
final class SandboxTypeExcludeFilter extends StandardAnnotationCustomizableTypeExcludeFilter<SandboxTest> {

	SandboxTypeExcludeFilter(Class<?> testClass) {
		super(testClass);
	}

}
