package io.tidemark.flink.rollup.operator;

import io.tidemark.flink.io.points.BatchDecoder;
import io.tidemark.flink.io.points.Envelope;
import io.tidemark.flink.io.points.PointBatch;
import io.tidemark.flink.io.points.PointsRecord;
import io.tidemark.flink.model.point.MetricPoint;
import io.tidemark.flink.model.point.PointTimeLimits;
import io.tidemark.flink.rollup.RollupMetrics;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.streaming.api.functions.ProcessFunction;
import org.apache.flink.util.Collector;

/** Decodes batches; what cannot be used goes to the dead letters. */
public final class DecodePoints extends ProcessFunction<PointsRecord, MetricPoint> {
  private static final long serialVersionUID = 1L;

  private final PointTimeLimits limits;

  private transient BatchDecoder decoder;
  private transient Counter batches;
  private transient Counter points;
  private transient Counter withoutValue;
  private transient DeadLetterOutput deadLetters;

  public DecodePoints(PointTimeLimits limits) {
    this.limits = limits;
  }

  @Override
  public void open(OpenContext context) {
    MetricGroup metrics = getRuntimeContext().getMetricGroup();
    decoder = new BatchDecoder(limits);
    batches = RollupMetrics.counter(metrics, RollupMetrics.BATCHES_DECODED);
    points = RollupMetrics.counter(metrics, RollupMetrics.POINTS_DECODED);
    withoutValue = RollupMetrics.counter(metrics, RollupMetrics.POINTS_WITHOUT_VALUE);
    deadLetters = new DeadLetterOutput(metrics);
  }

  @Override
  public void processElement(PointsRecord record, Context context, Collector<MetricPoint> out) {
    batches.inc();
    if (decoder.isFull()) {
      decoder.forget();
    }
    PointBatch batch =
        decoder.decode(
            record,
            deadLetter -> context.output(DeadLetterOutput.TAG, deadLetters.counted(deadLetter)));
    long receivedAt = Envelope.of(record).receivedAtUnixMs();
    for (int i = 0; i < batch.size(); i++) {
      out.collect(batch.point(i, record, receivedAt, decoder.slots()));
    }
    points.inc(batch.size());
    withoutValue.inc(batch.withoutValue());
  }
}
