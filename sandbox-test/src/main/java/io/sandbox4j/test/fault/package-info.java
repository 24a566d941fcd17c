/**
 * Providers of models that fail, for tests of what an application does about it: a
 * {@link io.sandbox4j.test.fault.FaultProviderServer} speaks the protocol of OpenAI on
 * the loopback and breaks it as a plan says. It needs no Spring and no key.
 */
@NullMarked
package io.sandbox4j.test.fault;

import org.jspecify.annotations.NullMarked;
