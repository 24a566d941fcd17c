package io.sandbox4j.test;

/**
 * What a {@link io.sandbox4j.run.RunStore} must do besides {@link RunStoreContract} if it
 * is there after its process, and if several processes may have it.
 *
 * @since 0.1.0
 */
public abstract class DurableRunStoreContract extends RunStoreContract
		implements RunStoreReopenFacts, RunStoreWriterFacts {

}
