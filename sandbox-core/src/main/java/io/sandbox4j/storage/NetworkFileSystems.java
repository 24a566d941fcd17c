package io.sandbox4j.storage;

import java.util.Locale;
import java.util.Set;

/**
 * Knows by their type the file systems that other hosts can write to. There a lock may
 * hold on one host only, and a process id proves nothing.
 *
 * @since 0.1.0
 */
public final class NetworkFileSystems {

	private static final Set<String> TYPES = Set.of("9p", "acfs", "afs", "beegfs", "ceph", "cifs", "coda", "curlftpfs",
			"davfs", "fhgfs", "gcsfuse", "gfs", "gfs2", "glusterfs", "gpfs", "juicefs", "lustre", "moosefs", "mfs",
			"ncpfs", "nfs", "nfs4", "ocfs2", "orangefs", "panfs", "pvfs2", "rclone", "s3fs", "seaweedfs", "smb", "smb2",
			"smb3", "smbfs", "sshfs", "goofys", "mount-s3", "blobfuse", "blobfuse2", "vboxsf", "vmhgfs-fuse", "prl_fs");

	private NetworkFileSystems() {
	}

	/**
	 * Whether a file system is one of them.
	 * @param type its type, as the kernel names it
	 * @return {@code true} if other hosts can write to it
	 */
	public static boolean contains(String type) {
		String name = type.toLowerCase(Locale.ROOT);
		for (String prefix : new String[] { "fuse.", "fuseblk." }) {
			if (name.startsWith(prefix)) {
				name = name.substring(prefix.length());
			}
		}
		return TYPES.contains(name);
	}

}
