package io.tidemark.flink.rollup.operator;

import io.tidemark.flink.io.points.PointsRecord;
import io.tidemark.flink.model.reject.DeadLetter;
import io.tidemark.flink.model.reject.RejectionReason;
import io.tidemark.flink.rollup.RollupMetrics;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.util.OutputTag;

/** The side output of every operator that sets input aside, and its counters. */
public final class DeadLetterOutput {

  public static final OutputTag<DeadLetter> TAG =
      new OutputTag<>("dead-letters", TypeInformation.of(DeadLetter.class));

  private final Counter letters;
  private final Counter points;

  DeadLetterOutput(MetricGroup operator) {
    letters = RollupMetrics.counter(operator, RollupMetrics.DEAD_LETTERS);
    points = RollupMetrics.counter(operator, RollupMetrics.DEAD_LETTER_POINTS);
  }

  /**
   * About a record as a whole, or so many of its points.
   *
   * @param stage the step that gave up, lower-kebab-case
   */
  static DeadLetter whole(
      PointsRecord record,
      long receivedAtUnixMs,
      RejectionReason reason,
      String detail,
      long points,
      String stage) {
    return new DeadLetter(
        reason,
        detail,
        record.organizationId(),
        record.environmentId(),
        record.batchId(),
        record.topic(),
        record.partition(),
        record.offset(),
        receivedAtUnixMs,
        record.value(),
        record.value().length,
        points,
        stage);
  }

  /** Counts the letter and returns it. */
  DeadLetter counted(DeadLetter letter) {
    letters.inc();
    points.inc(letter.pointCount());
    return letter;
  }
}
