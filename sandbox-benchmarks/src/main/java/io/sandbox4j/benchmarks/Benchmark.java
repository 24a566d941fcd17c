package io.sandbox4j.benchmarks;

/**
 * One comparison with others, all of them measured in turns in one run.
 */
interface Benchmark {

	/**
	 * Returns what {@code ./sandbox bench} calls it.
	 * @return the name
	 */
	String name();

	/**
	 * Runs it. A peer that is not installed is reported as missing, and its figures are
	 * left out.
	 * @param scratch where its files and processes live
	 * @param report takes the figures
	 * @throws Exception if it cannot be run
	 */
	void run(Scratch scratch, Report report) throws Exception;

}
