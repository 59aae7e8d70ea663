package io.tidemark.flink.io.points;

import io.tidemark.flink.model.point.MetricPoint;
import io.tidemark.flink.model.point.PointTimeLimits;
import io.tidemark.flink.model.reject.DeadLetter;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Batches to columns of points. Plain batches are read in place, all others by {@link OtlpDecoder};
 * the result is the same. Total: nothing is thrown, whatever the bytes are. Not thread-safe.
 */
public final class BatchDecoder {

  /** Names and labels remembered, bytes; beyond it {@link #isFull()}. An eighth of the heap. */
  private static final long MAX_REMEMBERED = Runtime.getRuntime().maxMemory() / 8;

  /**
   * A series takes some 400 bytes here and at who uses the slots; a quarter of the heap at most.
   */
  private static final long MAX_SERIES = Runtime.getRuntime().maxMemory() / 4 / 400;

  private final PointTimeLimits limits;
  private final SeriesIndex slots = new SeriesIndex();
  private final PointBatch batch;
  private @Nullable FastOtlpDecoder plain;
  private long plainBatches;

  public BatchDecoder(PointTimeLimits limits) {
    this(limits, false);
  }

  /**
   * @param keepsSent whether batches also hold their points as sent
   */
  public BatchDecoder(PointTimeLimits limits, boolean keepsSent) {
    this.limits = limits;
    this.batch = new PointBatch(keepsSent);
  }

  /** The series that rows of batches refer to. */
  public SeriesIndex slots() {
    return slots;
  }

  /** Batches read in place so far. */
  public long plainBatches() {
    return plainBatches;
  }

  /**
   * @return the usable points; valid until the next call
   */
  public PointBatch decode(PointsRecord record, Consumer<DeadLetter> deadLetters) {
    return decode(record, limits, deadLetters);
  }

  /** The same for points that may be so old when they are received. */
  public PointBatch decode(
      PointsRecord record, long longestAgeMs, Consumer<DeadLetter> deadLetters) {
    return decode(record, limits.upTo(longestAgeMs), deadLetters);
  }

  private PointBatch decode(
      PointsRecord record, PointTimeLimits times, Consumer<DeadLetter> deadLetters) {
    batch.clear();
    BatchHeaders envelope = BatchHeaders.of(record);
    if (envelope.isComplete() && isScanned(record, envelope, times)) {
      plainBatches++;
      return batch;
    }
    batch.clear();
    new OtlpDecoder(times).decode(record, new IntoBatch(deadLetters));
    return batch;
  }

  private boolean isScanned(PointsRecord record, BatchHeaders envelope, PointTimeLimits times) {
    if (plain == null) {
      plain = new FastOtlpDecoder(slots, record, batch);
    }
    try {
      plain.scan(record, envelope.receivedAtUnixMs(), times, batch);
      return true;
    } catch (FastPathMissException e) {
      return false;
    }
  }

  /** Whether {@link #forget} is due. */
  public boolean isFull() {
    return slots.size() > MAX_SERIES
        || slots.characters() > MAX_REMEMBERED
        || (plain != null && plain.rememberedBytes() > MAX_REMEMBERED);
  }

  /** Forgets every series; slots given out before mean nothing any more. */
  public void forget() {
    slots.clear();
    plain = null;
  }

  private final class IntoBatch implements DecodedPointConsumer {
    private final Consumer<DeadLetter> deadLetters;

    IntoBatch(Consumer<DeadLetter> deadLetters) {
      this.deadLetters = deadLetters;
    }

    @Override
    public void point(MetricPoint point) {
      batch.add(slots.slotOf(point.key(), point.series()), point);
    }

    @Override
    public void sent(Supplier<SentPoint> point) {
      SentPoints sent = batch.sent();
      if (sent != null) {
        sent.add(point.get());
      }
    }

    @Override
    public void deadLetter(DeadLetter deadLetter) {
      deadLetters.accept(deadLetter);
    }

    @Override
    public void noRecordedValue() {
      batch.addWithoutValue();
    }
  }
}
