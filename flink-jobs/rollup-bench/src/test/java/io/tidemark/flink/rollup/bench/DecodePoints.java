package io.tidemark.flink.rollup.bench;

import io.tidemark.flink.io.points.PointsRecord;
import io.tidemark.flink.io.points.fastdecode.BatchDecoder;
import io.tidemark.flink.io.points.fastdecode.PointBatch;
import io.tidemark.flink.model.point.PointTimeLimits;
import io.tidemark.flink.model.series.SeriesKey;
import java.io.Serializable;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.functions.RichFlatMapFunction;
import org.apache.flink.util.Collector;

/** The rollup job's own decoder in front of a peer: one record a point. */
final class DecodePoints<T> extends RichFlatMapFunction<PointsRecord, T> {
  private static final long serialVersionUID = 1L;

  /** Makes the record of a point. */
  @FunctionalInterface
  interface Form<T> extends Serializable {
    T of(SeriesKey series, long timeUnixNano, double value);
  }

  private final Form<T> form;
  private transient BatchDecoder decoder;

  DecodePoints(Form<T> form) {
    this.form = form;
  }

  @Override
  public void open(OpenContext context) {
    decoder = new BatchDecoder(PointTimeLimits.DEFAULT);
  }

  @Override
  public void flatMap(PointsRecord record, Collector<T> out) {
    PointBatch batch =
        decoder.decode(
            record,
            letter -> {
              throw new IllegalStateException(letter.detail());
            });
    for (int i = 0; i < batch.size(); i++) {
      out.collect(form.of(decoder.slots().key(batch.slot(i)), batch.timeUnixNano(i), batch.sum(i)));
    }
  }
}
