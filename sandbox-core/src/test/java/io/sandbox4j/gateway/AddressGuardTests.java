package io.sandbox4j.gateway;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.util.HexFormat;

import io.sandbox4j.Origin;
import io.sandbox4j.SandboxException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assumptions.assumeThat;

/**
 * E41, BC-113 and C-T21: a listed name never leads inside unless the rule says so. The
 * spellings of BC-109 do not get as far as an address.
 */
class AddressGuardTests {

	private static final Origin NAMED = Origin.parse("https://api.example.com");

	private final AddressGuard guard = new AddressGuard((address) -> false);

	@ParameterizedTest
	@ValueSource(
			strings = { "8.8.8.8", "1.1.1.1", "100.63.255.255", "100.128.0.0", "172.15.0.1", "172.32.0.1", "192.0.1.1",
					"198.17.0.1", "198.20.0.1", "223.255.255.255", "9.255.255.255", "11.0.0.1", "2606:4700:4700::1111",
					"2a00:1450::1", "2001:4860:4860::8888", "2001:200::1", "64:ff9b::808:808", "2002:808:808::1" })
	void passesPublicAddresses(String address) {
		assertThatCode(() -> this.guard.check(NAMED, InetAddress.getByName(address), false)).doesNotThrowAnyException();
	}

	@ParameterizedTest
	@CsvSource({ "127.0.0.1,loopback", "127.255.255.254,loopback", "::1,loopback", "10.0.0.5,private",
			"172.16.0.1,private", "172.31.255.255,private", "192.168.1.1,private", "fd00::1,private", "fc00::1,private",
			"fec0::1,private", "100.64.0.1,carrier-grade NAT", "100.127.255.255,carrier-grade NAT" })
	void passesInsideAddressesOnlyWithTheRule(String address, String kind) throws Exception {
		InetAddress parsed = InetAddress.getByName(address);
		assertRefused(NAMED, parsed, false, kind);
		this.guard.check(NAMED, parsed, true);
	}

	@ParameterizedTest
	@CsvSource({ "169.254.169.254,link-local", "169.254.0.1,link-local", "fe80::1,link-local",
			"100.100.100.200,metadata", "168.63.129.16,metadata", "fd00:ec2::254,metadata", "fd20:ce::254,metadata" })
	void passesMetadataOnlyIfItIsNamedItself(String address, String kind) throws Exception {
		InetAddress parsed = InetAddress.getByName(address);
		Origin literal = Origin.parse("http://" + (address.contains(":") ? "[" + address + "]" : address));
		assertRefused(NAMED, parsed, false, kind);
		assertRefused(NAMED, parsed, true, kind);
		assertRefused(literal, parsed, false, kind);
		assertRefused(Origin.parse("http://169.254.169.253"), parsed, true, kind);
		this.guard.check(literal, parsed, true);
	}

	@ParameterizedTest
	@CsvSource({ "0.0.0.0,unspecified", "::,unspecified", "0.1.2.3,reserved", "224.0.0.1,multicast",
			"239.255.255.255,multicast", "ff02::1,multicast", "255.255.255.255,broadcast", "240.0.0.1,reserved",
			"192.0.0.192,reserved", "192.0.2.1,documentation", "192.88.99.1,reserved", "198.18.0.1,reserved",
			"198.19.255.255,reserved", "198.51.100.1,documentation", "203.0.113.1,documentation",
			"2001:db8::1,documentation", "3fff::1,documentation", "100::1,discard", "2001::1,tunnel",
			"2001:0:4136:e378:8000:63bf:3fff:fdd2,tunnel", "64:ff9b:1::a9fe:a9fe,translator", "2001:2::1,reserved",
			"4000::1,reserved", "::ffff:0:7f00:1,reserved", "5f00::1,reserved" })
	void refusesTheRestWhateverTheRuleSays(String address, String kind) throws Exception {
		InetAddress parsed = InetAddress.getByName(address);
		assertRefused(NAMED, parsed, false, kind);
		assertRefused(NAMED, parsed, true, kind);
	}

