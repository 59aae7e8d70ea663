package io.tidemark.contracts.deadletter.replay;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.protobuf.InvalidProtocolBufferException;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.tidemark.contracts.deadletter.v1.DeadLetter;
import io.tidemark.contracts.deadletter.v1.Reason;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.BitSet;
import java.util.HexFormat;

/** What becomes of a dead letter that is replayed. */
public sealed interface ReplayCandidate {

  /**
   * A batch of the refused points alone.
   *
   * @param batchId made from source position and content: the same however often it is replayed
   * @param receivedAtUnixMs as it was; of points that were too late, the time of the replay: they
   *     are judged by the retention of now
   * @param points how many; 0 when that is not known
   */
  @SuppressWarnings("ArrayRecordComponent") // Written once; never compared.
  record Batch(
      String batchId,
      String organizationId,
      String environmentId,
      long receivedAtUnixMs,
      byte[] value,
      long points)
      implements ReplayCandidate {}

  /** Cannot be replayed; one phrase says why. */
  record Impossible(String why) implements ReplayCandidate {}

  /** Decides by the letter alone; the time becomes the receive time of points that were too late. */
  static ReplayCandidate of(DeadLetter letter, long nowUnixMs) {
    if (letter.getOriginal().size() != letter.getOriginalSize()) {
      return new Impossible("the original was cut");
    }
    if (letter.getOrganizationId().isEmpty()
        || letter.getEnvironmentId().isEmpty()
        || letter.getReceivedAtUnixMs() == 0) {
      return new Impossible("organisation, environment or receive time is unknown");
    }
    return switch (letter.getReason()) {
      case REASON_TOO_LATE -> points(letter.toBuilder().setReceivedAtUnixMs(nowUnixMs).build());
      case REASON_UNDECODABLE, REASON_UNKNOWN_TENANT -> whole(letter);
      case REASON_METRIC_TYPE_UNSUPPORTED -> new Impossible("the metric has no points");
      default -> letter.getStage().equals("roll-up") ? whole(letter) : points(letter);
    };
  }

  private static ReplayCandidate whole(DeadLetter letter) {
    return batch(letter, letter.getOriginal().toByteArray());
  }

  private static ReplayCandidate points(DeadLetter letter) {
    try {
      ExportMetricsServiceRequest request =
          ExportMetricsServiceRequest.parseFrom(letter.getOriginal());
      if (letter.getPointIndexesCount() == 0) {
        boolean isAll = letter.getPointCount() == PointsOfRequest.count(request);
        return isAll ? whole(letter) : new Impossible("the letter does not say which points");
      }
      BitSet places = new BitSet();
      letter.getPointIndexesList().forEach(places::set);
      ExportMetricsServiceRequest refused = PointsOfRequest.keep(request, places);
      return PointsOfRequest.count(refused) == places.cardinality()
          ? batch(letter, refused.toByteArray())
          : new Impossible("the letter names points that the original does not have");
    } catch (InvalidProtocolBufferException | IndexOutOfBoundsException e) {
      return new Impossible("the original is damaged");
    }
  }

  private static ReplayCandidate batch(DeadLetter letter, byte[] value) {
    return new Batch(
        batchId(letter, value),
        letter.getOrganizationId(),
        letter.getEnvironmentId(),
        letter.getReceivedAtUnixMs(),
        value,
        letter.getReason() == Reason.REASON_UNDECODABLE ? 0 : letter.getPointCount());
  }

  private static String batchId(DeadLetter letter, byte[] value) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      for (String part :
          new String[] {
            "dead-letter-replay",
            letter.getOrganizationId(),
            letter.getEnvironmentId(),
            letter.getSourceTopic()
          }) {
        digest.update(part.getBytes(UTF_8));
        digest.update((byte) 0);
      }
      digest.update(
          ByteBuffer.allocate(Integer.BYTES + Long.BYTES)
              .putInt(letter.getSourcePartition())
              .putLong(letter.getSourceOffset())
              .array());
      return HexFormat.of().formatHex(digest.digest(value));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every Java runtime has SHA-256", e);
    }
  }
}
