package io.tidemark.flink.io.points.decode;

import io.tidemark.flink.model.point.MetricPoint;
import io.tidemark.flink.model.reject.DeadLetter;
import java.util.function.Supplier;

/** Receives what a batch turned out to hold; every point of the batch is reported exactly once. */
public interface DecodedPointConsumer {

  void point(MetricPoint point);

  /** Follows every {@link #point}: the same point as its sender wrote it. */
  default void sent(Supplier<SentPoint> point) {}

  /** One call per reason and batch; {@link DeadLetter#pointCount()} says how many points. */
  void deadLetter(DeadLetter deadLetter);

  /** A point that says "no value was recorded": nothing to add, by the sender's own word. */
  void noRecordedValue();
}
