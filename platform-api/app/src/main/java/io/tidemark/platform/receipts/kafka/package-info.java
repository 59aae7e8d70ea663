/** What the topics behind the gateway say of batches. */
@NullMarked
package io.tidemark.platform.receipts.kafka;

import org.jspecify.annotations.NullMarked;
