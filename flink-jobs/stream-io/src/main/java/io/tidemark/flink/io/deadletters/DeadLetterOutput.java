package io.tidemark.flink.io.deadletters;

import io.tidemark.flink.io.JobMetrics;
import io.tidemark.flink.io.points.PointsRecord;
import io.tidemark.flink.model.reject.DeadLetter;
import io.tidemark.flink.model.reject.RejectionReason;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.util.OutputTag;

/** The side output of every operator that sets input aside, and its counters. */
public final class DeadLetterOutput {

  public static final OutputTag<DeadLetter> TAG =
      new OutputTag<>("dead-letters", TypeInformation.of(DeadLetter.class));

  /** Dead letters written by this operator. */
  public static final String DEAD_LETTERS = "deadLetters";

  /** Points in those dead letters, as far as known. */
  public static final String DEAD_LETTER_POINTS = "deadLetterPoints";

  private final Counter letters;
  private final Counter points;

  public DeadLetterOutput(MetricGroup operator) {
    letters = JobMetrics.counter(operator, DEAD_LETTERS);
    points = JobMetrics.counter(operator, DEAD_LETTER_POINTS);
  }

  /**
   * About a record as a whole, or so many of its points.
   *
   * @param stage the step that gave up, lower-kebab-case
   */
  public static DeadLetter whole(
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
  public DeadLetter counted(DeadLetter letter) {
    letters.inc();
    points.inc(letter.pointCount());
    return letter;
  }
}
