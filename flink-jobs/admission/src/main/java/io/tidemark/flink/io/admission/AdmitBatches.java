package io.tidemark.flink.io.admission;

import io.tidemark.flink.io.JobMetrics;
import io.tidemark.flink.io.control.ControlRecord;
import io.tidemark.flink.io.deadletters.DeadLetterOutput;
import io.tidemark.flink.io.points.BatchHeaders;
import io.tidemark.flink.io.points.PointsRecord;
import io.tidemark.flink.io.points.decode.PointCount;
import io.tidemark.flink.model.batch.FirstReceipt;
import io.tidemark.flink.model.batch.ResendRule;
import io.tidemark.flink.model.reject.DeadLetter;
import io.tidemark.flink.model.reject.RejectionReason;
import io.tidemark.flink.model.tenant.AdmissionRule;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.ReadOnlyBroadcastState;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.metrics.Counter;
import org.apache.flink.streaming.api.TimerService;
import org.apache.flink.streaming.api.functions.co.KeyedBroadcastProcessFunction;
import org.apache.flink.util.Collector;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets the first of byte-identical batches of tenants that exist through, by the rules of {@link
 * ResendRule} and {@link AdmissionRule}. Every job that reads the points topic decides by this
 * function, so all of them take the same batches. A refused batch is not remembered: sent again
 * after a repair, it counts.
 */
