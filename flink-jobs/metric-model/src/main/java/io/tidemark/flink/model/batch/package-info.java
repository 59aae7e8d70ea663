/** Byte-identical resends of a batch count once. Guarded by ResendRuleTest. */
@NullMarked
package io.tidemark.flink.model.batch;

import org.jspecify.annotations.NullMarked;
