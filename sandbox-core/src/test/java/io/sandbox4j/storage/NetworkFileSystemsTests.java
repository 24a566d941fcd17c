package io.sandbox4j.storage;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class NetworkFileSystemsTests {

	@ParameterizedTest
	@ValueSource(strings = { "nfs", "nfs4", "NFS4", "cifs", "smb3", "smbfs", "afs", "ceph", "glusterfs", "9p", "lustre",
			"fuse.sshfs", "fuse.glusterfs", "fuse.s3fs", "fuse.ceph" })
	void knowsWhatOtherHostsCanWriteTo(String type) {
		assertThat(NetworkFileSystems.contains(type)).isTrue();
	}

	@ParameterizedTest
	@ValueSource(strings = { "ext4", "xfs", "btrfs", "zfs", "tmpfs", "overlay", "fuse.fuse-overlayfs", "virtiofs" })
	void letsLocalOnesPass(String type) {
		assertThat(NetworkFileSystems.contains(type)).isFalse();
	}

}
