package io.sandbox4j.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.function.BooleanSupplier;

/**
 * Starts nginx with files of its own only, so that it needs no rights.
 */
final class Nginx {

	private Nginx() {
	}

	static boolean isInstalled() {
		return Scratch.program("nginx") != null;
	}

	static void start(Scratch scratch, String name, String http, BooleanSupplier ready) throws IOException {
		Path directory = scratch.makeDirectory(name);
		Path configuration = directory.resolve("nginx.conf");
		Files.writeString(configuration, """
				daemon off;
				worker_processes auto;
				pid %1$s/pid;
				error_log stderr;
				events {
					worker_connections 1024;
				}
				http {
					access_log off;
					keepalive_requests 1000000000;
					keepalive_timeout 600s;
					client_body_temp_path %1$s/body;
					proxy_temp_path %1$s/proxy;
					fastcgi_temp_path %1$s/fastcgi;
					uwsgi_temp_path %1$s/uwsgi;
					scgi_temp_path %1$s/scgi;
				%2$s}
				""".formatted(directory, http.indent(1)));
		String program = Objects.requireNonNull(Scratch.program("nginx"), "nginx is not installed");
		Process process = scratch.start(name, List.of(program, "-e", "stderr", "-c", configuration.toString()));
		scratch.await(name, process, ready);
	}

}
