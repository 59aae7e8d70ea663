/** What the topics behind the gateway say of batches. */
package io.tidemark.platform.receipts.kafka;
