package io.tidemark.flink.model.batch;

/**
 * When a batch was seen first. State of the rollup job.
 *
 * @param receivedAtUnixMs the gateway's receive time
 * @param processedAtUnixMs processing time at which the job met it
 */
public record FirstReceipt(long receivedAtUnixMs, long processedAtUnixMs) {}
