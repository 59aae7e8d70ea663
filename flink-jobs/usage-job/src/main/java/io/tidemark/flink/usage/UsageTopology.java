package io.tidemark.flink.usage;

import static io.tidemark.flink.io.StreamNames.named;

import io.tidemark.flink.io.admission.AdmitBatches;
import io.tidemark.flink.io.admission.AdmittedBatch;
import io.tidemark.flink.io.control.ControlRecord;
import io.tidemark.flink.io.points.PointsRecord;
import io.tidemark.flink.io.rows.PlacedRows;
import io.tidemark.flink.model.batch.ResendRule;
import io.tidemark.flink.model.point.PointTimeLimits;
import io.tidemark.flink.model.tenant.AdmissionRule;
import io.tidemark.flink.model.usage.RowLevel;
import io.tidemark.flink.model.usage.UsageFlushRule;
import io.tidemark.flink.usage.operator.BatchMeter;
import io.tidemark.flink.usage.operator.MeteredUsage;
import io.tidemark.flink.usage.operator.RowMeter;
import io.tidemark.flink.usage.operator.SeriesHourCounter;
import io.tidemark.flink.usage.operator.SeriesSighting;
import io.tidemark.flink.usage.operator.UsageHourCollector;
import io.tidemark.flink.usage.operator.UsageIncrement;
import java.util.Map;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;

/**
 * The job as a paragraph.
 *
 * <pre>
 *  tenants ─────────┐ to all
 *                   ▼
 *  records ──► count once ──► meter ──────────┐
 *             by batch id                     ▼
 *  committed rows ──► meter rows ──────► collect hours ──► usage records
 *                        │             by subject and hour
 *                        └──► count series ───┘
 *                              by series
 * </pre>
 */
final class UsageTopology {

  /** State is spread over this many key groups; changing it orphans every savepoint. */
  static final int KEY_GROUPS = 128;

  private UsageTopology() {}

  /**
   * @param records records of the points topic, with event time and watermarks
   * @param tenants control records of tenants
   * @param rows committed records of rollup topics
   * @param levels of those topics
   */
  static DataStream<MeteredUsage> define(
      DataStream<PointsRecord> records,
      DataStream<ControlRecord> tenants,
      DataStream<PlacedRows> rows,
      Map<String, RowLevel> levels,
      UsageFlushRule rule) {
    DataStream<AdmittedBatch> batches =
        named(
            records
                .keyBy(AdmitBatches::batchKey, TypeInformation.of(String.class))
                .connect(tenants.broadcast(AdmitBatches.TENANTS))
                .process(
                    new AdmitBatches(ResendRule.DEFAULT, AdmissionRule.DEFAULT),
                    TypeInformation.of(AdmittedBatch.class)),
            "usage-count-batches-once",
            "Count byte-identical resends once, for tenants that exist");
    DataStream<UsageIncrement> increments =
        named(
            batches.transform(
                "meter",
                TypeInformation.of(UsageIncrement.class),
                new BatchMeter(PointTimeLimits.DEFAULT)),
            "usage-meter",
            "Count points and bytes of batches by metric and hour");
    SingleOutputStreamOperator<UsageIncrement> ofRows =
        named(
            rows.transform(
                "meter-rows", TypeInformation.of(UsageIncrement.class), new RowMeter(levels)),
            "usage-row-meter",
            "Count committed rows by metric, level and hour");
    DataStream<UsageIncrement> series =
        named(
            ofRows
                .getSideOutput(RowMeter.SIGHTINGS)
                .keyBy(SeriesSighting::key, Types.STRING)
                .process(new SeriesHourCounter(), TypeInformation.of(UsageIncrement.class)),
            "usage-series",
            "Count each series once in every hour");
    return named(
        increments
            .union(ofRows, series)
            .keyBy(UsageIncrement::key, Types.STRING)
            .process(new UsageHourCollector(rule), TypeInformation.of(MeteredUsage.class)),
        "usage-hours",
        "Collect the hours of every metric into usage records");
  }
}
