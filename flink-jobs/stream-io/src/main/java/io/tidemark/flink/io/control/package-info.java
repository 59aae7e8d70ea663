/**
 * Control topics: what platform-api says of tenants and metrics, read whole from the beginning. The
 * rules of the records stand in the contracts, events/tidemark/control/v1.
 */
@NullMarked
package io.tidemark.flink.io.control;

import org.jspecify.annotations.NullMarked;