	@ParameterizedTest
	@CsvSource({ "00000000000000000000ffff0a000001,private", "00000000000000000000ffff7f000001,loopback",
			"00000000000000000000ffffa9fea9fe,link-local", "0000000000000000000000007f000001,loopback",
			"000000000000000000000000a9fea9fe,link-local", "0064ff9b0000000000000000a9fea9fe,link-local",
			"0064ff9b0000000000000000c0a80001,private", "20027f00000100000000000000000001,loopback",
			"2002a9fea9fe00000000000000000001,link-local", "20020a00000500000000000000000001,private",
			"00000000000000000000000064646464,carrier" })
	void looksIntoIpv6ForIpv4(String hex, String kind) throws Exception {
		InetAddress address = Inet6Address.getByAddress(null, HexFormat.of().parseHex(hex), -1);
		assertRefused(NAMED, address, false, kind);
		assertThatExceptionOfType(RefusedException.class).isThrownBy(() -> this.guard.check(NAMED, address, false))
			.withMessageContaining("in IPv6 form");
	}

	@Test
	void readsMappedAnswersAsIpv4() throws Exception {
		assertRefused(NAMED, InetAddress.getByName("::ffff:10.0.0.1"), false, "private");
		assertRefused(NAMED, InetAddress.getByName("64:ff9b::a9fe:a9fe"), true, "link-local");
	}

	@Test
	void refusesTheHostsOwnPublicAddress() throws Exception {
		InetAddress own = InetAddress.getByName("8.8.4.4");
		AddressGuard guard = new AddressGuard(own::equals);
		assertThatExceptionOfType(RefusedException.class).isThrownBy(() -> guard.check(NAMED, own, false))
			.withMessageContaining("an address of this host");
		assertThatExceptionOfType(RefusedException.class)
			.isThrownBy(() -> guard.check(NAMED, InetAddress.getByName("64:ff9b::808:404"), false))
			.withMessageContaining("an address of this host");
		guard.check(NAMED, own, true);
	}

	@Test
	void refusesWhatTheHostsInterfacesHave() throws Exception {
		InetAddress own = NetworkInterface.networkInterfaces()
			.flatMap(NetworkInterface::inetAddresses)
			.filter((address) -> !address.isLoopbackAddress() && !address.isLinkLocalAddress())
			.findFirst()
			.orElse(null);
		assumeThat(own).isNotNull();
		assertThatExceptionOfType(RefusedException.class).isThrownBy(() -> new AddressGuard().check(NAMED, own, false));
		new AddressGuard().check(NAMED, InetAddress.getByName("8.8.8.8"), false);
	}

	@Test
	void saysWhereAndWhatToDo() throws Exception {
		InetAddress address = InetAddress.getByAddress("api.example.com", new byte[] { 10, 0, 0, 5 });
		assertThatExceptionOfType(RefusedException.class).isThrownBy(() -> this.guard.check(NAMED, address, false))
			.withMessage("https://api.example.com is at 10.0.0.5, a private address. Set 'allow-private' of its rule "
					+ "if that is meant.");
	}

	@ParameterizedTest
	@ValueSource(strings = { "[::ffff:127.0.0.1]", "127.1", "2130706433", "0x7f.1", "017700000001", "127.0.0.1..",
			"0177.0.0.1", "[fe80::1%25eth0]" })
	void spellingsOfLoopbackAreNoOrigins(String host) {
		assertThatExceptionOfType(SandboxException.class).isThrownBy(() -> Origin.parse("http://" + host));
	}

	private void assertRefused(Origin origin, InetAddress address, boolean allowPrivate, String kind) {
		assertThatExceptionOfType(RefusedException.class)
			.isThrownBy(() -> this.guard.check(origin, address, allowPrivate))
			.withMessageContaining(kind)
			.withMessageContaining(origin.toString())
			.satisfies((ex) -> assertThat(ex.refusal()).isEqualTo(Refusal.ADDRESS_NOT_ALLOWED));
	}

}
