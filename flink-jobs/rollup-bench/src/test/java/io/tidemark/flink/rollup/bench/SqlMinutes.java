package io.tidemark.flink.rollup.bench;

import static io.tidemark.flink.io.StreamNames.named;

import io.tidemark.flink.io.points.PointsRecord;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.table.api.DataTypes;
import org.apache.flink.table.api.Schema;
import org.apache.flink.table.api.Table;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.runtime.typeutils.InternalTypeInfo;
import org.apache.flink.table.types.logical.BigIntType;
import org.apache.flink.table.types.logical.DoubleType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.RowType;

/** What people write first: one SQL statement over decoded points, without labels or hours. */
final class SqlMinutes {

  private static final String STATEMENT =
      """
      SELECT UNIX_TIMESTAMP(CAST(window_start AS STRING)) * 1000, high, low,
             SUM(v), COUNT(*), MIN(v), MAX(v)
      FROM TABLE(TUMBLE(TABLE points, DESCRIPTOR(ts), INTERVAL '1' MINUTE))
      GROUP BY window_start, window_end, high, low
      """;

  private SqlMinutes() {}

  static DataStream<byte[]> define(
      StreamExecutionEnvironment environment, Source<PointsRecord, ?, ?> source) {
    StreamTableEnvironment tables = StreamTableEnvironment.create(environment);
    tables.getConfig().setLocalTimeZone(java.time.ZoneOffset.UTC);
    RowType type =
        RowType.of(
            new LogicalType[] {new BigIntType(false), new BigIntType(false), new DoubleType(false)},
            new String[] {"high", "low", "v"});
    DataStream<RowData> points =
        named(
            named(
                    environment.fromSource(source, Contestant.watermarks(), "points"),
                    "bench-source",
                    "Read accepted batches")
                .flatMap(
                    new DecodePoints<RowData>(
                        (series, time, value) ->
                            GenericRowData.of(series.high(), series.low(), value)),
                    InternalTypeInfo.of(type)),
            "bench-decode",
            "Decode points");
    Schema schema =
        Schema.newBuilder()
            .column("high", DataTypes.BIGINT().notNull())
            .column("low", DataTypes.BIGINT().notNull())
            .column("v", DataTypes.DOUBLE().notNull())
            // A point has its batch's time, and partitions keep their own watermarks.
            .columnByMetadata("ts", DataTypes.TIMESTAMP_LTZ(3), "rowtime")
            .watermark("ts", "SOURCE_WATERMARK()")
            .build();
    tables.createTemporaryView("points", tables.fromDataStream(points, schema));
    Table minutes = tables.sqlQuery(STATEMENT);
    DataStream<RowData> rows =
        tables.toDataStream(
            minutes, minutes.getResolvedSchema().toPhysicalRowDataType().bridgedTo(RowData.class));
    return named(
        rows.map(
            row ->
                PeerRow.of(
                    row.getLong(0),
                    row.getLong(1),
                    row.getLong(2),
                    row.getDouble(3),
                    row.getLong(4),
                    row.getDouble(5),
                    row.getDouble(6)),
            PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO),
        "bench-rows",
        "Rows as text");
  }
}
