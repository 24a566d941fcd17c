package io.sandbox4j.gateway;

import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Predicate;

import io.sandbox4j.Origin;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether an origin may be at an address. Only addresses that the whole Internet
 * routes are free; everything else is refused by class (IANA's registries of
 * special-purpose addresses), and what no class names is reserved.
 * <p>
 * IPv4 in IPv6 (mapped, compatible, NAT64, 6to4) is what the IPv4 address is, since a
 * translator on the way would send it there. Two forms are refused altogether: in Teredo
 * and in the local NAT64 prefix 64:ff9b:1::/48 the place of the IPv4 address differs.
 */
final class AddressGuard {

	private static final List<Range> RANGES = List.of(new Range("255.255.255.255", 32, Kind.BROADCAST),
			new Range("0.0.0.0", 32, Kind.ANY_LOCAL), new Range("0.0.0.0", 8, Kind.RESERVED),
			new Range("127.0.0.0", 8, Kind.LOOPBACK), new Range("169.254.0.0", 16, Kind.LINK_LOCAL),
			// Alibaba Cloud and Azure: outside of the link-local range.
			new Range("100.100.100.200", 32, Kind.METADATA), new Range("168.63.129.16", 32, Kind.METADATA),
			new Range("100.64.0.0", 10, Kind.CARRIER), new Range("10.0.0.0", 8, Kind.PRIVATE),
			new Range("172.16.0.0", 12, Kind.PRIVATE), new Range("192.168.0.0", 16, Kind.PRIVATE),
			new Range("192.0.0.0", 24, Kind.RESERVED), new Range("192.0.2.0", 24, Kind.DOCUMENTATION),
			new Range("192.88.99.0", 24, Kind.RESERVED), new Range("198.18.0.0", 15, Kind.RESERVED),
			new Range("198.51.100.0", 24, Kind.DOCUMENTATION), new Range("203.0.113.0", 24, Kind.DOCUMENTATION),
			new Range("224.0.0.0", 4, Kind.MULTICAST), new Range("240.0.0.0", 4, Kind.RESERVED),
			new Range("0.0.0.0", 0, Kind.PUBLIC),

			new Range("::", 128, Kind.ANY_LOCAL), new Range("::1", 128, Kind.LOOPBACK),
			// Amazon's and Google's, within the private range.
			new Range("fd00:ec2::254", 128, Kind.METADATA), new Range("fd20:ce::254", 128, Kind.METADATA),
			new Range("fc00::", 7, Kind.PRIVATE), new Range("fec0::", 10, Kind.PRIVATE),
			new Range("fe80::", 10, Kind.LINK_LOCAL), new Range("ff00::", 8, Kind.MULTICAST),
			new Range("64:ff9b:1::", 48, Kind.TRANSLATED), new Range("2001::", 32, Kind.TRANSLATED),
			new Range("2001:db8::", 32, Kind.DOCUMENTATION), new Range("2001::", 23, Kind.RESERVED),
			new Range("3fff::", 20, Kind.DOCUMENTATION), new Range("100::", 64, Kind.DISCARD),
			new Range("2000::", 3, Kind.PUBLIC), new Range("::", 0, Kind.RESERVED));

	private final Predicate<InetAddress> own;

	AddressGuard() {
		this(AddressGuard::isOwn);
	}

	AddressGuard(Predicate<InetAddress> own) {
		this.own = own;
	}

	/**
	 * Refuses an address.
	 * @param origin what was resolved
	 * @param address an answer
	 * @param allowPrivate what the rule says. Then loopback, private, carrier-grade NAT
	 * and the host's own addresses pass. Link-local addresses and other places where
	 * clouds keep metadata pass only if the origin names the address itself, so that no
	 * DNS server can point there. Nothing makes the rest pass.
	 * @throws RefusedException {@link Refusal#ADDRESS_NOT_ALLOWED}
	 */
	void check(Origin origin, InetAddress address, boolean allowPrivate) throws RefusedException {
		byte[] embedded = embedded(address);
		Kind kind = kind((embedded != null) ? embedded : address.getAddress());
		if (kind == Kind.PUBLIC && (this.own.test(address) || this.own.test(plain(address, embedded)))) {
			kind = Kind.OWN;
		}
		boolean allowed = switch (kind.opening) {
			case NONE_NEEDED -> true;
			case RULE -> allowPrivate;
			case RULE_AND_LITERAL -> allowPrivate && address.equals(Resolver.literal(origin.host()));
			case NEVER -> false;
		};
		if (!allowed) {
			throw new RefusedException(Refusal.ADDRESS_NOT_ALLOWED, origin + " is at " + address.getHostAddress() + ", "
					+ kind.text + ((embedded != null) ? " in IPv6 form" : "") + ". " + kind.opening.remedy);
		}
	}

