package io.tidemark.flink.rollup.operator;

import io.tidemark.flink.io.points.PointBatch;
import io.tidemark.flink.io.points.PointsRecord;
import io.tidemark.flink.io.points.SeriesIndex;
import io.tidemark.flink.io.usage.IncrementSubject;
import io.tidemark.flink.model.series.SeriesDescriptor;
import io.tidemark.flink.model.usage.ByteShares;
import io.tidemark.flink.model.usage.MeteredUnits;
import io.tidemark.flink.model.usage.UsageHour;
import io.tidemark.flink.model.usage.UsageSubject;
import java.util.Arrays;

/**
 * Counts the points and bytes of batches by subject and hour of receipt. Costs a point a look into
 * an array; what is added up by subject is looked for once a batch.
 */
final class PointMeter {

  /** Hours of subjects that are added up in memory between checkpoints, about 100 bytes each. */
  private static final int MAX_OPEN = 50_000;

  /** Hours at once, each with an array of all subjects. */
  private static final int MAX_HOURS = 16;

  private final SeriesIndex slots;
  private final IncrementOutput output;
  private final SubjectIndex subjects = new SubjectIndex();
  private final OpenHours open = new OpenHours();

  /** Number of the subject of every slot, and one more; 0 where it is not known. */
  private int[] subjectOfSlot = new int[256];

  // Points of the batch at hand by subject; all zero between batches.
  private long[] counts = new long[64];
  private int[] touched = new int[64];
  private int touchedSize;

  /**
   * @param slots that batches refer to
   */
  PointMeter(SeriesIndex slots, IncrementOutput output) {
    this.slots = slots;
    this.output = output;
  }

  /**
   * Counts a batch.
   *
   * @param receivedAt when the gateway received it
   * @param setAside points of it that the decoder set aside
   */
  void count(PointsRecord record, long receivedAt, PointBatch batch, long setAside) {
    countBySubject(batch);
    long notBilled = setAside + batch.withoutValue();
    if (touchedSize == 0 && notBilled == 0) {
      return;
    }
    OpenHours.OpenHour hour = open.hour(UsageHour.startOf(receivedAt));
    // The last share is of points that are not billed.
    long[] divided = new long[touchedSize + 1];
    for (int i = 0; i < touchedSize; i++) {
      divided[i] = counts[touched[i]];
      counts[touched[i]] = 0;
    }
    divided[touchedSize] = notBilled;
    long[] bytes = ByteShares.of(record.value().length, divided, divided.length);
    for (int i = 0; i < touchedSize; i++) {
      OpenHours.OpenUnits sum = hour.unitsOf(touched[i]);
      sum.points = Math.addExact(sum.points, divided[i]);
      sum.bytes = Math.addExact(sum.bytes, bytes[i]);
    }
    if (notBilled > 0) {
      OpenHours.OpenUnits sum =
          hour.unitsOf(
              subjects.numberOf(
                  UsageSubject.ofEnvironment(record.organizationId(), record.environmentId())));
      sum.pointsSetAside = Math.addExact(sum.pointsSetAside, setAside);
      sum.pointsWithoutValue = Math.addExact(sum.pointsWithoutValue, batch.withoutValue());
    }
    if (open.units().size() > MAX_OPEN || open.hours() > MAX_HOURS) {
      tell();
    }
  }

  /** Runs of points of one subject are added at once: senders write a metric after another. */
  private void countBySubject(PointBatch batch) {
    touchedSize = 0;
    if (subjectOfSlot.length < slots.size()) {
      subjectOfSlot = Arrays.copyOf(subjectOfSlot, 2 * slots.size());
    }
    int[] known = subjectOfSlot;
    int size = batch.size();
    int current = 0;
    int from = 0;
    for (int i = 0; i < size; i++) {
      int slot = batch.slot(i);
      int subject = known[slot];
      if (subject == 0) {
        subject = 1 + subjects.numberOf(subjectOf(slots.descriptor(slot)));
        known[slot] = subject;
      }
      if (subject != current) {
        add(current, i - from);
        current = subject;
        from = i;
      }
    }
    add(current, size - from);
  }

  private void add(int subjectAndOne, int points) {
    if (points == 0) {
      return;
    }
    int subject = subjectAndOne - 1;
    if (subject >= counts.length) {
      counts = Arrays.copyOf(counts, Math.max(subject + 1, counts.length * 2));
    }
    if (counts[subject] == 0) {
      if (touchedSize == touched.length) {
        touched = Arrays.copyOf(touched, touchedSize * 2);
      }
      touched[touchedSize++] = subject;
    }
    counts[subject] += points;
  }

  static UsageSubject subjectOf(SeriesDescriptor series) {
    return new UsageSubject(
        series.organizationId(),
        series.environmentId(),
        series.resourceType(),
        series.resourceId(),
        series.metric());
  }

  /** Hands over all sums, and holds none. */
  void tell() {
    for (OpenHours.OpenUnits sum : open.units()) {
      IncrementSubject subject = subjects.subject(sum.subject);
      output.add(
          subject.environment(),
          subject.bytes(),
          sum.hourUnixMs,
          new MeteredUnits(sum.points, sum.bytes, sum.pointsSetAside, sum.pointsWithoutValue));
    }
    output.flush();
    open.clear();
  }

  /** With the slots: numbers of subjects change their meaning, so what is open leaves before. */
  void forgetSlots() {
    tell();
    subjects.clear();
    subjectOfSlot = new int[256];
    counts = new long[64];
    touched = new int[64];
  }
}
