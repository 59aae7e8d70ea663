/** What the pipeline says in Kafka about its rows. */
package io.tidemark.platform.query.kafka;
