package io.tidemark.flink.deadletters;

import static io.tidemark.flink.testing.TestTime.at;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import com.google.protobuf.ByteString;
import io.tidemark.contracts.deadletter.replay.ReplayCandidate;
import io.tidemark.contracts.deadletter.replay.ReplayPass;
import io.tidemark.contracts.deadletter.replay.ReplayPass.Fate;
import io.tidemark.contracts.deadletter.replay.ReplayPass.Outcome;
import io.tidemark.contracts.deadletter.replay.Selection;
import io.tidemark.contracts.deadletter.v1.DeadLetter;
import io.tidemark.contracts.deadletter.v1.Reason;
import io.tidemark.flink.io.deadletters.DeadLetterRecord;
import io.tidemark.flink.io.points.PointsRecord;
import io.tidemark.flink.io.points.decode.DecodedPointConsumer;
import io.tidemark.flink.io.points.decode.OtlpDecoder;
import io.tidemark.flink.model.point.MetricPoint;
import io.tidemark.flink.model.point.PointTimeLimits;
import io.tidemark.flink.testing.TestBatch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A dead letter can be replayed after a fix and counts once. */
class ReplayPassTest {

  private static final Selection ALL =
      new Selection("", "", Set.of(), Long.MIN_VALUE, Long.MAX_VALUE);
  private static final PointTimeLimits SHORT =
      new PointTimeLimits(Duration.ofHours(1), Duration.ofMinutes(10));

  private static final long NOW = at("13:00:00");

  private final Set<String> noted = new HashSet<>();
  private final Set<String> own = new HashSet<>();
  private final List<ReplayCandidate.Batch> sent = new ArrayList<>();

  @Test
  void onlyTheRefusedPointsOfABatchGoBack() throws Exception {
    PointsRecord record =
        new TestBatch()
            .gauge("cpu", "12:00:10", 1)
            .gauge("cpu", "08:00:10", 2)
            .delta("orders", "12:00:20", 4)
            .cumulative("bytes", "07:00:00", "07:30:00", 8)
            .received("org-a", 7, "12:00:30");
    Decoding first = decode(record, SHORT);
    assertEquals(List.of("cpu", "orders"), first.metrics);

    replay(first.letters);

    assertEquals(1, sent.size());
    Decoding second = decode(record(sent.get(0)), PointTimeLimits.DEFAULT);
    assertEquals(List.of("cpu", "bytes"), second.metrics, "after a longer retention");
    assertEquals(List.of(), second.letters);
    assertEquals(2, sent.get(0).points());
    assertEquals(NOW, sent.get(0).receivedAtUnixMs(), "judged by the retention of now");
    assertNotEquals(record.batchId(), sent.get(0).batchId(), "the batch itself was counted");
  }

  @Test
  void replayedTwiceIsSentOnce() throws Exception {
    List<DeadLetter> letters = decode(late(7), SHORT).letters;
    replay(letters);

    Map<Outcome, ReplayPass.Count> again = replay(letters);

    assertEquals(1, sent.size());
    assertEquals(
        Map.of(new Outcome("org-a", "TOO_LATE", Fate.ALREADY, ""), new ReplayPass.Count(1, 1)),
        again);
    assertEquals("[org-a  TOO_LATE  replayed before]", again.keySet().toString());
  }

  /** A replay that stopped half-way and goes on counts what it had sent, and sends it no more. */
  @Test
  void whatAnEarlierAttemptOfTheSameReplaySentCountsAsReplayed() throws Exception {
    List<DeadLetter> letters = new ArrayList<>(decode(late(7), SHORT).letters);
    replay(letters);
    own.addAll(noted);
    letters.addAll(decode(late(8), SHORT).letters);
    letters.addAll(decode(late(7), SHORT).letters);

    Map<Outcome, ReplayPass.Count> again = replay(letters);

    assertEquals(2, sent.size());
    assertEquals(
        Map.of(
            new Outcome("org-a", "TOO_LATE", Fate.REPLAY, ""),
            new ReplayPass.Count(2, 2),
            new Outcome("org-a", "TOO_LATE", Fate.ALREADY, ""),
            new ReplayPass.Count(1, 1)),
        again);
  }

  /** A job that went back to an older savepoint writes its dead letters again. */
  @Test
  void theSameLetterTwiceInTheTopicIsSentOnce() throws Exception {
    List<DeadLetter> letters = new ArrayList<>(decode(late(7), SHORT).letters);
    letters.addAll(decode(late(7), SHORT).letters);
    letters.addAll(decode(late(8), SHORT).letters);

    replay(letters);

    assertEquals(2, sent.size(), "equal bytes at another place of the source are another batch");
  }

  @Test
  void onlyWhatWasAskedForIsReplayed() throws Exception {
    DeadLetter letter = decode(late(7), SHORT).letters.get(0);
    long received = letter.getReceivedAtUnixMs();
    Set<Reason> tooLate = Set.of(Reason.REASON_TOO_LATE);

    assertEquals(true, isIn(letter, "org-a", "", tooLate, received));
    assertEquals(true, isIn(letter, "org-a", letter.getEnvironmentId(), tooLate, received));
    assertEquals(false, isIn(letter, "org-a", "env-other", tooLate, received));
    assertEquals(false, isIn(letter, "org-b", "", tooLate, received));
    assertEquals(false, isIn(letter, "org-a", "", tooLate, received + 1));
    assertEquals(false, isIn(letter, "org-a", "", tooLate, received - 1));
    assertEquals(false, isIn(letter, "", "", Set.of(Reason.REASON_UNDECODABLE), received));
  }

