/**
 * The one lifecycle of the Tidemark stack: real engines as local processes, started, watched,
 * stopped and killed in one place.
 *
 * <p>{@code make up}, the integration tests and the fault tests all come through {@link
 * io.tidemark.stack.TidemarkStack}. What belongs here: processes, readiness, coordinates. What does
 * not: settings of an engine's behaviour (they stand in {@code infra/}, shared with
 * docker-compose.yml), provisioning ({@code infra/provision}, the one product code that is used
 * here) and other classes of the product.
 */
@NullMarked
package io.tidemark.stack;

import org.jspecify.annotations.NullMarked;
