package io.tidemark.contracts.deadletter.replay;

import io.tidemark.contracts.deadletter.v1.DeadLetter;
import java.util.Comparator;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;

/** One walk over the dead letters: what is replayed, what was, what cannot be; and the counts. */
public final class ReplayPass {

  /** What becomes of a letter. */
  public enum Fate {
    REPLAY("to replay"),
    ALREADY("replayed before"),
    IMPOSSIBLE("not replayable: ");

    private final String phrase;

    Fate(String phrase) {
      this.phrase = phrase;
    }

    public String phrase() {
      return phrase;
    }
  }

  /**
   * What letters have in common that are counted together.
   *
   * @param organization empty when it is not known
   * @param reason as in the vocabulary
   * @param why one phrase, of those that cannot be replayed; otherwise empty
   */
  public record Outcome(String organization, String reason, Fate fate, String why)
      implements Comparable<Outcome> {

    private static final Comparator<Outcome> ORDER =
        Comparator.comparing(Outcome::organization)
            .thenComparing(Outcome::reason)
            .thenComparing(Outcome::fate)
            .thenComparing(Outcome::why);

    @Override
    public int compareTo(Outcome other) {
      return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
      return (organization.isEmpty() ? "(unknown)" : organization)
          + "  "
          + reason
          + "  "
          + fate.phrase()
          + why;
    }
  }

  /** Letters and points of one outcome. */
  public record Count(long letters, long points) {
    Count plus(Count other) {
      return new Count(letters + other.letters, points + other.points);
    }
  }

  private final Selection selection;
  private final Set<String> replayed;
  private final Set<String> own;
  private final long nowUnixMs;
  private final Consumer<ReplayCandidate.Batch> target;
  private final Map<Outcome, Count> counts = new TreeMap<>();

  /**
   * @param replayed batch ids of earlier replays; those of this walk are added
   * @param own those among them that an earlier attempt of this replay wrote: they count as
   *     replayed and are not sent again; those met are taken out
   * @param nowUnixMs the time of this replay
   * @param target gets each batch once
   */
  public ReplayPass(
      Selection selection,
      Set<String> replayed,
      Set<String> own,
      long nowUnixMs,
      Consumer<ReplayCandidate.Batch> target) {
    this.selection = selection;
    this.replayed = replayed;
    this.own = own;
    this.nowUnixMs = nowUnixMs;
    this.target = target;
  }

  public void letter(DeadLetter letter) {
    if (!selection.includes(letter)) {
      return;
    }
    ReplayCandidate candidate = ReplayCandidate.of(letter, nowUnixMs);
    if (candidate instanceof ReplayCandidate.Batch batch) {
      if (replayed.add(batch.batchId())) {
        target.accept(batch);
        count(letter, Fate.REPLAY, "");
      } else {
        count(letter, own.remove(batch.batchId()) ? Fate.REPLAY : Fate.ALREADY, "");
      }
    } else if (candidate instanceof ReplayCandidate.Impossible impossible) {
      count(letter, Fate.IMPOSSIBLE, impossible.why());
    }
  }

  /** By organisation, reason and fate, in this order. */
  public Map<Outcome, Count> counts() {
    return counts;
  }

  private void count(DeadLetter letter, Fate fate, String why) {
    counts.merge(
        new Outcome(
            letter.getOrganizationId(),
            letter.getReason().name().replaceFirst("^REASON_", ""),
            fate,
            why),
        new Count(1, letter.getPointCount()),
        Count::plus);
  }
}
