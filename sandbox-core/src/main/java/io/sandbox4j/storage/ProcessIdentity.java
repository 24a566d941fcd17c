package io.sandbox4j.storage;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

import com.fasterxml.jackson.annotation.JsonIgnore;

/**
 * One process, told from any other that had or will have its number: by when it started,
 * in which boot and in which pid namespace.
 *
 * @param pid the process id, as this process sees it
 * @param startTicks when it started, in clock ticks after boot
 * @param bootId the kernel's boot id
 * @param pidNamespace the pid namespace that the number belongs to
 */
public record ProcessIdentity(long pid, long startTicks, String bootId, String pidNamespace) {

	private static final String BOOT_ID = readBootId();

	private static final String PID_NAMESPACE = readPidNamespace();

	public ProcessIdentity {
		if (pid <= 0 || startTicks < 0 || bootId == null || pidNamespace == null) {
			throw new IllegalArgumentException("'pid', 'startTicks', 'bootId' and 'pidNamespace' must be given");
		}
	}

	public static ProcessIdentity self() {
		long pid = ProcessHandle.current().pid();
		return of(pid).orElseGet(() -> new ProcessIdentity(pid, 0, BOOT_ID, PID_NAMESPACE));
	}

	/**
	 * Returns the process that has a number now.
	 * @param pid the number
	 * @return its identity, or nothing if no process has it or what has it is a zombie
	 */
	public static Optional<ProcessIdentity> of(long pid) {
		long ticks = startTicks(pid);
		return (ticks < 0) ? Optional.empty() : Optional.of(new ProcessIdentity(pid, ticks, BOOT_ID, PID_NAMESPACE));
	}

	static String bootIdOfHost() {
		return BOOT_ID;
	}

	/**
	 * Whether the number means anything here.
	 * @return {@code true} if it is of this boot and of this process's pid namespace
	 */
	@JsonIgnore
	public boolean isLocal() {
		return this.bootId.equals(BOOT_ID) && this.pidNamespace.equals(PID_NAMESPACE);
	}

	/**
	 * Whether this very process runs. A zombie does not: its memory, files and, for the
	 * init of a namespace, all its descendants are gone, though nobody may ever reap it.
	 * @return {@code true} if it runs
	 */
	@JsonIgnore
	public boolean isAlive() {
		return isLocal() && startTicks(this.pid) == this.startTicks;
	}

	/**
	 * Sends SIGKILL, unless the number belongs to another process by now or to this one.
	 */
	public void kill() {
		if (this.pid == ProcessHandle.current().pid()) {
			return;
		}
		// The handle remembers the start time too, so what is checked after it is got
		// holds.
		ProcessHandle.of(this.pid).filter((handle) -> isAlive()).ifPresent(ProcessHandle::destroyForcibly);
	}

	private static long startTicks(long pid) {
		String stat;
		try {
			stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"), StandardCharsets.ISO_8859_1);
		}
		catch (IOException ex) {
			return -1;
		}
		return parseStartTicks(stat);
	}

	/**
	 * Parses {@code /proc/<pid>/stat}. The second field is the program's name in
	 * parentheses and may hold spaces and parentheses itself, so counting starts after
	 * the last one.
	 * @param stat the line
	 * @return field 22, or -1 for a zombie or a line that is none
	 */
	static long parseStartTicks(String stat) {
		String[] fields = stat.substring(stat.lastIndexOf(')') + 1).trim().split(" ");
		if (fields.length < 20 || fields[0].equals("Z") || fields[0].equals("X")) {
			return -1;
		}
		try {
			return Long.parseLong(fields[19]);
		}
		catch (NumberFormatException ex) {
			return -1;
		}
	}

	private static String readBootId() {
		try {
			return Files.readString(Path.of("/proc/sys/kernel/random/boot_id")).trim();
		}
		catch (IOException ex) {
			return "unknown";
		}
	}

	private static String readPidNamespace() {
		try {
			return Files.readSymbolicLink(Path.of("/proc/self/ns/pid")).toString();
		}
		catch (IOException ex) {
			return "unknown";
		}
	}

}