	private static byte @Nullable [] embedded(InetAddress address) {
		byte[] bytes = address.getAddress();
		String hex = HexFormat.of().formatHex(bytes);
		if (hex.length() != 32) {
			return null;
		}
		if (hex.startsWith("2002")) {
			return Arrays.copyOfRange(bytes, 2, 6);
		}
		boolean compatible = hex.startsWith("0".repeat(24)) && !hex.startsWith("0".repeat(31));
		boolean mapped = hex.startsWith("0".repeat(20) + "ffff");
		boolean translated = hex.startsWith("0064ff9b" + "0".repeat(16));
		return (compatible || mapped || translated) ? Arrays.copyOfRange(bytes, 12, 16) : null;
	}

	private static Kind kind(byte[] address) {
		return RANGES.stream()
			.filter((range) -> range.contains(address))
			.map(Range::kind)
			.findFirst()
			.orElse(Kind.RESERVED);
	}

	private static InetAddress plain(InetAddress address, byte @Nullable [] embedded) {
		try {
			return (embedded != null) ? InetAddress.getByAddress(embedded) : address;
		}
		catch (UnknownHostException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static boolean isOwn(InetAddress address) {
		try {
			return NetworkInterface.getByInetAddress(address) != null;
		}
		catch (SocketException ex) {
			// Unknown is not public.
			return true;
		}
	}

	/**
	 * What makes a class pass.
	 */
	private enum Opening {

		NONE_NEEDED(""),

		RULE("Set 'allow-private' of its rule if that is meant."),

		RULE_AND_LITERAL("A rule must name this address itself, with 'allow-private', if that is meant."),

		NEVER("No rule can allow that.");

		private final String remedy;

		Opening(String remedy) {
			this.remedy = remedy;
		}

	}

	/**
	 * What an address is.
	 */
	private enum Kind {

		PUBLIC("a public address", Opening.NONE_NEEDED),

		LOOPBACK("a loopback address", Opening.RULE),

		PRIVATE("a private address", Opening.RULE),

		CARRIER("a carrier-grade NAT address", Opening.RULE),

		OWN("an address of this host", Opening.RULE),

		LINK_LOCAL("a link-local address, where clouds keep metadata", Opening.RULE_AND_LITERAL),

		METADATA("an address where a cloud keeps metadata", Opening.RULE_AND_LITERAL),

		ANY_LOCAL("the unspecified address", Opening.NEVER),

		MULTICAST("a multicast address", Opening.NEVER),

		BROADCAST("the broadcast address", Opening.NEVER),

		DOCUMENTATION("a documentation address", Opening.NEVER),

		DISCARD("a discard address", Opening.NEVER),

		TRANSLATED("a tunnel or translator whose end cannot be told", Opening.NEVER),

		RESERVED("a reserved address", Opening.NEVER);

		private final String text;

		private final Opening opening;

		Kind(String text, Opening opening) {
			this.text = text;
			this.opening = opening;
		}

	}

	/**
	 * Addresses with a common prefix. The first that contains an address decides.
	 *
	 * @param network the prefix's bytes
	 * @param bits its length
	 * @param kind what the addresses are
	 */
	private record Range(byte[] network, int bits, Kind kind) {

		Range(String network, int bits, Kind kind) {
			this(bytes(network), bits, kind);
		}

		boolean contains(byte[] address) {
			if (address.length != this.network.length) {
				return false;
			}
			for (int bit = 0; bit < this.bits; bit += 8) {
				int mask = 0xff << Math.max(0, 8 - (this.bits - bit));
				if (((address[bit / 8] ^ this.network[bit / 8]) & mask & 0xff) != 0) {
					return false;
				}
			}
			return true;
		}

		private static byte[] bytes(String literal) {
			try {
				return InetAddress.getByName(literal).getAddress();
			}
			catch (UnknownHostException ex) {
				throw new IllegalStateException(ex);
			}
		}

	}

}
