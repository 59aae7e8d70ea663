package io.tidemark.flink.usage.operator;

import io.tidemark.flink.io.JobMetrics;
import io.tidemark.flink.io.admission.AdmittedBatch;
import io.tidemark.flink.io.points.BatchDecoder;
import io.tidemark.flink.io.points.BatchHeaders;
import io.tidemark.flink.io.points.PointBatch;
import io.tidemark.flink.io.points.PointsRecord;
import io.tidemark.flink.model.point.PointTimeLimits;
import io.tidemark.flink.model.series.SeriesDescriptor;
import io.tidemark.flink.model.usage.ByteShares;
import io.tidemark.flink.model.usage.MeteredUnits;
import io.tidemark.flink.model.usage.UsageHour;
import io.tidemark.flink.model.usage.UsageSubject;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.metrics.Counter;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.BoundedOneInput;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/**
 * Counts the points and bytes of batches by subject and hour, and adds up batches before they cross
 * the network. Holds nothing over a checkpoint barrier; what it knows of series is a memory that a
 * restart rebuilds.
 */
public final class BatchMeter extends AbstractStreamOperator<UsageIncrement>
    implements OneInputStreamOperator<AdmittedBatch, UsageIncrement>, BoundedOneInput {
  private static final long serialVersionUID = 1L;

  /** Points metered, set aside and without a value included. */
  public static final String POINTS_METERED = "pointsMetered";

  /** Hours of subjects that are added up in memory between checkpoints, about 300 bytes each. */
  private static final int MOST_OPEN = 50_000;

  private static final int UNKNOWN = -1;

  private final PointTimeLimits limits;

  private transient BatchDecoder decoder;
  // Index of the subject of every series slot; series of one metric and resource share it.
  private transient int[] subjectOfSlot;
  private transient List<UsageSubject> subjects;
  private transient Map<UsageSubject, Integer> indexes;
  // Points of the batch at hand by subject; all zero between batches.
  private transient long[] counts;
  private transient int[] touched;
  private transient int touchedSize;
  private transient Map<UsageHour, OpenUnits> open;
  private transient Counter points;

  /** Units since the last barrier, and the place of the first batch among them. */
  private static final class OpenUnits {
    private final int partition;
    private final long offset;
    private MeteredUnits units = MeteredUnits.NONE;

    private OpenUnits(int partition, long offset) {
      this.partition = partition;
      this.offset = offset;
    }
  }

  public BatchMeter(PointTimeLimits limits) {
    this.limits = limits;
  }

  @Override
  public void open() throws Exception {
    super.open();
    decoder = new BatchDecoder(limits);
    indexes = new HashMap<>();
    subjects = new ArrayList<>();
    open = new LinkedHashMap<>();
    forget();
    points = JobMetrics.counter(getMetricGroup(), POINTS_METERED);
  }

  @Override
  public void processElement(StreamRecord<AdmittedBatch> element) {
    PointsRecord record = element.getValue().record();
    BatchHeaders headers = BatchHeaders.of(record);
    if (!headers.isComplete()) {
      // Nobody to bill; the rollup job writes the dead letter.
      return;
    }
    long[] setAside = {0};
    PointBatch batch =
        decoder.decode(
            record,
            element.getValue().longestAgeMs(),
            letter -> setAside[0] += letter.pointCount());
    points.inc(batch.size() + setAside[0] + batch.withoutValue());
    meter(record, headers.receivedAtUnixMs(), batch, setAside[0]);
    if (open.size() > MOST_OPEN) {
      flush();
    }
    if (decoder.isFull()) {
      decoder.forget();
      forget();
    }
  }

  private void meter(PointsRecord record, long receivedAt, PointBatch batch, long setAside) {
    touchedSize = 0;
    for (int i = 0; i < batch.size(); i++) {
      int subject = subjectOf(batch.slot(i));
      if (counts[subject]++ == 0) {
        if (touchedSize == touched.length) {
          touched = Arrays.copyOf(touched, touchedSize * 2);
        }
        touched[touchedSize++] = subject;
      }
    }
    // The last share is of points that are not billed.
    long[] divided = new long[touchedSize + 1];
    for (int i = 0; i < touchedSize; i++) {
      divided[i] = counts[touched[i]];
    }
    divided[touchedSize] = setAside + batch.withoutValue();
    long[] bytes = ByteShares.of(record.value().length, divided, divided.length);
    for (int i = 0; i < touchedSize; i++) {
      counts[touched[i]] = 0;
      add(
          subjects.get(touched[i]),
          receivedAt,
          record,
          new MeteredUnits(divided[i], bytes[i], 0, 0));
    }
    if (divided[touchedSize] > 0) {
      add(
          UsageSubject.ofEnvironment(record.organizationId(), record.environmentId()),
          receivedAt,
          record,
          new MeteredUnits(0, 0, setAside, batch.withoutValue()));
    }
  }

  private void add(UsageSubject subject, long receivedAt, PointsRecord record, MeteredUnits units) {
    OpenUnits sum =
        open.computeIfAbsent(
            UsageHour.at(subject, receivedAt),
            unknown -> new OpenUnits(record.partition(), record.offset()));
    sum.units = sum.units.plus(units);
  }

  private int subjectOf(int slot) {
    if (slot >= subjectOfSlot.length) {
      int length = subjectOfSlot.length;
      subjectOfSlot = Arrays.copyOf(subjectOfSlot, Math.max(slot + 1, length * 2));
      Arrays.fill(subjectOfSlot, length, subjectOfSlot.length, UNKNOWN);
    }
    if (subjectOfSlot[slot] == UNKNOWN) {
      SeriesDescriptor series = decoder.slots().descriptor(slot);
      subjectOfSlot[slot] =
          indexes.computeIfAbsent(
              new UsageSubject(
                  series.organizationId(),
                  series.environmentId(),
                  series.resourceType(),
                  series.resourceId(),
                  series.metric()),
              this::index);
    }
    return subjectOfSlot[slot];
  }

  private int index(UsageSubject subject) {
    subjects.add(subject);
    if (subjects.size() > counts.length) {
      counts = Arrays.copyOf(counts, counts.length * 2);
    }
    return subjects.size() - 1;
  }

  private void forget() {
    indexes.clear();
    subjects.clear();
    subjectOfSlot = new int[256];
    Arrays.fill(subjectOfSlot, UNKNOWN);
    counts = new long[64];
    touched = new int[64];
  }

  @Override
  public void prepareSnapshotPreBarrier(long checkpointId) {
    flush();
  }

  @Override
  public void endInput() {
    flush();
  }

  private void flush() {
    open.forEach(
        (hour, sum) ->
            output.collect(
                new StreamRecord<>(UsageIncrement.of(hour, sum.partition, sum.offset, sum.units))));
    open.clear();
  }
}
