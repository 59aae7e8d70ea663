package io.tidemark.flink.rollup;

import io.tidemark.flink.model.reject.DeadLetter;
import org.apache.flink.streaming.api.datastream.DataStream;

/**
 * What leaves the topology.
 *
 * @param rowBundles Kafka record values of the rollup topic: newline-delimited JSON rows
 * @param deadLetters input that could not be used
 */
public record RollupStreams(DataStream<byte[]> rowBundles, DataStream<DeadLetter> deadLetters) {}
