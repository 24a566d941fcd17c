package io.sandbox4j;

import java.util.Arrays;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

/**
 * Arrows between packages go one way. Packages that do not exist yet are named already,
 * so that they are born within the rules.
 */
@AnalyzeClasses(packages = "io.sandbox4j", importOptions = DoNotIncludeTests.class)
class ArchitectureTests {

	private static final String CONTRACT = "io.sandbox4j";

	private static final String SESSION = "io.sandbox4j.session..";

	private static final String STORAGE = "io.sandbox4j.storage..";

	private static final String GATEWAY = "io.sandbox4j.gateway..";

	private static final String BUBBLEWRAP = "io.sandbox4j.bubblewrap..";

	private static final String DOCTOR = "io.sandbox4j.doctor..";

	private static final String[] FEATURES = { "io.sandbox4j.tools..", "io.sandbox4j.lease..", "io.sandbox4j.git..",
			"io.sandbox4j.run..", "io.sandbox4j.install..", "io.sandbox4j.advisory..", "io.sandbox4j.checkpoint.." };

	@ArchTest
	final ArchRule theContractKnowsOnlyItself = classes().that()
		.resideInAPackage(CONTRACT)
		.should()
		.onlyDependOnClassesThat()
		.resideInAnyPackage(CONTRACT, "java..", "org.jspecify..");

	@ArchTest
	final ArchRule theContractDoesNoInputOrOutput = noClasses().that()
		.resideInAPackage(CONTRACT)
		.should()
		.dependOnClassesThat()
		.haveFullyQualifiedName("java.nio.file.Files")
		.orShould()
		.dependOnClassesThat()
		.haveFullyQualifiedName("java.lang.ProcessBuilder");

	@ArchTest
	final ArchRule theSessionKnowsTheContractOnly = noClasses().that()
		.resideInAPackage(SESSION)
		.should()
		.dependOnClassesThat()
		.resideInAnyPackage(others(STORAGE, GATEWAY, BUBBLEWRAP));

	@ArchTest
	final ArchRule storageKnowsNothingAboveIt = noClasses().that()
		.resideInAPackage(STORAGE)
		.should()
		.dependOnClassesThat()
		.resideInAnyPackage(others(GATEWAY, BUBBLEWRAP));

	@ArchTest
	final ArchRule theGatewayKnowsNothingAboveIt = noClasses().that()
		.resideInAPackage(GATEWAY)
		.should()
		.dependOnClassesThat()
		.resideInAnyPackage(others(STORAGE, BUBBLEWRAP))
		.allowEmptyShould(true);

	@ArchTest
	final ArchRule theBackendKnowsNoFeature = noClasses().that()
		.resideInAPackage(BUBBLEWRAP)
		.should()
		.dependOnClassesThat()
		.resideInAnyPackage(others());

	@ArchTest
	final ArchRule featuresKnowNoBackend = noClasses().that()
		.resideInAnyPackage(FEATURES)
		.should()
		.dependOnClassesThat()
		.resideInAnyPackage(SESSION, STORAGE, GATEWAY, BUBBLEWRAP, DOCTOR)
		.allowEmptyShould(true);

	@ArchTest
	final ArchRule theDoctorKnowsTheContractAndStorage = noClasses().that()
		.resideInAPackage(DOCTOR)
		.should()
		.dependOnClassesThat()
		.resideInAnyPackage(withFeatures(SESSION, GATEWAY, BUBBLEWRAP));

	@ArchTest
	final ArchRule leasesKnowTheContractOnly = classes().that()
		.resideInAPackage("io.sandbox4j.lease..")
		.should()
		.onlyDependOnClassesThat()
		.resideInAnyPackage(CONTRACT, "io.sandbox4j.lease..", "java..", "org.jspecify..", "org.slf4j..",
				"tools.jackson..");

	@ArchTest
	final ArchRule checkpointsKnowTheContractOnly = classes().that()
		.resideInAPackage("io.sandbox4j.checkpoint..")
		.should()
		.onlyDependOnClassesThat()
		.resideInAnyPackage(CONTRACT, "io.sandbox4j.checkpoint..", "java..", "org.jspecify..", "org.slf4j..",
				"tools.jackson..", "org.apache.commons.compress..", "com.github.luben.zstd..");

	@ArchTest
	final ArchRule runsKnowTheContractOnly = classes().that()
		.resideInAPackage("io.sandbox4j.run..")
		.should()
		.onlyDependOnClassesThat()
		.resideInAnyPackage(CONTRACT, "io.sandbox4j.run..", "java..", "org.jspecify..", "org.slf4j..",
				"tools.jackson..");

	@ArchTest
	final ArchRule installsKnowTheContractOnly = classes().that()
		.resideInAPackage("io.sandbox4j.install..")
		.should()
		.onlyDependOnClassesThat()
		.resideInAnyPackage(CONTRACT, "io.sandbox4j.install..", "java..", "org.jspecify..", "org.slf4j..",
				"tools.jackson..");

	@ArchTest
	final ArchRule advisoriesKnowTheContractAndInstallsOnly = classes().that()
		.resideInAPackage("io.sandbox4j.advisory..")
		.should()
		.onlyDependOnClassesThat()
		.resideInAnyPackage(CONTRACT, "io.sandbox4j.advisory..", "io.sandbox4j.install..", "java..", "org.jspecify..");

	@ArchTest
	final ArchRule packagesAreFreeOfCycles = slices().matching("io.sandbox4j.(*)..").should().beFreeOfCycles();

	@ArchTest
	final ArchRule theCoreKnowsNoSpring = noClasses().should()
		.dependOnClassesThat()
		.resideInAPackage("org.springframework..");

	private static String[] others(String... packages) {
		String[] withDoctor = Arrays.copyOf(packages, packages.length + 1);
		withDoctor[packages.length] = DOCTOR;
		return withFeatures(withDoctor);
	}

	private static String[] withFeatures(String... packages) {
		String[] both = new String[packages.length + FEATURES.length];
		System.arraycopy(packages, 0, both, 0, packages.length);
		System.arraycopy(FEATURES, 0, both, packages.length, FEATURES.length);
		return both;
	}

}
