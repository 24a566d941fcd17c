package io.sandbox4j.tools;

import java.util.Arrays;
import java.util.List;

import static org.assertj.core.api.Assertions.catchThrowableOfType;

/**
 * Edits that must fail.
 */
final class Failures {

	private Failures() {
	}

	static EditFailure of(byte[] content, List<TextEdit> edits) {
		byte[] before = content.clone();
		EditFailure failure = catchThrowableOfType(EditFailure.class, () -> EditPlan.of(content, edits));
		if (failure == null) {
			throw new AssertionError("The edits did not fail");
		}
		if (!Arrays.equals(before, content)) {
			throw new AssertionError("The content was changed");
		}
		return failure;
	}

}
