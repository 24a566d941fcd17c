package io.sandbox4j.storage;

/**
 * Who owns the files of a workspace, by number: such a user needs no entry in the host's
 * user database.
 *
 * @param uid the user id
 * @param gid the group id
 * @since 0.1.0
 */
public record FileOwner(int uid, int gid) {

}
