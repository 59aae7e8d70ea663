/**
 * The door of Kafka producers: the producers' part of Kafka's protocol, spoken by the gateway
 * itself, so that a record takes the same way as a request of any other protocol, and senders never
 * reach the broker.
 */
@NullMarked
package io.tidemark.platform.ingest.kafka.listener;

import org.jspecify.annotations.NullMarked;
