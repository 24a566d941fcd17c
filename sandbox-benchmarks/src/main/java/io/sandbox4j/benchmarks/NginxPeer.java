package io.sandbox4j.benchmarks;

import java.io.IOException;

/**
 * nginx as a proxy from a Unix socket that adds the credential, tuned as one does for
 * this: a worker for each processor, connections to the upstream kept, nothing written to
 * disk.
 */
final class NginxPeer {

	private NginxPeer() {
	}

	static Target start(Scratch scratch, Upstream upstream) throws IOException {
		Target target = new Target("nginx", scratch.directory().resolve("nginx.sock"));
		Nginx.start(scratch, "nginx", """
				upstream origin {
					server %s;
					keepalive 64;
					keepalive_requests 1000000000;
					keepalive_timeout 600s;
				}
				server {
					listen unix:%s;
					location / {
						proxy_pass http://origin;
						proxy_http_version 1.1;
						proxy_set_header Connection "";
						proxy_set_header Authorization "%s";
						proxy_buffering on;
						proxy_max_temp_file_size 0;
						proxy_request_buffering off;
					}
				}
				""".formatted(upstream.authority(), target.socket(), Upstream.CREDENTIAL), target::listens);
		return target;
	}

}
