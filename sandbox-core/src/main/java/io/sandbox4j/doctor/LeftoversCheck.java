package io.sandbox4j.doctor;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

import io.sandbox4j.SessionInfo;
import io.sandbox4j.SessionInfo.Status;
import io.sandbox4j.storage.Guests;
import io.sandbox4j.storage.MarkedProcesses;
import io.sandbox4j.storage.StateDirectory;

/**
 * What should have gone: processes of sessions that nobody owns, and trash that nobody
 * empties. Of other backends' processes nothing is known here.
 */
final class LeftoversCheck implements DoctorCheck {

	private static final String PROCESSES = "leftovers.processes";

	private static final String TRASH = "leftovers.trash";

	private static final Duration SOON = Duration.ofMinutes(15);

	private final Clock clock;

	/**
	 * Creates a check.
	 * @param clock tells how long something lies there
	 */
	LeftoversCheck(Clock clock) {
		this.clock = clock;
	}

	@Override
	public String name() {
		return "leftovers";
	}

	@Override
	public List<DoctorFinding> check(DoctorContext context) throws IOException {
		List<DoctorFinding> findings = new ArrayList<>();
		findings.add(processes(context));
		Path directory = context.stateDirectory();
		if (directory != null && Files.isDirectory(directory)) {
			findings.add(trash(StateDirectory.trashed(directory, context.backend().name())));
		}
		return findings;
	}

	private static DoctorFinding processes(DoctorContext context) {
		Set<String> stopped = stopped(context);
		Set<String> marked = MarkedProcesses.markers();
		stopped.removeIf((id) -> !marked.contains(Guests.marker(id)));
		if (!stopped.isEmpty()) {
			// One that was attached to or deleted meanwhile is no leftover.
			stopped.retainAll(stopped(context));
		}
		if (stopped.isEmpty()) {
			return DoctorFinding.ok(PROCESSES, "No process runs in a session that nobody owns.");
		}
		return DoctorFinding.warn(PROCESSES,
				"Processes run in " + stopped.size() + " sessions that nobody owns: " + String.join(", ", stopped)
						+ ".",
				"They are of an application that ended, and write to workspaces beside the next owner until it kills "
						+ "them.",
				"If they stay, start the application anew: it kills what nobody owns. Those in state D wait for a disk "
						+ "or a network file system.");
	}

	private static Set<String> stopped(DoctorContext context) {
		return context.backend()
			.sessions()
			.stream()
			.filter((session) -> session.status() == Status.STOPPED)
			.map(SessionInfo::id)
			.collect(Collectors.toSet());
	}

	private DoctorFinding trash(List<Path> entries) throws IOException {
		Instant late = this.clock.instant().minus(SOON);
		long old = 0;
		for (Path entry : entries) {
			if (changed(entry).isBefore(late)) {
				old++;
			}
		}
		if (old > 0) {
			return DoctorFinding.warn(TRASH, old + " deleted directories have waited in the trash for long.",
					"They take up space, and nobody empties them.",
					"Start the application anew, and read what it logs of the trash.");
		}
		return DoctorFinding.ok(TRASH, entries.size() + " deleted directories wait in the trash.");
	}

	// The rename into the trash changes this date, and the emptying does.
	private Instant changed(Path entry) throws IOException {
		try {
			return (Files.getAttribute(entry, "unix:ctime") instanceof FileTime time) ? time.toInstant()
					: this.clock.instant();
		}
		catch (NoSuchFileException ex) {
			return this.clock.instant();
		}
	}

}
