package io.tidemark.flink.io.points.decode;

import io.tidemark.flink.io.points.PointsRecord;
import io.tidemark.flink.model.reject.DeadLetter;
import io.tidemark.flink.model.reject.RejectionReason;
import java.util.BitSet;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.Supplier;

/** Counts the rejected points of one batch by reason, with the first example of each. */
final class Rejections {

  private static final String STAGE = "decode";

  private static final class Tally {
    private final String firstDetail;
    private final BitSet places = new BitSet();
    private long points;

    Tally(String firstDetail) {
      this.firstDetail = firstDetail;
    }
  }

  private final Map<RejectionReason, Tally> tallies = new EnumMap<>(RejectionReason.class);

  /** A point; its detail is written only for the first of its reason. */
  void addPoint(RejectionReason reason, int place, Supplier<String> detail) {
    Tally tally = tallies.computeIfAbsent(reason, ignored -> new Tally(detail.get()));
    tally.points++;
    tally.places.set(place);
  }

  /** A metric without points. */
  void addMetric(RejectionReason reason, String detail) {
    tallies.computeIfAbsent(reason, ignored -> new Tally(detail));
  }

  void report(PointsRecord record, long receivedAtUnixMs, DecodedPointConsumer decoded) {
    tallies.forEach(
        (reason, tally) ->
            decoded.deadLetter(
                deadLetter(record, receivedAtUnixMs, reason, tally.firstDetail, tally.points)
                    .ofPoints(tally.places.stream().toArray())));
  }

  static DeadLetter deadLetter(
      PointsRecord record,
      long receivedAtUnixMs,
      RejectionReason reason,
      String detail,
      long points) {
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
        STAGE);
  }
}
