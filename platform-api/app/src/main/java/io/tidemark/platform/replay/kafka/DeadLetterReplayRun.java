package io.tidemark.platform.replay.kafka;

import io.tidemark.contracts.deadletter.replay.ReplayCandidate;
import io.tidemark.contracts.deadletter.replay.ReplayPass;
import io.tidemark.contracts.deadletter.replay.Selection;
import io.tidemark.contracts.deadletter.v1.Reason;
import io.tidemark.platform.replay.DeadLetterReplay;
import io.tidemark.platform.replay.OffsetRange;
import io.tidemark.platform.replay.ReplayCount;
import io.tidemark.platform.replay.ReplayProperties;
import io.tidemark.platform.replay.ReplayRunner.Progress;
import io.tidemark.platform.replay.ReplayRunner.Result;
import io.tidemark.platform.shared.ErrorCode;
import io.tidemark.platform.shared.ProblemException;
import io.tidemark.platform.shared.TenantId;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Counts or executes one replay. It reads the letters twice: first to collect the batch ids that
 * may be sent, so that of all notes only those are held, then to decide each letter. Memory is
 * bounded by the number of letters that a replay may select.
 */
final class DeadLetterReplayRun {

  /** Clocks of gateways and brokers differ by less. */
  private static final Duration CLOCK_DIFFERENCE = Duration.ofMinutes(5);

  private final ReplayLog log;
  private final ReplayProperties properties;
  private final TenantId organization;
  private final DeadLetterReplay replay;
  private final long nowUnixMs;
  private final Progress progress;

  DeadLetterReplayRun(
      ReplayLog log,
      ReplayProperties properties,
      TenantId organization,
      DeadLetterReplay replay,
      Instant now,
      Progress progress) {
    this.log = log;
    this.properties = properties;
    this.organization = organization;
    this.replay = replay;
    this.nowUnixMs = now.toEpochMilli();
    this.progress = progress;
  }

  /**
   * Counts; writes nothing.
   *
   * @throws ProblemException {@code conflict} when the selection is too large, {@code
   *     store_unavailable}
   */
  Result count() {
    // A letter is written after its batch was received.
    List<OffsetRange> ranges = log.letters(replay.receivedFrom().minus(CLOCK_DIFFERENCE));
    return new Result(ranges, walk(ranges, batch -> {}, "to_replay"));
  }

  /**
   * Puts back what was counted.
   *
   * @throws io.tidemark.platform.replay.ReplayRunner.ReplayFencedException when another replay took
   *     over
   * @throws ProblemException as {@link #count}
   */
  Result execute() {
    try (ReplayLog.Writer writer = log.open()) {
      // Notes are read behind open(): what another replay wrote until then is among them.
      List<ReplayCount> counts =
          walk(replay.ranges(), batch -> writer.write(batch, replay.id()), "replayed");
      writer.commit();
      return new Result(replay.ranges(), counts);
    }
  }

  private List<ReplayCount> walk(
      List<OffsetRange> ranges, Consumer<ReplayCandidate.Batch> target, String sent) {
    long records = ranges.stream().mapToLong(OffsetRange::records).sum();
    if (records > properties.maxRecords()) {
      throw tooLarge("There are too many dead letters since " + replay.receivedFrom() + ".");
    }
    long[] read = {0};
    Consumer<Long> reading =
        more -> {
          read[0] += more;
          progress.records(Math.min(read[0], 2 * records), 2 * records);
        };
    reading.accept(0L);
    Selection selection = selection();
    Candidates candidates = new Candidates();
    log.read(
        ranges,
        letter -> {
          if (selection.includes(letter)) {
            candidates.add(ReplayCandidate.of(letter, nowUnixMs));
          }
        },
        reading);
    Set<String> replayed = new HashSet<>();
    Set<String> own = new HashSet<>();
    log.notes(
        (batch, by) -> {
          if (candidates.ids.contains(batch)) {
            replayed.add(batch);
            if (by.equals(replay.id())) {
              own.add(batch);
            }
          }
        });
    ReplayPass pass = new ReplayPass(selection, replayed, own, nowUnixMs, target);
    log.read(ranges, pass::letter, reading);
    return pass.counts().entrySet().stream()
        .map(entry -> count(entry.getKey(), entry.getValue(), sent))
        .toList();
  }

  private Selection selection() {
    return new Selection(
        organization.value(),
        replay.environment().value(),
        replay.reasons().stream()
            .map(reason -> Reason.valueOf("REASON_" + reason))
            .collect(Collectors.toSet()),
        replay.receivedFrom().toEpochMilli(),
        replay.receivedTo().toEpochMilli());
  }

  private static ReplayCount count(
      ReplayPass.Outcome outcome, ReplayPass.Count count, String sent) {
    String what =
        switch (outcome.fate()) {
          case REPLAY -> sent;
          case ALREADY -> "replayed_before";
          case IMPOSSIBLE -> "not_replayable";
        };
    return new ReplayCount(
        outcome.reason(),
        what,
        outcome.why().isEmpty() ? null : outcome.why(),
        count.letters(),
        count.points());
  }

  private static ProblemException tooLarge(String what) {
    return ProblemException.of(
        ErrorCode.CONFLICT, what + " Choose a shorter time or fewer reasons, and replay in parts.");
  }

  private final class Candidates {
    private final Set<String> ids = new HashSet<>();
    private long letters;
    private long bytes;

    void add(ReplayCandidate candidate) {
      letters++;
      if (candidate instanceof ReplayCandidate.Batch batch && ids.add(batch.batchId())) {
        bytes += batch.value().length;
      }
      if (letters > properties.maxLetters()) {
        throw tooLarge("More than " + properties.maxLetters() + " letters fit.");
      }
      if (bytes > properties.maxBytes().toBytes()) {
        throw tooLarge("The letters that fit hold more than " + properties.maxBytes() + ".");
      }
    }
  }
}
