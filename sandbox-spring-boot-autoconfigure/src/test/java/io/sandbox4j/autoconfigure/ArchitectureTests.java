package io.sandbox4j.autoconfigure;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.core.io.ClassPathResource;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.codeUnits;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the architecture of this module.
 */
class ArchitectureTests {

	private static final JavaClasses CLASSES = new ClassFileImporter()
		.withImportOption(new ImportOption.DoNotIncludeTests())
		.importPackages("io.sandbox4j.autoconfigure");

	@Test
	void autoConfigurationsArePublicAndFinalWithoutPublicMembers() {
		classes().that()
			.areAnnotatedWith(AutoConfiguration.class)
			.should()
			.bePublic()
			.andShould()
			.haveModifier(JavaModifier.FINAL)
			.check(CLASSES);
		codeUnits().that()
			.areDeclaredInClassesThat()
			.areAnnotatedWith(AutoConfiguration.class)
			.should()
			.notBePublic()
			.check(CLASSES);
		methods().that().areAnnotatedWith(Bean.class).should().bePackagePrivate().check(CLASSES);
	}

	@Test
	void technologiesDoNotKnowEachOther() {
		slices().matching("io.sandbox4j.autoconfigure.(*)..").should().notDependOnEachOther().check(CLASSES);
		noClasses().that()
			.resideInAPackage("io.sandbox4j.autoconfigure")
			.should()
			.dependOnClassesThat()
			.resideInAnyPackage("io.sandbox4j.autoconfigure.*..", "io.micrometer..",
					"org.springframework.boot.actuate..", "org.springframework.boot.health..")
			.check(CLASSES);
	}

	@Test
	void everyAutoConfigurationIsListedAndSorted() throws IOException {
		List<String> listed = new ClassPathResource(
				"META-INF/spring/org.springframework.boot.autoconfigure.AutoConfiguration.imports",
				SandboxAutoConfiguration.class.getClassLoader())
			.getContentAsString(StandardCharsets.UTF_8)
			.lines()
			.toList();
		assertThat(listed).filteredOn((name) -> name.startsWith("io.sandbox4j."))
			.isSorted()
			.containsExactlyInAnyOrderElementsOf(CLASSES.stream()
				.filter((type) -> type.isAnnotatedWith(AutoConfiguration.class))
				.map((type) -> type.getName())
				.toList());
	}

}
