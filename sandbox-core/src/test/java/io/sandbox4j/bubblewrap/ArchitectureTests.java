package io.sandbox4j.bubblewrap;

import io.sandbox4j.SandboxUnavailableException;
import io.sandbox4j.SandboxUnavailableException.Cause;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class ArchitectureTests {

	@ParameterizedTest
	@CsvSource({ "amd64,X86_64", "x86_64,X86_64", "aarch64,AARCH64", "arm64,AARCH64" })
	void knowsTheNamesJvmsUse(String osArch, Architecture expected) {
		assertThat(Architecture.of(osArch)).isEqualTo(expected);
	}

	@ParameterizedTest
	@NullSource
	@ValueSource(strings = { "", "i386", "x86", "arm", "riscv64", "ppc64le", "s390x", "AMD64", "amd64 " })
	void refusesEveryOtherByName(String osArch) {
		assertThatExceptionOfType(SandboxUnavailableException.class).isThrownBy(() -> Architecture.of(osArch))
			.withMessageContaining("'" + osArch + "'")
			.satisfies((ex) -> assertThat(ex.unavailable()).isEqualTo(Cause.OTHER));
	}

	@Test
	void hasTheKernelsValues() {
		assertThat(Architecture.X86_64.auditArch()).isEqualTo(62 | 0x80000000 | 0x40000000);
		assertThat(Architecture.AARCH64.auditArch()).isEqualTo(183 | 0x80000000 | 0x40000000);
	}

}
