package io.sandbox4j.git;

import java.util.List;

/**
 * What three trees merge to.
 *
 * @param tree the merged tree, which means nothing if there are conflicts
 * @param conflicts the files of which both sides have their own version
 */
record MergedTree(String tree, List<SyncConflict> conflicts) {

}
