/** Route intervals, in the form of the contract events/tidemark/routes/v1. */
@NullMarked
package io.tidemark.flink.io.routes;

import org.jspecify.annotations.NullMarked;
