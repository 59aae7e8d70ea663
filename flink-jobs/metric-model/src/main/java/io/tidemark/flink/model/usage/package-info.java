/** What is metered and when it is written: rules of usage records, without a stream. */
@NullMarked
package io.tidemark.flink.model.usage;

import org.jspecify.annotations.NullMarked;
