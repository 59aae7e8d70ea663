package io.tidemark.flink.io.points;

import io.tidemark.flink.model.reject.DeadLetter;
import io.tidemark.flink.model.reject.RejectionReason;
import java.util.EnumMap;
import java.util.Map;

/** Counts the rejected points of one batch by reason, with the first example of each. */
final class Rejections {

  private static final String STAGE = "decode";

  private static final class Tally {
    private final String firstDetail;
    private long points;

    Tally(String firstDetail) {
      this.firstDetail = firstDetail;
    }
  }

  private final Map<RejectionReason, Tally> tallies = new EnumMap<>(RejectionReason.class);

  void add(RejectionReason reason, long points, String detail) {
    tallies.computeIfAbsent(reason, ignored -> new Tally(detail)).points += points;
  }

  void report(PointsRecord record, long receivedAtUnixMs, Decoded decoded) {
    tallies.forEach(
        (reason, tally) ->
            decoded.deadLetter(
                deadLetter(record, receivedAtUnixMs, reason, tally.firstDetail, tally.points)));
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
