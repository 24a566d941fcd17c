package io.sandbox4j.store.jdbc;

import java.util.List;
import java.util.Scanner;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.SandboxException;

/**
 * Writes to a store beside others: appends so many events, or has one write under way
 * until it is told to end it.
 */
public final class WritingChild {

	private WritingChild() {
	}

	public static void main(String[] args) {
		List<String> arguments = List.of(args);
		Scanner input = new Scanner(System.in);
		try (JdbcRunStore store = ChildDatabase.of(arguments.subList(2, args.length)).builder().build()) {
			System.out.println("open");
			input.nextLine();
			if (args[0].equals("hold")) {
				store.write("s", (transaction) -> {
					Samples.append(transaction, "held");
					System.out.println("holding");
					return input.nextLine();
				});
				System.out.println("done");
				return;
			}
			for (int i = 0; i < Integer.parseInt(args[1]); i++) {
				String content = args[0] + "-" + i;
				System.out.println(content + " " + append(store, content));
			}
		}
	}

	private static long append(JdbcRunStore store, String content) {
		while (true) {
			try {
				return store.write("s", (transaction) -> Samples.append(transaction, content));
			}
			catch (SandboxException ex) {
				if (ex.code() != ErrorCode.SANDBOX_BUSY) {
					throw ex;
				}
				Thread.yield();
			}
		}
	}

}
