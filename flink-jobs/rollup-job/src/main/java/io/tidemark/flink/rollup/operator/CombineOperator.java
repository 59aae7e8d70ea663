package io.tidemark.flink.rollup.operator;

import io.tidemark.flink.io.admission.AdmittedBatch;
import io.tidemark.flink.io.deadletters.DeadLetterOutput;
import io.tidemark.flink.io.points.BatchHeaders;
import io.tidemark.flink.io.points.PointsRecord;
import io.tidemark.flink.io.points.fastdecode.BatchDecoder;
import io.tidemark.flink.io.points.fastdecode.PointBatch;
import io.tidemark.flink.io.points.fastdecode.SeriesIndex;
import io.tidemark.flink.model.budget.OrganizationLimits;
import io.tidemark.flink.model.budget.PlanDefaults;
import io.tidemark.flink.model.completeness.LaggingTenants;
import io.tidemark.flink.model.completeness.TenantLag;
import io.tidemark.flink.model.panes.combine.Combiner;
import io.tidemark.flink.model.point.PointTimeLimits;
import io.tidemark.flink.model.reject.DeadLetter;
import io.tidemark.flink.model.reject.RejectionReason;
import io.tidemark.flink.model.rollup.RollupLevel;
import io.tidemark.flink.model.usage.TakenPoints;
import io.tidemark.flink.model.usage.UsageHour;
import io.tidemark.flink.rollup.RollupMetrics;
import io.tidemark.flink.rollup.cardinality.MetricActivity;
import io.tidemark.flink.rollup.cardinality.MetricSketch;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.BoundedOneInput;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.util.OutputTag;
import org.jspecify.annotations.Nullable;

/**
 * Decodes batches and combines their points before they cross the network. Holds nothing over a
 * checkpoint barrier, nor a minute over the watermark that completes it; what it knows of series is
 * a memory that a restart rebuilds.
 */
