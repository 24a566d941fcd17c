package io.sandbox4j.test;

import io.sandbox4j.ExecSpec;

/**
 * The commands that {@link SandboxBackendContract} runs, described by what they do. A
 * backend whose sandboxes have a POSIX shell takes {@link ShellCommands}; another says
 * how its programs do the same. Text is passed as it is, without a line break added.
 *
 * @since 0.1.0
 */
public interface ContractCommands {

	/**
	 * Exits without reading or printing anything.
	 * @param code the exit code
	 * @return the command
	 */
	ExecSpec exit(int code);

	/**
	 * Prints a text on each stream and exits.
	 * @param stdout what goes to standard output
	 * @param stderr what goes to standard error
	 * @param code the exit code
	 * @return the command
	 */
	ExecSpec print(String stdout, String stderr, int code);

	/**
	 * Prints a text on each stream, then waits without end.
	 * @param stdout what goes to standard output
	 * @param stderr what goes to standard error
	 * @return the command
	 */
	ExecSpec printAndWait(String stdout, String stderr);

	/**
	 * Prints bytes on standard output piece by piece, with a moment between them, so that
	 * no two come in one read.
	 * @param pieces the pieces
	 * @return the command
	 */
	ExecSpec printInPieces(byte[]... pieces);

	/**
	 * Prints that many bytes of any kind on each stream.
	 * @param stdout how many go to standard output
	 * @param stderr how many go to standard error
	 * @return the command
	 */
	ExecSpec printBytes(int stdout, int stderr);

	/**
	 * Prints on standard output as fast as it can, without end.
	 * @return the command
	 */
	ExecSpec printWithoutEnd();

	/**
	 * Prints standard input until its end.
	 * @return the command
	 */
	ExecSpec printInput();

	/**
	 * Prints the value of an environment variable, nothing if there is none.
	 * @param name the variable
	 * @return the command
	 */
	ExecSpec printVariable(String name);

	/**
	 * Prints the working directory.
	 * @return the command
	 */
	ExecSpec printWorkingDirectory();

	/**
	 * Prints a file.
	 * @param path its path, relative to the working directory
	 * @return the command; it exits with another code than 0 if there is no such file
	 */
	ExecSpec printFile(String path);

	/**
	 * Writes a file into an existing directory.
	 * @param path its path, relative to the working directory
	 * @param content its content
	 * @return the command
	 */
	ExecSpec writeFile(String path, String content);

	/**
	 * Prints a text, and exits with a code when it gets a TERM signal.
	 * @param stdout the text, printed once the signal is caught
	 * @param code the exit code
	 * @return the command
	 */
	ExecSpec exitOnTerm(String stdout, int code);

	/**
	 * Prints a text, and goes on without end, whatever signal it may catch.
	 * @param stdout the text, printed once the signal is caught
	 * @return the command
	 */
	ExecSpec ignoreTerm(String stdout);

	/**
	 * Ends itself with a KILL signal.
	 * @return the command
	 */
	ExecSpec killItself();

	/**
	 * Prints a text and exits with 0, while a process that it started goes on and holds
	 * standard output open. A backend without processes just prints.
	 * @param stdout the text
	 * @return the command
	 */
	ExecSpec printAndLeaveProcessBehind(String stdout);

	/**
	 * Names a program that no sandbox has.
	 * @return the command
	 */
	default ExecSpec missingProgram() {
		return ExecSpec.of("/no/such/program");
	}

}