public final class AdmitBatches
    extends KeyedBroadcastProcessFunction<String, PointsRecord, ControlRecord, AdmittedBatch> {
  private static final long serialVersionUID = 1L;
  private static final Logger LOG = LoggerFactory.getLogger(AdmitBatches.class);

  /** Batches not counted again because their bytes were received within the hour before. */
  public static final String BATCHES_RESENT = "batchesResent";

  /** Batches that waited for the control record of their environment. */
  public static final String BATCHES_HELD = "batchesHeld";

  /** Control records that could not be read; the previous value of their key stays in force. */
  public static final String CONTROL_RECORDS_UNREADABLE = "controlRecordsUnreadable";

  /** State of the broadcast control records. */
  public static final MapStateDescriptor<String, byte[]> TENANTS = Tenants.STATE;

  private static final long LOOK_AGAIN_MS = 1_000L;

  /** Stands for the time at which a batch was met that has not been let in yet. */
  private static final long HELD = Long.MIN_VALUE;

  /** A batch whose environment is not known yet, and since when. State of jobs. */
  public record HeldBatch(PointsRecord record, long metAtUnixMs) {}

  private final ResendRule resends;
  private final AdmissionRule admission;

  // Cleared by a processing-time timer once no resend can follow. Never empty for a batch that is
  // held, so that a new batch costs one look into state and not two.
  private transient ValueState<FirstReceipt> firstReceipt;
  // Cleared by a processing-time timer when the environment is known, or patience ends.
  private transient ValueState<HeldBatch> held;
  private transient Tenants tenants;
  private transient Counter resent;
  private transient Counter batchesHeld;
  private transient Counter unreadable;
  private transient DeadLetterOutput deadLetters;

  public AdmitBatches(ResendRule resends, AdmissionRule admission) {
    this.resends = resends;
    this.admission = admission;
  }

  /**
   * The organisation is part of the key, whatever wrote the batch id; the id that the gateway
   * writes is also of one environment. A key of another form would make resends of batches that a
   * savepoint remembers count again.
   */
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
    held =
        getRuntimeContext()
            .getState(
                new ValueStateDescriptor<>("held-batch", TypeInformation.of(HeldBatch.class)));
    tenants = new Tenants();
    var metrics = getRuntimeContext().getMetricGroup();
    resent = JobMetrics.counter(metrics, BATCHES_RESENT);
    batchesHeld = JobMetrics.counter(metrics, BATCHES_HELD);
    unreadable = JobMetrics.counter(metrics, CONTROL_RECORDS_UNREADABLE);
    deadLetters = new DeadLetterOutput(metrics);
  }

  @Override
  public void processBroadcastElement(
      ControlRecord record, Context context, Collector<AdmittedBatch> out) throws Exception {
    String fault = tenants.accept(record, context.getBroadcastState(Tenants.STATE));
    if (fault != null) {
      unreadable.inc();
      LOG.warn("Control record '{}' is not in force. {}", record.key(), fault);
    }
  }

  @Override
  public void processElement(
      PointsRecord record, ReadOnlyContext context, Collector<AdmittedBatch> out) throws Exception {
    BatchHeaders envelope = BatchHeaders.of(record);
    if (!envelope.isComplete()) {
      // Without a batch id there is no telling; the decoder writes the dead letter.
      out.collect(admitted(record, admission.byDefault()));
      return;
    }
    FirstReceipt first = firstReceipt.value();
    if (first != null && isResend(first, envelope.receivedAtUnixMs())) {
      resent.inc();
      return;
    }
    HeldBatch batch = new HeldBatch(record, context.timerService().currentProcessingTime());
    if (!isSettled(batch, envelope.receivedAtUnixMs(), context, out)) {
      batchesHeld.inc();
      held.update(batch);
      if (first == null) {
        firstReceipt.update(new FirstReceipt(envelope.receivedAtUnixMs(), HELD));
      }
      context.timerService().registerProcessingTimeTimer(batch.metAtUnixMs() + LOOK_AGAIN_MS);
    }
  }

  private boolean isResend(FirstReceipt first, long receivedAt) throws Exception {
    return resends.isResend(first, receivedAt) || held.value() != null;
  }

  @Override
  public void onTimer(long timestamp, OnTimerContext context, Collector<AdmittedBatch> out)
      throws Exception {
    TimerService timers = context.timerService();
    HeldBatch waiting = held.value();
    if (waiting != null) {
      long receivedAt = BatchHeaders.of(waiting.record()).receivedAtUnixMs();
      if (isSettled(waiting, receivedAt, context, out)) {
        held.clear();
        FirstReceipt first = firstReceipt.value();
        if (first != null && first.processedAtUnixMs() == HELD) {
          // Refused: it is as if it had never come.
          firstReceipt.clear();
        } else if (first != null) {
          timers.registerProcessingTimeTimer(resends.nextLook(timers.currentProcessingTime()));
        }
      } else {
        timers.registerProcessingTimeTimer(timestamp + LOOK_AGAIN_MS);
      }
      return;
    }
    FirstReceipt first = firstReceipt.value();
    if (first == null) {
      return;
    }
    if (resends.isForgettable(first, timers.currentWatermark(), timestamp)) {
      firstReceipt.clear();
    } else if (timestamp >= resends.nextLook(first.processedAtUnixMs())) {
      timers.registerProcessingTimeTimer(resends.nextLook(timestamp));
    }
  }

  /** Counts or refuses a batch; false when that cannot be decided yet. */
  private boolean isSettled(
      HeldBatch batch, long receivedAt, ReadOnlyContext context, Collector<AdmittedBatch> out)
      throws Exception {
    PointsRecord record = batch.record();
    ReadOnlyBroadcastState<String, byte[]> state = context.getBroadcastState(Tenants.STATE);
    long now = context.timerService().currentProcessingTime();
    AdmissionRule.Verdict verdict =
        admission.verdict(
            tenants.standing(record.organizationId(), record.environmentId(), state),
            tenants.publishedThrough(state),
            receivedAt,
            batch.metAtUnixMs(),
            now);
    if (verdict instanceof AdmissionRule.Waits) {
      return false;
    }
    if (verdict instanceof AdmissionRule.Refused refused) {
      context.output(
          DeadLetterOutput.TAG, deadLetters.counted(refusal(record, receivedAt, refused)));
    } else if (verdict instanceof AdmissionRule.Counted counted) {
      firstReceipt.update(new FirstReceipt(receivedAt, now));
      context.timerService().registerProcessingTimeTimer(resends.nextLook(now));
      out.collect(admitted(record, counted));
    }
    return true;
  }

  private static AdmittedBatch admitted(PointsRecord record, AdmissionRule.Counted counted) {
    return new AdmittedBatch(record, counted.limits(), counted.longestAgeMs());
  }

  private static DeadLetter refusal(
      PointsRecord record, long receivedAt, AdmissionRule.Refused refused) {
    return DeadLetterOutput.whole(
        record,
        receivedAt,
        RejectionReason.UNKNOWN_TENANT,
        refused.why() + " Create it and replay the record, or discard it.",
        PointCount.of(record.value()),
        "admit");
  }
}
