package io.tidemark.flink.rollup;

import io.tidemark.flink.io.live.LiveRecord;
import io.tidemark.flink.io.usage.EncodedIncrements;
import io.tidemark.flink.model.budget.BudgetExceeded;
import io.tidemark.flink.model.reject.DeadLetter;
import io.tidemark.flink.model.route.RouteInterval;
import io.tidemark.flink.model.usage.TakenPoints;
import org.apache.flink.streaming.api.datastream.DataStream;

/**
 * What leaves the topology. Rows are Kafka record values: newline-delimited JSON.
 *
 * @param rows ordinary rows of all series that are not split
 * @param reduced further ordinary rows, for the same topics: split metrics without the labels that
 *     have many values
 * @param splitMinutes one-minute rows of split metrics at full detail
 * @param routes which minutes of a metric are split
 * @param budgets what tenants exceeded
 * @param deadLetters input that could not be used
 * @param progress values of the watermarks topic: how far rows are complete; of one subtask
 * @param taken points that were taken from batches, by hour of receipt
 * @param increments what is billed of batches and rows; empty when the rules do not meter
 * @param live open minutes; empty when the rules allow no cells
 */
public record RollupStreams(
    Levels rows,
    Levels reduced,
    DataStream<byte[]> splitMinutes,
    DataStream<RouteInterval> routes,
    DataStream<BudgetExceeded> budgets,
    DataStream<DeadLetter> deadLetters,
    DataStream<byte[]> progress,
    DataStream<TakenPoints> taken,
    DataStream<EncodedIncrements> increments,
    DataStream<LiveRecord> live) {

  /**
   * Rows of the three levels.
   *
   * @param minutes for the one-minute topic
   * @param hours for the one-hour topic
   * @param days for the one-day topic
   */
  public record Levels(
      DataStream<byte[]> minutes, DataStream<byte[]> hours, DataStream<byte[]> days) {}

  /** Ordinary rows of series that are not split. */
  public DataStream<byte[]> minutes() {
    return rows.minutes();
  }

  /** The same of hours. */
  public DataStream<byte[]> hours() {
    return rows.hours();
  }

  /** The same of days. */
  public DataStream<byte[]> days() {
    return rows.days();
  }
}
