package io.tidemark.flink.io.points;

import io.tidemark.flink.model.batch.FirstReceipt;
import io.tidemark.flink.model.batch.ResendRule;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.metrics.Counter;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.util.Collector;

/**
 * Lets the first of byte-identical batches through and counts the others. Every job that reads the
 * points topic decides by this function, so all of them take the same batches.
 */
public final class CountBatchesOnce
    extends KeyedProcessFunction<String, PointsRecord, PointsRecord> {
  private static final long serialVersionUID = 1L;

  /** Group of the metrics of every job. */
  public static final String METRICS = "tidemark";

  /** Batches not counted again because their bytes were received within the hour before. */
  public static final String BATCHES_RESENT = "batchesResent";

  private final ResendRule rule;

  // Cleared by a processing-time timer once no resend can follow.
  private transient ValueState<FirstReceipt> firstReceipt;
  private transient Counter resent;

  public CountBatchesOnce(ResendRule rule) {
    this.rule = rule;
  }

  /** The organisation is part of the key, whatever wrote the batch id. */
  public static String batchKey(PointsRecord record) {
    return record.organizationId() + "/" + record.batchId();
  }

  @Override
  public void open(OpenContext context) {
    firstReceipt =
        getRuntimeContext()
            .getState(
                new ValueStateDescriptor<>(
                    "first-receipt", TypeInformation.of(FirstReceipt.class)));
    resent = getRuntimeContext().getMetricGroup().addGroup(METRICS).counter(BATCHES_RESENT);
  }

  @Override
  public void processElement(PointsRecord record, Context context, Collector<PointsRecord> out)
      throws Exception {
    Envelope envelope = Envelope.of(record);
    if (!envelope.isComplete()) {
      // Without a batch id there is no telling; the decoder writes the dead letter.
      out.collect(record);
      return;
    }
    FirstReceipt first = firstReceipt.value();
    if (first != null && rule.isResend(first, envelope.receivedAtUnixMs())) {
      resent.inc();
      return;
    }
    long now = context.timerService().currentProcessingTime();
    firstReceipt.update(new FirstReceipt(envelope.receivedAtUnixMs(), now));
    if (first == null) {
      context.timerService().registerProcessingTimeTimer(rule.nextLook(now));
    }
    out.collect(record);
  }

  @Override
  public void onTimer(long timestamp, OnTimerContext context, Collector<PointsRecord> out)
      throws Exception {
    FirstReceipt first = firstReceipt.value();
    if (first == null) {
      return;
    }
    if (rule.isForgettable(first, context.timerService().currentWatermark(), timestamp)) {
      firstReceipt.clear();
    } else {
      context.timerService().registerProcessingTimeTimer(rule.nextLook(timestamp));
    }
  }
}
