package io.sandbox4j.advisory;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.SandboxException;
import io.sandbox4j.install.InstallState;
import io.sandbox4j.install.StorageUse;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

class AdvisoriesTests {

	private static final Instant NOW = Instant.parse("2026-12-01T00:00:00Z");

	private static final StorageUse FULL = new StorageUse(12_340_000_000L, 12_000_000_000L);

	private static final InstallState IDLE = new InstallState.Idle();

	private static final InstallState RUNNING = new InstallState.Running("npm ci", NOW, "added 3");

	private static final InstallState DONE = done(null);

	private static final InstallState FAILED = failed(null);

	private static final InstallState SKIPPED = new InstallState.Skipped("There is none of package.json.");

	private static InstallState done(@Nullable Instant repair) {
		return new InstallState.Done("npm ci", 0, NOW, Duration.ofSeconds(3), true, "ok", repair);
	}

	private static InstallState failed(@Nullable Instant repair) {
		return new InstallState.Failed("npm ci", "The command ended with exit code 1.", 1, NOW, false, "npm ERR!",
				repair);
	}

	private static List<AdvisoryKind> kinds(InstallState state, @Nullable StorageUse storage) {
		return Advisories.derive(state, false, storage).stream().map(Advisory::kind).toList();
	}

	private static Advisory only(InstallState state, boolean treePresent) {
		List<Advisory> advisories = Advisories.derive(state, treePresent, null);
		assertThat(advisories).hasSize(1);
		return advisories.get(0);
	}

	private static List<Advisory> all() {
		List<Advisory> all = new ArrayList<>();
		for (InstallState state : List.of(IDLE, RUNNING, DONE, FAILED, SKIPPED, failed(NOW), done(NOW))) {
			all.addAll(Advisories.derive(state, true, FULL));
			all.addAll(Advisories.derive(state, false, null));
		}
		return all;
	}

	@Test
	void fullStorageIsForGoodForEverythingAndLosesWrites() {
		AdvisoryKind kind = AdvisoryKind.STORAGE_EXHAUSTED;
		assertThat(List.of(kind.isTransient(), kind.isUniversal(), kind.writesPersist())).containsExactly(false, true,
				false);
	}

	@Test
	void onlyWhatIsBeingInstalledPasses() {
		assertThat(AdvisoryKind.values()).filteredOn(AdvisoryKind::isTransient)
			.containsExactly(AdvisoryKind.DEPS_BUILDING);
	}

	@Test
	void onlyFullStorageMattersToAllAndLosesWrites() {
		assertThat(AdvisoryKind.values()).filteredOn(AdvisoryKind::isUniversal)
			.containsExactly(AdvisoryKind.STORAGE_EXHAUSTED);
		assertThat(AdvisoryKind.values()).filteredOn((kind) -> !kind.writesPersist())
			.containsExactly(AdvisoryKind.STORAGE_EXHAUSTED);
	}

	@Test
	void onlyASessionIsToldToWaitAndRetry() {
		Advisory building = only(RUNNING, false);
		assertThat(building.wording(Audience.SESSION)).contains("Wait and retry");
		assertThat(building.wording(Audience.TOOL_CALL)).doesNotContainIgnoringCase("wait")
			.doesNotContainIgnoringCase("retry");
		for (Advisory advisory : all()) {
			assertThat(advisory.wording(Audience.TOOL_CALL)).doesNotContain("retry");
			if (!advisory.kind().isTransient()) {
				assertThat(advisory.wording(Audience.SESSION)).doesNotContain("retry");
			}
		}
	}

	@ParameterizedTest
	@EnumSource(Audience.class)
	void noWordingClaimsWhatBecameOfACommand(Audience audience) {
		Pattern claim = Pattern
			.compile("(?i)\\b(ran|executed|did not run|not run|was run|has run|succeeded|completed)\\b");
		for (Advisory advisory : all()) {
			assertThat(claim.matcher(advisory.wording(audience)).find()).as(advisory.wording(audience)).isFalse();
		}
	}

