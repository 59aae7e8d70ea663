/** Control records as records of Kafka. */
@NullMarked
package io.tidemark.platform.outbox.kafka;

import org.jspecify.annotations.NullMarked;
