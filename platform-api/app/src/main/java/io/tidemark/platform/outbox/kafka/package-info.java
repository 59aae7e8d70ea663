/** Control records as records of Kafka. */
package io.tidemark.platform.outbox.kafka;
