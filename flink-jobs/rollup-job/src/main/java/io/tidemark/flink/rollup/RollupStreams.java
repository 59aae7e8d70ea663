package io.tidemark.flink.rollup;

import io.tidemark.flink.io.live.LiveRecord;
import io.tidemark.flink.model.budget.BudgetExceeded;
import io.tidemark.flink.model.reject.DeadLetter;
import org.apache.flink.streaming.api.datastream.DataStream;

/**
 * What leaves the topology.
 *
 * @param minutes Kafka record values of the one-minute topic: newline-delimited JSON rows
 * @param hours the same of the one-hour topic
 * @param days the same of the one-day topic
 * @param budgets what tenants exceeded
 * @param deadLetters input that could not be used
 * @param progress values of the watermarks topic: how far rows are complete; of one subtask
 * @param live open minutes; empty when the rules allow no cells
 */
public record RollupStreams(
    DataStream<byte[]> minutes,
    DataStream<byte[]> hours,
    DataStream<byte[]> days,
    DataStream<BudgetExceeded> budgets,
    DataStream<DeadLetter> deadLetters,
    DataStream<byte[]> progress,
    DataStream<LiveRecord> live) {}
