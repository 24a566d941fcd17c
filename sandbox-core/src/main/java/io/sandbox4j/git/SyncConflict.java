package io.sandbox4j.git;

/**
 * A file that host and sandbox changed in different ways. Both keep their version;
 * {@link WorkspaceTransport#content} reads each.
 *
 * @param path the file, relative to the root of the tree
 * @param base the blob of the last sync point, empty if it had none
 * @param host the host's blob, empty if it has none
 * @param sandbox the sandbox's blob, empty if it has none
 * @since 0.1.0
 */
public record SyncConflict(String path, String base, String host, String sandbox) {

}
