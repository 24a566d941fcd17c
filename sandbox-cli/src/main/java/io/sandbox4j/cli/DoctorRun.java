package io.sandbox4j.cli;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;

import io.sandbox4j.NetworkPolicy;
import io.sandbox4j.SandboxException;
import io.sandbox4j.bubblewrap.BubblewrapBackend;
import io.sandbox4j.doctor.DoctorFinding;
import io.sandbox4j.doctor.DoctorReport;
import io.sandbox4j.doctor.DoctorStatus;
import io.sandbox4j.doctor.SandboxDoctor;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * One examination of the host, over directories of its own that are gone afterwards.
 *
 * @param json whether to print JSON
 * @param out where the report goes
 */
record DoctorRun(boolean json, PrintStream out) {

	/**
	 * Examines and prints.
	 * @param temporary where its files go
	 * @return the exit code
	 * @throws IOException if the temporary directory cannot be made
	 */
	int execute(Path temporary) throws IOException {
		DoctorReport report = examine(temporary);
		if (json()) {
			printJson(report);
		}
		else {
			print(report);
		}
		return (report.status() != DoctorStatus.FAIL) ? 0 : 1;
	}

	private static DoctorReport examine(Path temporary) throws IOException {
		try (RunDirectory directory = RunDirectory.create(temporary.toRealPath());
				BubblewrapBackend backend = BubblewrapBackend.builder()
					.stateDirectory(directory.path().resolve("state"))
					.runtimeDirectory(directory.path().resolve("run"))
					.build()) {
			return SandboxDoctor.builder(backend)
				.executable(backend.executable())
				.stateDirectory(backend.stateDirectory())
				.runtimeDirectory(backend.runtimeDirectory())
				.network("default", NetworkPolicy.denyAll())
				.build()
				.examine();
		}
		catch (SandboxException ex) {
			return DoctorReport.of(ex);
		}
	}

	private void print(DoctorReport report) {
		for (DoctorFinding finding : report.findings()) {
			out().printf("%-4s  %s: %s%n", finding.status(), finding.name(),
					finding.summary().replaceAll("[\\s\\p{Cntrl}]+", " "));
			print(finding.meaning());
			print(finding.remedy());
		}
	}

	private void print(String sentence) {
		if (!sentence.isEmpty()) {
			out().println("      " + sentence);
		}
	}

	private void printJson(DoctorReport report) {
		ObjectNode root = JsonMapper.shared().createObjectNode().put("status", report.status().name());
		ArrayNode findings = root.putArray("findings");
		for (DoctorFinding finding : report.findings()) {
			findings.addObject()
				.put("name", finding.name())
				.put("status", finding.status().name())
				.put("summary", finding.summary())
				.put("meaning", finding.meaning())
				.put("remedy", finding.remedy());
		}
		out().println(root);
	}

}
