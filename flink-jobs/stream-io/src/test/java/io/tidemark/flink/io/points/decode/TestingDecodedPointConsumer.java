package io.tidemark.flink.io.points.decode;

import io.tidemark.flink.io.points.PointsRecord;
import io.tidemark.flink.model.point.MetricPoint;
import io.tidemark.flink.model.point.PointTimeLimits;
import io.tidemark.flink.model.reject.DeadLetter;
import io.tidemark.flink.model.reject.RejectionReason;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** Keeps what a decoder reported. */
public final class TestingDecodedPointConsumer implements DecodedPointConsumer {

  public static final long RECEIVED = 1_772_323_200_000L;
  public static final long NOW_NANOS = RECEIVED * 1_000_000L;

  public final List<MetricPoint> points = new ArrayList<>();
  public final List<SentPoint> sent = new ArrayList<>();
  public final List<DeadLetter> deadLetters = new ArrayList<>();
  public int withoutValue;

  public static TestingDecodedPointConsumer decode(byte[] value) {
    TestingDecodedPointConsumer decoded = new TestingDecodedPointConsumer();
    new OtlpDecoder(PointTimeLimits.DEFAULT).decode(record(value), decoded);
    return decoded;
  }

  public static PointsRecord record(byte[] value) {
    return new PointsRecord(
        "points",
        3,
        77,
        "org-a",
        "env-a",
        "0123456789abcdef".repeat(4),
        Long.toString(RECEIVED),
        RECEIVED,
        value);
  }

  /** Points set aside, by reason. */
  Map<RejectionReason, Long> rejected() {
    Map<RejectionReason, Long> rejected = new EnumMap<>(RejectionReason.class);
    deadLetters.forEach(letter -> rejected.merge(letter.reason(), letter.pointCount(), Long::sum));
    return rejected;
  }

  @Override
  public void point(MetricPoint point) {
    points.add(point);
  }

  @Override
  public void sent(Supplier<SentPoint> point) {
    sent.add(point.get());
  }

  @Override
  public void deadLetter(DeadLetter deadLetter) {
    deadLetters.add(deadLetter);
  }

  @Override
  public void noRecordedValue() {
    withoutValue++;
  }
}
