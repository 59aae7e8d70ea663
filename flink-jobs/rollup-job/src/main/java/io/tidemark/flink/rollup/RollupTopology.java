package io.tidemark.flink.rollup;

import static io.tidemark.flink.io.StreamNames.named;

import io.tidemark.flink.io.points.PointsRecord;
import io.tidemark.flink.io.rows.BundleRows;
import io.tidemark.flink.model.point.MetricPoint;
import io.tidemark.flink.model.reject.DeadLetter;
import io.tidemark.flink.model.rollup.RollupRow;
import io.tidemark.flink.model.series.SeriesKey;
import io.tidemark.flink.rollup.operator.CountBatchesOnce;
import io.tidemark.flink.rollup.operator.DeadLetterOutput;
import io.tidemark.flink.rollup.operator.DecodePoints;
import io.tidemark.flink.rollup.operator.EncodeRows;
import io.tidemark.flink.rollup.operator.RollUpMinutes;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;

/**
 * The job as a paragraph.
 *
 * <pre>
 *  records ──► count once ──► decode ──► roll up ──► encode ──► bundle ──► row bundles
 *             by batch id       │      by series       │
 *                               └──────────┴───────────┴──► dead letters
 * </pre>
 */
public final class RollupTopology {

  private static final TypeInformation<byte[]> BYTES =
      PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO;

  private RollupTopology() {}

  /**
   * @param records records of the points topic, with event time and watermarks
   * @param sourceTopic named in dead letters
   */
  public static RollupStreams define(
      DataStream<PointsRecord> records, String sourceTopic, RollupRules rules) {
    SingleOutputStreamOperator<PointsRecord> batches =
        named(
            records
                .keyBy(CountBatchesOnce::batchKey, TypeInformation.of(String.class))
                .process(
                    new CountBatchesOnce(rules.resends()), TypeInformation.of(PointsRecord.class)),
            "rollup-count-batches-once",
            "Count byte-identical resends once");

    SingleOutputStreamOperator<MetricPoint> points =
        named(
            batches.process(
                new DecodePoints(rules.pointTimes()), TypeInformation.of(MetricPoint.class)),
            "rollup-decode",
            "Decode OTLP batches to points");

    SingleOutputStreamOperator<RollupRow> rows =
        named(
            points
                .keyBy(MetricPoint::key, TypeInformation.of(SeriesKey.class))
                .process(
                    new RollUpMinutes(rules.panes(), sourceTopic),
                    TypeInformation.of(RollupRow.class)),
            "rollup-minutes",
            "Roll up minutes per series, adding late points as deltas");

    SingleOutputStreamOperator<byte[]> lines =
        named(
            rows.process(new EncodeRows(sourceTopic), BYTES),
            "rollup-encode-rows",
            "Write rows as JSON");

    SingleOutputStreamOperator<byte[]> bundles =
        named(
            lines.transform("bundle", BYTES, new BundleRows()),
            "rollup-bundle-rows",
            "Bundle rows for Kafka");

    DataStream<DeadLetter> deadLetters =
        points
            .getSideOutput(DeadLetterOutput.TAG)
            .union(
                rows.getSideOutput(DeadLetterOutput.TAG),
                lines.getSideOutput(DeadLetterOutput.TAG));
    return new RollupStreams(bundles, deadLetters);
  }
}
