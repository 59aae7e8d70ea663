package io.tidemark.flink.rollup.bench;

import static io.tidemark.flink.io.StreamNames.named;

import io.tidemark.flink.io.points.PointsRecord;
import java.time.Duration;
import org.apache.flink.api.common.functions.AggregateFunction;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.api.java.functions.KeySelector;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.api.java.tuple.Tuple3;
import org.apache.flink.api.java.tuple.Tuple4;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.windowing.ProcessWindowFunction;
import org.apache.flink.streaming.api.windowing.assigners.TumblingEventTimeWindows;
import org.apache.flink.streaming.api.windowing.windows.TimeWindow;
import org.apache.flink.util.Collector;

/** The plain DataStream way: every point is a record, every series and minute an entry. */
final class PerPointMinutes {

  private static final TypeInformation<Tuple4<Double, Long, Double, Double>> FIGURES =
      Types.TUPLE(Types.DOUBLE, Types.LONG, Types.DOUBLE, Types.DOUBLE);

  private PerPointMinutes() {}

  /** Sum, count, min, max. */
  private static final class Fold
      implements AggregateFunction<
          Tuple3<Long, Long, Double>,
          Tuple4<Double, Long, Double, Double>,
          Tuple4<Double, Long, Double, Double>> {
    private static final long serialVersionUID = 1L;

    @Override
    public Tuple4<Double, Long, Double, Double> createAccumulator() {
      return Tuple4.of(0.0, 0L, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY);
    }

    @Override
    public Tuple4<Double, Long, Double, Double> add(
        Tuple3<Long, Long, Double> point, Tuple4<Double, Long, Double, Double> so) {
      return Tuple4.of(
          so.f0 + point.f2, so.f1 + 1, Math.min(so.f2, point.f2), Math.max(so.f3, point.f2));
    }

    @Override
    public Tuple4<Double, Long, Double, Double> getResult(Tuple4<Double, Long, Double, Double> so) {
      return so;
    }

    @Override
    public Tuple4<Double, Long, Double, Double> merge(
        Tuple4<Double, Long, Double, Double> one, Tuple4<Double, Long, Double, Double> other) {
      return Tuple4.of(
          one.f0 + other.f0,
          one.f1 + other.f1,
          Math.min(one.f2, other.f2),
          Math.max(one.f3, other.f3));
    }
  }

  private static final class Rows
      extends ProcessWindowFunction<
          Tuple4<Double, Long, Double, Double>, byte[], Tuple2<Long, Long>, TimeWindow> {
    private static final long serialVersionUID = 1L;

    @Override
    public void process(
        Tuple2<Long, Long> key,
        Context context,
        Iterable<Tuple4<Double, Long, Double, Double>> folded,
        Collector<byte[]> out) {
      for (Tuple4<Double, Long, Double, Double> row : folded) {
        out.collect(
            PeerRow.of(
                context.window().getStart(), key.f0, key.f1, row.f0, row.f1, row.f2, row.f3));
      }
    }
  }

  static DataStream<byte[]> define(
      StreamExecutionEnvironment environment, Source<PointsRecord, ?, ?> source) {
    DataStream<Tuple3<Long, Long, Double>> points =
        environment
            // A point has its batch's time, and partitions keep their own watermarks.
            .fromSource(source, Contestant.watermarks(), "points")
            .flatMap(
                new DecodePoints<Tuple3<Long, Long, Double>>(
                    (series, time, value) -> Tuple3.of(series.high(), series.low(), value)),
                Types.TUPLE(Types.LONG, Types.LONG, Types.DOUBLE));
    KeySelector<Tuple3<Long, Long, Double>, Tuple2<Long, Long>> series =
        point -> Tuple2.of(point.f0, point.f1);
    return named(
        points
            .keyBy(series, Types.TUPLE(Types.LONG, Types.LONG))
            .window(TumblingEventTimeWindows.of(Duration.ofMinutes(1)))
            .aggregate(
                new Fold(),
                new Rows(),
                FIGURES,
                FIGURES,
                PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO),
        "bench-windows",
        "Minutes per point");
  }
}
