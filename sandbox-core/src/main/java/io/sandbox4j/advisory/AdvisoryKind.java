package io.sandbox4j.advisory;

/**
 * What an advisory is about, and what follows from it on three axes.
 *
 * @since 0.1.0
 */
public enum AdvisoryKind {

	/**
	 * The storage is full: what is written is lost.
	 */
	STORAGE_EXHAUSTED(false, true, false),

	/**
	 * Dependencies are being installed, or will be again soon.
	 */
	DEPS_BUILDING(true, false, true),

	/**
	 * The install of the dependencies failed.
	 */
	DEPS_BROKEN(false, false, true),

	/**
	 * Dependencies are not installed, on purpose.
	 */
	DEPS_ABSENT(false, false, true);

	private final boolean passing;

	private final boolean universal;

	private final boolean writesPersist;

	AdvisoryKind(boolean passing, boolean universal, boolean writesPersist) {
		this.passing = passing;
		this.universal = universal;
		this.writesPersist = writesPersist;
	}

	/**
	 * Whether it goes by itself. Only such an advisory is a reason to hold a command
	 * back.
	 * @return {@code true} if it does
	 */
	public boolean isTransient() {
		return this.passing;
	}

	/**
	 * Whether it matters to commands that need no dependencies too.
	 * @return {@code true} if it does
	 */
	public boolean isUniversal() {
		return this.universal;
	}

	/**
	 * Whether what is written stays.
	 * @return {@code false} if writes must be refused
	 */
	public boolean writesPersist() {
		return this.writesPersist;
	}

}
