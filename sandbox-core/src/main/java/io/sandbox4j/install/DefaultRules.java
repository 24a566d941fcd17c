package io.sandbox4j.install;

import java.util.List;
import java.util.stream.Stream;

/**
 * The rules of the managers that a plan knows unless it is told others. They are texts
 * for {@code /bin/sh} without any part from the workspace.
 */
final class DefaultRules {

	private static final List<String> PACKAGE_JSON = List.of("package.json");

	private static final List<String> JAVASCRIPT_SETTINGS = List.of(".npmrc", ".yarnrc", ".yarnrc.yml",
			"pnpm-workspace.yaml", ".pnpmfile.cjs", "bunfig.toml");

	// A tree may come from 'npm install' too, which makes no lockfile: a file that the
	// agent did not write has no place in its changes.
	private static final String NPM = " --no-audit --no-fund";

	// Yarn runs the program that the repository names unless it is told otherwise. The
	// first Yarn and the later ones share no option that leaves scripts out.
	private static final String YARN = """
			export YARN_IGNORE_PATH=1 YARN_HTTP_PROXY="${http_proxy-}"
			case "$(yarn --version)" in
			[01].*) yarn install --frozen-lockfile --non-interactive --cache-folder "$SANDBOX_INSTALL_CACHE"%s ;;
			*) yarn install --immutable%s ;;
			esac""";

	private static final String VENV = "python3 -m venv .venv && .venv/bin/python -m pip install --no-input"
			+ " --disable-pip-version-check --no-cache-dir";

	// No JVM reads http_proxy, and Maven takes a mirror from its settings alone. What
	// came
	// from a mirror of another name is not there for whoever builds without these
	// settings.
	private static final String MAVEN = """
			s="$SANDBOX_INSTALL_CACHE/settings.xml"
			p="${http_proxy#http://}"
			{
			echo '<settings>'
			if [ -n "$p" ]; then
			echo "<proxies><proxy><active>true</active><protocol>http</protocol><host>${p%:*}</host>"
			echo "<port>${p##*:}</port></proxy></proxies>"
			fi
			if [ -n "${SANDBOX_MAVEN_MIRROR-}" ]; then
			echo "<mirrors><mirror><id>central</id><mirrorOf>*</mirrorOf><url>$SANDBOX_MAVEN_MIRROR</url></mirror></mirrors>"
			fi
			echo '</settings>'
			} >"$s"
			mvn --batch-mode --no-transfer-progress --settings "$s" dependency:go-offline""";

	private static final String GRADLE = """
			p="${http_proxy#http://}"
			if [ -n "$p" ]; then set -- "-Dhttp.proxyHost=${p%:*}" "-Dhttp.proxyPort=${p##*:}"; fi
			gradle --no-daemon --console=plain "$@" dependencies""";

	// Only an option replaces the source; variables cannot.
	private static final String CARGO = """
			set --%s
			if [ -n "${SANDBOX_CARGO_REGISTRY-}" ]; then
			set -- "$@" --config 'source.crates-io.replace-with="sandbox"'
			set -- "$@" --config "source.sandbox.registry=\\"$SANDBOX_CARGO_REGISTRY\\""
			fi
			cargo fetch "$@\"""";

	private DefaultRules() {
	}

	static List<InstallRule> all() {
		return Stream.of(javascript(), python(), jvm(), downloaded()).flatMap(List::stream).toList();
	}

	private static List<InstallRule> javascript() {
		List<String> modules = List.of("node_modules");
		InstallRule pnpm = new InstallRule("pnpm", PACKAGE_JSON, List.of("pnpm-lock.yaml"), JAVASCRIPT_SETTINGS,
				modules, new InstallCommand("pnpm install --frozen-lockfile --ignore-scripts --ignore-pnpmfile",
						"pnpm install --frozen-lockfile"),
				null);
		InstallRule yarn = new InstallRule("yarn", PACKAGE_JSON, List.of("yarn.lock"), JAVASCRIPT_SETTINGS,
				List.of("node_modules", ".pnp.cjs"),
				new InstallCommand(YARN.formatted(" --ignore-scripts", " --mode=skip-build"), YARN.formatted("", "")),
				null);
		InstallRule bun = new InstallRule("bun", PACKAGE_JSON, List.of("bun.lock", "bun.lockb"), JAVASCRIPT_SETTINGS,
				modules,
				new InstallCommand("bun install --frozen-lockfile --ignore-scripts", "bun install --frozen-lockfile"),
				null);
		InstallRule npm = new InstallRule("npm", PACKAGE_JSON, List.of("package-lock.json", "npm-shrinkwrap.json"),
				JAVASCRIPT_SETTINGS, modules,
				new InstallCommand("npm ci --ignore-scripts" + NPM, "npm ci --no-ignore-scripts" + NPM),
				new InstallCommand("npm install --no-package-lock --ignore-scripts" + NPM,
						"npm install --no-package-lock --no-ignore-scripts" + NPM));
		return List.of(pnpm, yarn, bun, npm);
	}

	private static List<InstallRule> python() {
		List<String> venv = List.of(".venv");
		InstallRule uv = new InstallRule("uv", List.of("pyproject.toml"), List.of("uv.lock"),
				List.of("uv.toml", ".python-version"), venv,
				new InstallCommand("uv sync --frozen --no-build --no-install-workspace", "uv sync --frozen"), null);
		InstallRule pip = new InstallRule("pip", List.of("requirements.txt"), List.of("requirements.txt"),
				List.of("constraints.txt"), venv,
				new InstallCommand(VENV + " --only-binary :all: -r requirements.txt", VENV + " -r requirements.txt"),
				null);
		InstallRule project = new InstallRule("pip", List.of("pyproject.toml", "setup.py"), List.of(),
				List.of("setup.cfg"), venv, null, InstallCommand.runningCode(VENV + " ."));
		return List.of(uv, pip, project);
	}

	private static List<InstallRule> jvm() {
		InstallRule maven = new InstallRule("maven", List.of("pom.xml"), List.of(),
				List.of(".mvn/maven.config", ".mvn/extensions.xml"), List.of("/workspace/.m2/repository"), null,
				InstallCommand.runningCode(MAVEN));
		InstallRule gradle = new InstallRule("gradle",
				List.of("build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts"),
				List.of("gradle.lockfile"), List.of("gradle.properties", "gradle/libs.versions.toml"),
				List.of("/workspace/.gradle/caches"), InstallCommand.runningCode(GRADLE),
				InstallCommand.runningCode(GRADLE));
		return List.of(maven, gradle);
	}

	private static List<InstallRule> downloaded() {
		InstallRule cargo = new InstallRule("cargo", List.of("Cargo.toml"), List.of("Cargo.lock"),
				List.of(".cargo/config.toml", "rust-toolchain.toml"), List.of("/workspace/.cargo/registry"),
				InstallCommand.harmless(CARGO.formatted(" --locked")), InstallCommand.harmless(CARGO.formatted("")));
		InstallRule go = new InstallRule("go", List.of("go.mod"), List.of("go.sum"), List.of("go.work", "go.work.sum"),
				List.of("/workspace/go/pkg/mod"), InstallCommand.harmless("go mod download"),
				InstallCommand.harmless("go mod download"));
		return List.of(cargo, go);
	}

}
