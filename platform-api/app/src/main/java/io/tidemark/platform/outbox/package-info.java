/**
 * Carries changes of the control plane to the compacted control topics, which the pipeline reads.
 *
 * <p>Words: a <em>control record</em> is what a topic says of one key, kept in the database and
 * changed in the same transaction as what it tells of. <em>Publishing</em> writes records to Kafka
 * that it has not confirmed yet, in an order that never lets an older version follow a newer one.
 * It does not own what a record says: modules with records give them through {@code
 * ControlRecords}. Flat. Guarded by {@code OutboxPublisherIT}.
 */
@ApplicationModule(allowedDependencies = {"kafka", "shared", "loops"})
@NullMarked
package io.tidemark.platform.outbox;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
