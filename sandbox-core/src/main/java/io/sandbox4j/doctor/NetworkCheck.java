package io.sandbox4j.doctor;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.sandbox4j.NetworkPolicy;
import io.sandbox4j.OriginRule;

/**
 * The network policies. Names hosts and variables, never a value.
 */
final class NetworkCheck implements DoctorCheck {

	private static final Pattern SECRET = Pattern
		.compile(".*(TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIAL|API_?KEY|_KEY).*");

	@Override
	public String name() {
		return "network";
	}

	@Override
	public List<DoctorFinding> check(DoctorContext context) {
		List<DoctorFinding> findings = new ArrayList<>();
		context.networks().forEach((name, policy) -> findings.addAll(findings("network." + name, policy)));
		return findings;
	}

	private static List<DoctorFinding> findings(String name, NetworkPolicy policy) {
		if (policy instanceof NetworkPolicy.AllowAll) {
			return List.of(DoctorFinding.warn(name, "Sandboxes are in the host's network.",
					"Commands reach whatever the host does, local services included, and can send away whatever they "
							+ "can read, environment and workspace included.",
					"List the origins that are needed ('sandbox.network.allow'), and let the gateway add credentials."));
		}
		if (!(policy instanceof NetworkPolicy.AllowList list)) {
			return List.of(DoctorFinding.ok(name, "Sandboxes have no network."));
		}
		List<DoctorFinding> findings = new ArrayList<>();
		add(findings, name, list, (rule) -> rule.hasSecrets() && !rule.origin().secure(),
				"Credentials go over plain http to ", "Whoever is on the way to the host can read and use them.",
				"Use https for these origins, and take 'allow-plaintext' out.");
		add(findings, name, list, (rule) -> rule.hasSecrets() && !rule.redact(), "Answers are not masked from ",
				"A server that repeats what it was sent hands its credential to the sandbox.",
				"Take 'redact: false' out of these rules.");
		String variables = join(list.rules().stream().flatMap((rule) -> rule.environment().keySet().stream()),
				(variable) -> SECRET.matcher(variable.toUpperCase(Locale.ROOT)).matches(), Function.identity());
		if (!variables.isEmpty()) {
			findings
				.add(DoctorFinding.warn(name, "Commands get variables that are named as secrets: " + variables + ".",
						"Commands can read their values, and send them to every origin that is listed.",
						"Let the gateway add the credential ('headers' or 'credentials' of the rule)."));
		}
		if (findings.isEmpty()) {
			findings.add(DoctorFinding.ok(name,
					"Sandboxes reach " + join(list.rules().stream(), (rule) -> true, NetworkCheck::host) + "."));
		}
		return findings;
	}

	private static void add(List<DoctorFinding> findings, String name, NetworkPolicy.AllowList list,
			Predicate<OriginRule> which, String summary, String meaning, String remedy) {
		String hosts = join(list.rules().stream(), which, NetworkCheck::host);
		if (!hosts.isEmpty()) {
			findings.add(DoctorFinding.warn(name, summary + hosts + ".", meaning, remedy));
		}
	}

	private static <T> String join(Stream<T> all, Predicate<T> which, Function<T, String> text) {
		return all.filter(which).map(text).distinct().collect(Collectors.joining(", "));
	}

	private static String host(OriginRule rule) {
		return rule.origin().host();
	}

}
