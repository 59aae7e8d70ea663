package io.tidemark.flink.deadletters;

import io.tidemark.contracts.deadletter.v1.DeadLetter;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;

/** One walk over the dead letters: what is replayed, what was, what cannot be; and the counts. */
final class ReplayPass {

  /** Letters and points of one organisation, reason and fate. */
  record Count(long letters, long points) {
    Count plus(Count other) {
      return new Count(letters + other.letters, points + other.points);
    }
  }

  static final String REPLAY = "to replay";
  static final String ALREADY = "replayed before";
  static final String IMPOSSIBLE = "not replayable: ";

  private final Selection selection;
  private final Set<String> replayed;
  private final long nowUnixMs;
  private final Consumer<ReplayCandidate.Batch> target;
  private final Map<String, Count> counts = new TreeMap<>();

  /**
   * @param replayed batch ids of earlier replays; those of this walk are added
   * @param nowUnixMs the time of this replay
   * @param target gets each batch once
   */
  ReplayPass(
      Selection selection,
      Set<String> replayed,
      long nowUnixMs,
      Consumer<ReplayCandidate.Batch> target) {
    this.selection = selection;
    this.replayed = replayed;
    this.nowUnixMs = nowUnixMs;
    this.target = target;
  }

  void letter(DeadLetter letter) {
    if (!selection.includes(letter)) {
      return;
    }
    ReplayCandidate outcome = ReplayCandidate.of(letter, nowUnixMs);
    if (outcome instanceof ReplayCandidate.Batch batch) {
      if (replayed.add(batch.batchId())) {
        target.accept(batch);
        count(letter, REPLAY);
      } else {
        count(letter, ALREADY);
      }
    } else if (outcome instanceof ReplayCandidate.Impossible impossible) {
      count(letter, IMPOSSIBLE + impossible.why());
    }
  }

  /** "organisation, reason, fate" to counts, in this order. */
  Map<String, Count> counts() {
    return counts;
  }

  private void count(DeadLetter letter, String fate) {
    String organization = letter.getOrganizationId();
    String reason = letter.getReason().name().replaceFirst("^REASON_", "");
    counts.merge(
        (organization.isEmpty() ? "(unknown)" : organization) + "  " + reason + "  " + fate,
        new Count(1, letter.getPointCount()),
        Count::plus);
  }
}
