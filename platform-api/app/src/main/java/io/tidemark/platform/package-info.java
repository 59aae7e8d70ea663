/**
 * The control plane and the two public edges of Tidemark in one deployable: the ingest gateway and
 * the Metrics API.
 *
 * <p>Each sub-package is a module with a public root package and internals behind it; {@code
 * ModularityTests} guards the boundaries. Nothing but the application class belongs here.
 */
@NullMarked
package io.tidemark.platform;

import org.jspecify.annotations.NullMarked;
