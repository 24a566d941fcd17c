package io.sandbox4j.test;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

/**
 * Spring AI is an option: whoever replays no agent must not need it.
 */
@AnalyzeClasses(packages = "io.sandbox4j.test", importOptions = DoNotIncludeTests.class)
class ArchitectureTests {

	private static final String AI = "io.sandbox4j.test.ai..";

	@ArchTest
	final ArchRule onlyTheReplayKnowsSpring = noClasses().that()
		.resideOutsideOfPackage(AI)
		.should()
		.dependOnClassesThat()
		.resideInAnyPackage("org.springframework..", "reactor..", "org.apache.commons.logging..");

	@ArchTest
	final ArchRule nothingKnowsTheReplay = noClasses().that()
		.resideOutsideOfPackage(AI)
		.should()
		.dependOnClassesThat()
		.resideInAPackage(AI);

	@ArchTest
	final ArchRule theReplayKnowsTheModelOfSpringAiOnly = noClasses().that()
		.resideInAPackage(AI)
		.should()
		.dependOnClassesThat()
		.resideInAnyPackage("org.springframework.ai.chat.client..", "org.springframework.beans..",
				"org.springframework.context..", "org.springframework.core..", "org.springframework.util..");

}
