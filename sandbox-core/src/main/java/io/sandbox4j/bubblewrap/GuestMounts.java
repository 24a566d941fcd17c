package io.sandbox4j.bubblewrap;

import java.nio.file.Path;
import java.util.List;

/**
 * What of the host a session's sandboxes see.
 *
 * @param root where programs come from
 * @param etc the guest's {@code /etc}
 * @param gateway the directory of the gateway's socket, which holds nothing else
 * @param workspace the session's workspace
 * @param extra what else is visible
 */
record GuestMounts(Path root, Path etc, Path gateway, Path workspace, List<ReadOnlyMount> extra) {

}
