package io.tidemark.platform.sizing.domain;

import java.util.Arrays;
import java.util.List;

/**
 * What points, rows, labels and queries cost in core-seconds a million, and what they weigh in
 * bytes. Figures of labels are of one label more or less than {@code labels}, the number with which
 * the others were measured.
 */
public record MeasuredCosts(CoreSeconds coreSeconds, Bytes bytes, Figure livePace, Figure labels) {

  /** Core-seconds per million. */
  public record CoreSeconds(
      Figure pointsReceived,
      Figure labelsReceived,
      Figure pointsRolledUp,
      Figure rowsRolledUp,
      Figure pointsKept,
      Figure rowsKept,
      Figure rowsIndexed,
      Figure rowsCompacted,
      Figure queries) {}

  /** Bytes of one. */
  public record Bytes(
      Figure pointInKafka,
      Figure labelOfPointInKafka,
      Figure rowInKafka,
      Figure labelOfRowInKafka,
      Figure rowInDruid,
      Figure labelOfRowInDruid,
      Figure pointInLake,
      Figure rowInLake,
      Figure seriesInFlink,
      Figure labelOfSeriesInFlink) {}

  /** All figures, in the order of the file. */
  public List<Figure> figures() {
    return Arrays.asList(
        coreSeconds.pointsReceived(),
        coreSeconds.labelsReceived(),
        coreSeconds.pointsRolledUp(),
        coreSeconds.rowsRolledUp(),
        coreSeconds.pointsKept(),
        coreSeconds.rowsKept(),
        coreSeconds.rowsIndexed(),
        coreSeconds.rowsCompacted(),
        coreSeconds.queries(),
        livePace,
        labels,
        bytes.pointInKafka(),
        bytes.labelOfPointInKafka(),
        bytes.rowInKafka(),
        bytes.labelOfRowInKafka(),
        bytes.rowInDruid(),
        bytes.labelOfRowInDruid(),
        bytes.pointInLake(),
        bytes.rowInLake(),
        bytes.seriesInFlink(),
        bytes.labelOfSeriesInFlink());
  }
}
