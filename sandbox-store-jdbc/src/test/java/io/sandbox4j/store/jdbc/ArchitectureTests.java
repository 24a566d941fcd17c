package io.sandbox4j.store.jdbc;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

/**
 * The store keeps records, and knows nothing of sandboxes that run.
 */
@AnalyzeClasses(packages = "io.sandbox4j.store.jdbc", importOptions = DoNotIncludeTests.class)
class ArchitectureTests {

	@ArchTest
	final ArchRule theStoreKnowsTheContractOfRunsOnly = classes().should()
		.onlyDependOnClassesThat()
		.resideInAnyPackage("io.sandbox4j", "io.sandbox4j.run", "io.sandbox4j.storage", "io.sandbox4j.store.jdbc",
				"java..", "javax.sql..", "org.flywaydb.core..", "org.sqlite..", "org.jspecify..");

	@ArchTest
	final ArchRule storageIsKnownForWhatAWriteSurvivesOnly = noClasses().should()
		.dependOnClassesThat()
		.haveNameMatching("io\\.sandbox4j\\.storage\\.(?!Durability).*");

	@ArchTest
	final ArchRule flywayMakesTheTablesAndNothingElse = noClasses().that()
		.doNotHaveSimpleName("Schema")
		.should()
		.dependOnClassesThat()
		.resideInAPackage("org.flywaydb..");

	@ArchTest
	final ArchRule sqliteIsKnownInOnePlace = noClasses().that()
		.doNotHaveSimpleName("SqliteDatabase")
		.should()
		.dependOnClassesThat()
		.resideInAPackage("org.sqlite..");

}