  private static boolean isIn(
      DeadLetter letter, String organization, String environment, Set<Reason> reasons, long from) {
    return new Selection(organization, environment, reasons, from, from + 1).includes(letter);
  }

  @Test
  void recordsRefusedAsAWholeGoBackAsTheyWere() {
    DeadLetter letter =
        letter(Reason.REASON_UNKNOWN_TENANT).setOriginal(bytes(1, 2, 3)).setOriginalSize(3).build();

    ReplayCandidate.Batch batch =
        assertInstanceOf(ReplayCandidate.Batch.class, ReplayCandidate.of(letter, NOW));

    assertEquals(bytes(1, 2, 3), ByteString.copyFrom(batch.value()));
    assertEquals(1, batch.receivedAtUnixMs(), "as it was");
  }

  @Test
  void requestsRebuiltByTheRollUpGoBackWhole() {
    DeadLetter letter =
        letter(Reason.REASON_CUMULATIVE_OUT_OF_ORDER)
            .setStage("roll-up")
            .addPointIndexes(5)
            .setOriginal(bytes(1))
            .setOriginalSize(1)
            .build();

    assertInstanceOf(ReplayCandidate.Batch.class, ReplayCandidate.of(letter, NOW));
  }

  @Test
  void whatCannotBeReplayedSaysWhy() {
    ByteString request = ByteString.copyFrom(new TestBatch().gauge("cpu", "12:00:00", 1).bytes());
    DeadLetter.Builder whole =
        letter(Reason.REASON_TOO_LATE).setOriginal(request).setOriginalSize(request.size());

    assertEquals(
        new ReplayCandidate.Impossible("the original was cut"),
        ReplayCandidate.of(whole.clone().setOriginalSize(2_000_000).build(), NOW));
    assertEquals(
        new ReplayCandidate.Impossible("organisation, environment or receive time is unknown"),
        ReplayCandidate.of(whole.clone().setEnvironmentId("").build(), NOW));
    assertEquals(
        new ReplayCandidate.Impossible("the letter does not say which points"),
        ReplayCandidate.of(whole.clone().setPointCount(2).build(), NOW));
    assertEquals(
        new ReplayCandidate.Impossible("the letter names points that the original does not have"),
        ReplayCandidate.of(whole.clone().addPointIndexes(9).setPointCount(1).build(), NOW));
    assertEquals(
        new ReplayCandidate.Impossible("the original is damaged"),
        ReplayCandidate.of(whole.clone().setOriginal(bytes(9, 9)).setOriginalSize(2).build(), NOW));
    assertEquals(
        new ReplayCandidate.Impossible("the metric has no points"),
        ReplayCandidate.of(
            whole.clone().setReason(Reason.REASON_METRIC_TYPE_UNSUPPORTED).build(), NOW));
    assertInstanceOf(
        ReplayCandidate.Batch.class,
        ReplayCandidate.of(whole.clone().setPointCount(1).build(), NOW));
  }

  private Map<Outcome, ReplayPass.Count> replay(List<DeadLetter> letters) {
    ReplayPass pass = new ReplayPass(ALL, noted, own, NOW, sent::add);
    letters.forEach(pass::letter);
    return pass.counts();
  }

  private static PointsRecord late(long offset) {
    return new TestBatch().gauge("cpu", "08:00:10", 2).received("org-a", offset, "12:00:30");
  }

  private static PointsRecord record(ReplayCandidate.Batch batch) {
    return new PointsRecord(
        "points",
        0,
        100,
        batch.organizationId(),
        batch.environmentId(),
        batch.batchId(),
        Long.toString(batch.receivedAtUnixMs()),
        batch.receivedAtUnixMs(),
        batch.value());
  }

  private static DeadLetter.Builder letter(Reason reason) {
    return DeadLetter.newBuilder()
        .setReason(reason)
        .setOrganizationId("org-a")
        .setEnvironmentId("env-a")
        .setReceivedAtUnixMs(1)
        .setStage("decode");
  }

  private static ByteString bytes(int... values) {
    byte[] bytes = new byte[values.length];
    for (int i = 0; i < values.length; i++) {
      bytes[i] = (byte) values[i];
    }
    return ByteString.copyFrom(bytes);
  }

  private static Decoding decode(PointsRecord record, PointTimeLimits limits) {
    Decoding decoding = new Decoding();
    new OtlpDecoder(limits).decode(record, decoding);
    return decoding;
  }

  private static final class Decoding implements DecodedPointConsumer {
    final List<String> metrics = new ArrayList<>();
    final List<DeadLetter> letters = new ArrayList<>();

    @Override
    public void point(MetricPoint point) {
      metrics.add(point.series().metric());
    }

    @Override
    public void deadLetter(io.tidemark.flink.model.reject.DeadLetter letter) {
      try {
        letters.add(DeadLetter.parseFrom(DeadLetterRecord.encode(letter)));
      } catch (com.google.protobuf.InvalidProtocolBufferException e) {
        throw new AssertionError(e);
      }
    }

    @Override
    public void noRecordedValue() {}
  }
}
