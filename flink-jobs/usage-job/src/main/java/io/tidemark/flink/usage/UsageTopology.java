package io.tidemark.flink.usage;

import static io.tidemark.flink.io.StreamNames.named;

import io.tidemark.flink.io.usage.PlacedIncrements;
import io.tidemark.flink.model.usage.UsageFlushRule;
import io.tidemark.flink.usage.operator.IncrementReader;
import io.tidemark.flink.usage.operator.MeteredUsage;
import io.tidemark.flink.usage.operator.SeriesHourCounter;
import io.tidemark.flink.usage.operator.SeriesSighting;
import io.tidemark.flink.usage.operator.UsageHourCollector;
import io.tidemark.flink.usage.operator.UsageIncrement;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;

/**
 * The job as a paragraph.
 *
 * <pre>
 *  committed increments ──► read and add up ─────────────► collect hours ──► usage records
 *                                 │                     by subject and hour
 *                                 └──► count series ─────────────┘
 *                                        by series
 * </pre>
 */
final class UsageTopology {

  /** State is spread over this many key groups; changing it orphans every savepoint. */
  static final int KEY_GROUPS = 128;

  private UsageTopology() {}

  /**
   * @param increments committed records of the topic of increments
   */
  static DataStream<MeteredUsage> define(
      DataStream<PlacedIncrements> increments, UsageFlushRule rule) {
    SingleOutputStreamOperator<UsageIncrement> sums =
        named(
            increments.transform(
                "read-increments", TypeInformation.of(UsageIncrement.class), new IncrementReader()),
            "usage-increments",
            "Read increments and add them up by subject and hour");
    DataStream<UsageIncrement> series =
        named(
            sums.getSideOutput(IncrementReader.SIGHTINGS)
                .keyBy(SeriesSighting::key, Types.STRING)
                .process(new SeriesHourCounter(), TypeInformation.of(UsageIncrement.class)),
            "usage-series",
            "Count each series once in every hour");
    return named(
        sums.union(series)
            .keyBy(UsageIncrement::key, Types.STRING)
            .process(new UsageHourCollector(rule), TypeInformation.of(MeteredUsage.class)),
        "usage-hours",
        "Collect the hours of every metric into usage records");
  }
}