	@Test
	void aTreeThatIsThereMakesItAmbiguous() {
		for (Audience audience : Audience.values()) {
			assertThat(only(FAILED, true).wording(audience)).contains("old or incomplete");
			assertThat(only(FAILED, false).wording(audience)).doesNotContain("old or incomplete");
		}
	}

	@ParameterizedTest
	@EnumSource(Audience.class)
	void everybodyIsToldToStopWhenWritesAreLost(Audience audience) {
		String wording = Advisories.derive(IDLE, false, FULL).get(0).wording(audience);
		assertThat(wording).contains("12.3 of 12.0 GB").contains("Stop");
	}

	@Test
	void whatIsDoneOrNeverAskedForIsNoAdvisory() {
		assertThat(kinds(DONE, null)).isEmpty();
		assertThat(kinds(IDLE, null)).isEmpty();
		assertThat(kinds(DONE, new StorageUse(1, 2))).isEmpty();
	}

	@Test
	void theMostSevereComesFirst() {
		assertThat(kinds(FAILED, FULL)).containsExactly(AdvisoryKind.STORAGE_EXHAUSTED, AdvisoryKind.DEPS_BROKEN);
	}

	@Test
	void aFailureStaysOneAlthoughATreeIsThere() {
		assertThat(only(FAILED, true).kind()).isEqualTo(AdvisoryKind.DEPS_BROKEN);
		assertThat(only(FAILED, true).treePresent()).isTrue();
	}

	@Test
	void whatWasSkippedIsAbsentForItsReason() {
		Advisory advisory = only(SKIPPED, false);
		assertThat(advisory.kind()).isEqualTo(AdvisoryKind.DEPS_ABSENT);
		assertThat(advisory.wording(Audience.TOOL_CALL)).contains("There is none of package.json.");
	}

	@Test
	void whatRunsCarriesItsStartAndItsOutput() {
		Advisory advisory = only(RUNNING, false);
		assertThat(advisory.startedAt()).isEqualTo(NOW);
		assertThat(advisory.tail()).isEqualTo("added 3");
	}

	@Test
	void outputOfTheSandboxIsNeverInTheWording() {
		for (Audience audience : Audience.values()) {
			assertThat(Advisories.brief(all(), audience)).doesNotContain("added 3", "npm ERR!");
		}
	}

	@Test
	void nothingToSayIsNoBriefAndSeveralAreJoined() {
		assertThat(Advisories.brief(List.of(), Audience.SESSION)).isNull();
		assertThat(Advisories.brief(Advisories.derive(FAILED, false, FULL), Audience.SESSION)).hasLineCount(2);
	}

	@Test
	void aFailureWithARepairToComeIsBeingInstalled() {
		assertThat(kinds(failed(NOW), null)).containsExactly(AdvisoryKind.DEPS_BUILDING);
		assertThat(kinds(done(NOW), null)).containsExactly(AdvisoryKind.DEPS_BUILDING);
	}

	@Test
	void aFailureTellsThatScriptsWereLeftOut() {
		InstallState state = new InstallState.Failed("npm ci", "The command ended with exit code 1.", 1, NOW, true,
				null, null);
		assertThat(only(state, false).wording(Audience.TOOL_CALL)).contains("Scripts of packages were left out.");
	}

	@Test
	void writesThatWouldNotStayAreRefused() {
		assertThatNoException()
			.isThrownBy(() -> Advisories.requireLastingWrites(Advisories.derive(FAILED, false, null)));
		assertThatExceptionOfType(SandboxException.class)
			.isThrownBy(() -> Advisories.requireLastingWrites(Advisories.derive(DONE, false, FULL)))
			.satisfies((ex) -> assertThat(ex.code()).isEqualTo(ErrorCode.SANDBOX_LIMIT));
	}

}