public final class CombineOperator extends AbstractStreamOperator<byte[]>
    implements OneInputStreamOperator<AdmittedBatch, byte[]>, BoundedOneInput {
  private static final long serialVersionUID = 1L;

  public static final OutputTag<TenantLag> LAGS =
      new OutputTag<>("tenant-lags", TypeInformation.of(TenantLag.class));

  /** How many series and label values the larger metrics have. */
  public static final OutputTag<MetricSketch> SKETCHES =
      new OutputTag<>("metric-sketches", TypeInformation.of(MetricSketch.class));

  /** Points that were taken from batches, by environment and hour of receipt. */
  public static final OutputTag<TakenPoints> TAKEN =
      new OutputTag<>("taken-points", TypeInformation.of(TakenPoints.class));

  /** Hours of environments between two barriers; a clock that jumps makes no more. */
  private static final int MAX_TAKEN = 10_000;

  private final PointTimeLimits limits;
  private final Duration outOfOrderness;
  private final int keyGroups;
  private final Duration longestWait;
  private long measuredFrom = Long.MAX_VALUE;
  private OrganizationLimits organizations = PlanDefaults.ORGANIZATION;
  private boolean isMetered;
  private boolean isPrompt;

  private transient LaggingTenants tenants;
  private transient long watermark;
  private transient BatchDecoder decoder;
  private transient Combiner combiner;
  private transient SlotBudgets budgets;
  private transient MetricActivity activity;
  private transient BudgetOutput reports;
  private transient Map<String, TakenPoints> taken;
  private transient @Nullable PointMeter meter;
  // Points of the batch at hand that the decoder set aside.
  private transient long undecoded;
  private transient long completeMinutes;
  private transient boolean isFlushScheduled;
  private transient AdaptiveLinger linger;
  private transient int waiting;

  private transient Counter batches;
  private transient Counter plain;
  private transient Counter points;
  private transient Counter withoutValue;
  private transient Counter bundles;
  private transient DeadLetterOutput deadLetters;

  /**
   * @param outOfOrderness how far a point may lag behind the tenant's latest one
   * @param longestWait of a point, on the wall clock
   */
  public CombineOperator(
      PointTimeLimits limits, Duration outOfOrderness, Duration longestWait, int keyGroups) {
    this.limits = limits;
    this.outOfOrderness = outOfOrderness;
    this.longestWait = longestWait;
    this.keyGroups = keyGroups;
  }

  /** Series of a metric from which on its cardinality is measured; never without this. */
  public CombineOperator measuredFrom(long series) {
    measuredFrom = series;
    return this;
  }

  /** Folds series that are more than all environments of an organisation may have. */
  public CombineOperator withOrganizationLimits(OrganizationLimits limits) {
    organizations = limits;
    return this;
  }

  /** Few points go on before the longest wait is over; for who looks at open minutes. */
  public CombineOperator withPromptness(boolean promptness) {
    isPrompt = promptness;
    return this;
  }

  /** Tells what is billed of batches before every barrier; see {@link IncrementOutput}. */
  public CombineOperator withMetering(boolean metering) {
    isMetered = metering;
    return this;
  }

  @Override
  public void open() throws Exception {
    super.open();
    decoder = new BatchDecoder(limits);
    combiner = new Combiner(keyGroups, this::send);
    tenants = new LaggingTenants(outOfOrderness.toMillis());
    watermark = Long.MIN_VALUE;
    reports = new BudgetOutput(getMetricGroup(), output);
    activity = new MetricActivity(measuredFrom);
    combiner.onAnnounced(
        slot -> {
          SeriesIndex slots = decoder.slots();
          activity.announced(slots.key(slot), slots.descriptor(slot), now());
        });
    budgets = new SlotBudgets(decoder.slots(), combiner, reports.seen(), activity, organizations);
    taken = new LinkedHashMap<>();
    meter = isMetered ? new PointMeter(decoder.slots(), new IncrementOutput(output)) : null;
    completeMinutes = Long.MIN_VALUE;
    isFlushScheduled = false;
    linger = new AdaptiveLinger(longestWait);
    waiting = 0;
    MetricGroup metrics = getMetricGroup();
    batches = RollupMetrics.counter(metrics, RollupMetrics.BATCHES_DECODED);
    plain = RollupMetrics.counter(metrics, RollupMetrics.BATCHES_PLAIN);
    points = RollupMetrics.counter(metrics, RollupMetrics.POINTS_DECODED);
    withoutValue = RollupMetrics.counter(metrics, RollupMetrics.POINTS_WITHOUT_VALUE);
    bundles = RollupMetrics.counter(metrics, RollupMetrics.BUNDLES_SENT);
    deadLetters = new DeadLetterOutput(metrics);
  }

  @Override
  public void processElement(StreamRecord<AdmittedBatch> element) {
    PointsRecord record = element.getValue().record();
    long plainBefore = decoder.plainBatches();
    undecoded = 0;
    PointBatch batch =
        decoder.decode(
            record,
            element.getValue().longestAgeMs(),
            letter -> {
              undecoded += letter.pointCount();
              setAside(letter);
            });
    batches.inc();
    plain.inc(decoder.plainBatches() - plainBefore);
    points.inc(batch.size());
    waiting += batch.size();
    withoutValue.inc(batch.withoutValue());
    budgets.limits(
        record.organizationId(), record.environmentId(), element.getValue().limits(), now());
    budgets.learn(record.organizationId(), record.environmentId());
    combine(record, batch);
    count(record, batch);
    tellLag(record);
    if (combiner.isFull()) {
      combiner.makeRoom(now());
      tellWhatIsSeen();
    }
    if (decoder.isFull()) {
      flush();
      if (meter != null) {
        meter.forgetSlots();
      }
      decoder.forget();
      combiner.forget();
      budgets.forgetSlots();
    }
    scheduleFlush();
  }

  @Override
  public void processWatermark(Watermark mark) throws Exception {
    watermark = mark.getTimestamp();
    long complete =
        mark.getTimestamp() == Long.MAX_VALUE
            ? Long.MAX_VALUE
            : Math.floorDiv(mark.getTimestamp() + 1, RollupLevel.MINUTE.lengthMs());
    if (complete != completeMinutes) {
      completeMinutes = complete;
      boolean isEnd = complete == Long.MAX_VALUE;
      combiner.flushBefore(isEnd ? complete : complete * RollupLevel.MINUTE.lengthMs(), now());
      tellWhatIsSeen();
    }
    super.processWatermark(mark);
  }

  @Override
  public void prepareSnapshotPreBarrier(long checkpointId) {
    flush();
    tellTaken();
    tellMetered();
  }

  @Override
  public void endInput() {
    flush();
    tellTaken();
    tellMetered();
    reports.tellAll(now());
  }

  private void combine(PointsRecord record, PointBatch batch) {
    Combiner.Batch origin = null;
    IntStream.Builder oversized = null;
    IntStream.Builder withoutRoom = null;
    for (int i = 0; i < batch.size(); i++) {
      int own = batch.slot(i);
      boolean isSpecial = budgets.isSpecial(own);
      int slot = isSpecial ? budgets.counted(own, now()) : own;
      if (isSpecial && budgets.isTooLarge(slot)) {
        oversized = oversized == null ? IntStream.builder() : oversized;
        oversized.add(batch.index(i));
      } else if (batch.isValue(i)) {
        combiner.addValue(slot, batch.timeUnixNano(i), batch.sum(i));
      } else if (batch.form(i) == PointBatch.Form.OBSERVATIONS) {
        combiner.addObservations(
            slot,
            batch.timeUnixNano(i),
            batch.sum(i),
            batch.count(i),
            batch.min(i),
            batch.max(i),
            batch.distribution(i));
      } else {
        if (origin == null) {
          origin = origin(record);
        }
        if (slot == own) {
          combiner.addReading(
              slot,
              origin,
              batch.index(i),
              batch.timeUnixNano(i),
              batch.startUnixNano(i),
              batch.sum(i),
              batch.count(i),
              batch.distribution(i),
              batch.layout(i),
              now());
        } else if (budgets.keepsReference(own, now())) {
          combiner.addFoldedReading(
              own,
              slot,
              origin,
              batch.index(i),
              batch.timeUnixNano(i),
              batch.startUnixNano(i),
              batch.sum(i),
              batch.count(i),
              batch.distribution(i),
              batch.layout(i),
              now());
        } else {
          withoutRoom = withoutRoom == null ? IntStream.builder() : withoutRoom;
          withoutRoom.add(batch.index(i));
        }
      }
    }
    if (oversized != null) {
      setAside(
          part(
              record,
              RejectionReason.RECORD_TOO_LARGE,
              "Names and labels of a series are too long for a row. Shorten or drop labels.",
              oversized));
    }
    if (withoutRoom != null) {
      setAside(
          part(
              record,
              RejectionReason.BUDGET_EXCEEDED,
              "The environment has too many cumulative series over its budget. Drop labels that"
                  + " change all the time, or send delta temporality.",
              withoutRoom));
    }
  }

  /** Once a batch, never once a point. */
  private void count(PointsRecord record, PointBatch batch) {
    BatchHeaders headers = BatchHeaders.of(record);
    if (!headers.isComplete()) {
      // Of nobody; the decoder wrote the dead letter.
      return;
    }
    if (meter != null) {
      meter.count(record, headers.receivedAtUnixMs(), batch, undecoded);
    }
    if (batch.size() == 0) {
      return;
    }
    TakenPoints points =
        new TakenPoints(
            record.organizationId(),
            record.environmentId(),
            UsageHour.startOf(headers.receivedAtUnixMs()),
            record.partition(),
            record.offset(),
            batch.size());
    taken.merge(points.key(), points, TakenPoints::plus);
    if (taken.size() > MAX_TAKEN) {
      tellTaken();
    }
  }

  private void tellTaken() {
    taken.values().forEach(points -> output.collect(TAKEN, new StreamRecord<>(points)));
    taken.clear();
  }

  private void tellMetered() {
    if (meter != null) {
      meter.tell();
    }
  }

  private void tellLag(PointsRecord record) {
    TenantLag lag = tenants.read(record.organizationId(), record.eventTimeMs(), watermark, now());
    if (lag != null) {
      output.collect(LAGS, new StreamRecord<>(lag));
    }
  }

  private static Combiner.Batch origin(PointsRecord record) {
    return new Combiner.Batch(
        record.partition(),
        record.offset(),
        record.batchId(),
        BatchHeaders.of(record).receivedAtUnixMs());
  }

  private static DeadLetter part(
      PointsRecord record, RejectionReason reason, String detail, IntStream.Builder places) {
    int[] indexes = places.build().toArray();
    return DeadLetterOutput.whole(
            record,
            BatchHeaders.of(record).receivedAtUnixMs(),
            reason,
            detail,
            indexes.length,
            "decode")
        .ofPoints(indexes);
  }

  private void scheduleFlush() {
    if (!isFlushScheduled && !combiner.isEmpty()) {
      isFlushScheduled = true;
      // Fails the task if the flush fails; the future itself says nothing more.
      var unused =
          processingTimeService.registerTimer(
              now() + (isPrompt ? linger.millis() : longestWait.toMillis()),
              time -> {
                isFlushScheduled = false;
                flush();
              });
    }
  }

  private void flush() {
    combiner.flush(now());
    linger.sent(waiting);
    waiting = 0;
    tellWhatIsSeen();
  }

  private void tellWhatIsSeen() {
    reports.tellWhenDue(now());
    for (MetricSketch sketch : activity.take(now())) {
      output.collect(SKETCHES, new StreamRecord<>(sketch));
    }
  }

  private void send(byte[] bundle) {
    bundles.inc();
    output.collect(new StreamRecord<>(bundle));
  }

  private void setAside(DeadLetter letter) {
    output.collect(DeadLetterOutput.TAG, new StreamRecord<>(deadLetters.counted(letter)));
  }

  private long now() {
    return processingTimeService.getCurrentProcessingTime();
  }
}
