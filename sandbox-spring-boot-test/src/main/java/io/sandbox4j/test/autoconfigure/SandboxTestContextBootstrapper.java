package io.sandbox4j.test.autoconfigure;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.test.autoconfigure.TestSliceTestContextBootstrapper;
import org.springframework.test.context.TestContextAnnotationUtils;
import org.springframework.test.context.TestContextBootstrapper;

/**
 * {@link TestContextBootstrapper} for {@link SandboxTest}.
 */
final class SandboxTestContextBootstrapper extends TestSliceTestContextBootstrapper<SandboxTest> {

	// Properties of the test come later, and so win.
	@Override
	protected String @Nullable [] getProperties(Class<?> testClass) {
		List<String> properties = new ArrayList<>();
		SandboxTest annotation = TestContextAnnotationUtils.findMergedAnnotation(testClass, SandboxTest.class);
		if (annotation != null) {
			SandboxTest.Backend backend = annotation.backend();
			properties.add(SandboxTestAutoConfiguration.BACKEND + "=" + backend.name().toLowerCase(Locale.ROOT));
			if (backend == SandboxTest.Backend.FAKE) {
				// It holds none, and says so itself.
				properties.add("sandbox.tools.required-restrictions=");
				properties.add("sandbox.probe-at-start=false");
			}
		}
		String[] own = super.getProperties(testClass);
		if (own != null) {
			properties.addAll(List.of(own));
		}
		return properties.toArray(String[]::new);
	}

}
