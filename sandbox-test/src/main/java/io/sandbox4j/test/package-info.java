/**
 * Test support for those who use sandboxes and for those who make them.
 * <p>
 * <b>An application's tests</b> take a {@link io.sandbox4j.test.FakeSandboxBackend} in
 * place of the real backend. They register what each program does and look at the files
 * of the session afterwards:
 *
 * <pre class="code">
 * FakeSandboxBackend backend = new FakeSandboxBackend().on("python3", (python) -&gt; {
 *     python.writeText("out.txt", "fixed");
 *     return 0;
 * });
 * try (SandboxHandle sandbox = backend.create(request)) {
 *     agent.repair(sandbox);
 *     assertThat(sandbox.session().files().readText("out.txt")).isEqualTo("fixed");
 * }
 * </pre>
 *
 * A second fake backend over the same {@link io.sandbox4j.test.FakeStorage} plays the
 * application after a restart.
 * <p>
 * <b>A backend's author</b> extends {@link io.sandbox4j.test.SandboxBackendContract} and
 * runs it: it asks for what every backend must do, whatever it isolates with.
 */
@NullMarked
package io.sandbox4j.test;

import org.jspecify.annotations.NullMarked;
