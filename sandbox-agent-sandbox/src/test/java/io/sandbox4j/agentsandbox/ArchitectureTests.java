package io.sandbox4j.agentsandbox;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

/**
 * The adapter works over every backend, and starts nothing by itself.
 */
@AnalyzeClasses(packages = "io.sandbox4j.agentsandbox", importOptions = DoNotIncludeTests.class)
class ArchitectureTests {

	@ArchTest
	final ArchRule theAdapterKnowsBothContractsOnly = classes().should()
		.onlyDependOnClassesThat()
		.resideInAnyPackage("io.sandbox4j", "io.sandbox4j.agentsandbox", "org.springaicommunity.sandbox", "java..",
				"org.jspecify..");

	@ArchTest
	final ArchRule nothingStartsAProcessOfTheHost = noClasses().should()
		.dependOnClassesThat()
		.haveNameMatching("java\\.lang\\.(ProcessBuilder|Runtime)|org\\.springaicommunity\\.sandbox\\.LocalSandbox.*");

	@ArchTest
	final ArchRule nothingTouchesFilesOfTheHost = noClasses().should()
		.dependOnClassesThat()
		.haveNameMatching("java\\.nio\\.file\\.Files|java\\.io\\.(File|RandomAccessFile|File.*Stream)");

}
