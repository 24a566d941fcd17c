package io.sandbox4j.checkpoint;

/**
 * What a garbage collection did.
 *
 * @param removedPacks how many packs were removed
 * @param removedBytes how many bytes they had
 * @param rewrittenBytes how many bytes were written anew, because most of their pack was
 * not needed any more
 * @param deferred how many packs wait for captures that go on; the next collection
 * removes them
 * @since 0.1.0
 */
public record CollectionResult(int removedPacks, long removedBytes, long rewrittenBytes, int deferred) {

}
