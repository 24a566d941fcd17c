package io.sandbox4j.benchmarks;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;

/**
 * A server to measure.
 *
 * @param name what messages call it
 * @param socket the Unix socket on which it listens
 */
record Target(String name, Path socket) {

	SocketChannel connect() throws IOException {
		SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
		try {
			channel.connect(UnixDomainSocketAddress.of(this.socket));
			return channel;
		}
		catch (IOException ex) {
			channel.close();
			throw ex;
		}
	}

	// A socket is there a moment before anybody listens.
	boolean listens() {
		try (SocketChannel channel = connect()) {
			return channel.isConnected();
		}
		catch (IOException ex) {
			return false;
		}
	}

}
