/**
 * What became of batches that were sent.
 *
 * <p>Words: a <em>copy</em> is one record of the points topic; copies of the same bytes are copies
 * of one batch. Of copies received within an hour one <em>counts</em> and the others are
 * <em>duplicates</em>; {@link io.tidemark.platform.receipts.DeduplicationOutcome} says which, by
 * the rule of the jobs. What the jobs <em>set aside</em> are dead letters. A <em>receipt</em> tells
 * all of it. It is read from the topics behind the gateway, so that it costs nothing before a
 * sender's answer, and says what is in Kafka and nothing else. It decides nothing. Flat. Guarded by
 * {@code DeduplicationOutcomeTest}, {@code ReceiptsIT} and {@code ReceiptConsumerTest}.
 */
@ApplicationModule(allowedDependencies = {"kafka", "shared", "audit", "tenancy"})
@NullMarked
package io.tidemark.platform.receipts;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
