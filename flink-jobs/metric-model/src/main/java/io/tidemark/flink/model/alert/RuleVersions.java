package io.tidemark.flink.model.alert;

import org.jspecify.annotations.Nullable;

/** The newest version of a rule and the one before, of which the latter decides older minutes. */
public final class RuleVersions {

  private final AlertRule latest;
  private final @Nullable AlertRule previous;
  private final String latestSignal;
  private final String previousSignal;

  /**
   * @param previous ignored when the rule was disabled since: the record that said so may never
   *     have been seen, because a key keeps its last record only
   */
  public RuleVersions(AlertRule latest, @Nullable AlertRule previous) {
    this.latest = latest;
    this.previous =
        previous != null && previous.effectiveFrom() >= latest.enabledFrom() ? previous : null;
    this.latestSignal = latest.signal().identity();
    this.previousSignal = this.previous == null ? "" : this.previous.signal().identity();
  }

  /**
   * What is in force with a newer version. A version that another replaces in the minute in which
   * it was made never decides: the one before it still decides that minute.
   */
  public RuleVersions followedBy(AlertRule next) {
    return new RuleVersions(
        next, latest.effectiveFrom() < next.effectiveFrom() ? latest : previous);
  }

  public AlertRule latest() {
    return latest;
  }

  public @Nullable AlertRule previous() {
    return previous;
  }

  /** {@link AlertSignal#identity} of the newest version. */
  public String latestSignal() {
    return latestSignal;
  }

  /** The same of the version before; empty without one. */
  public String previousSignal() {
    return previousSignal;
  }

  /** Whether the version before looked at another number, so that its groups end. */
  public boolean isOther(String signal) {
    return !signal.equals(latestSignal);
  }

  /** What a version of the rule looks at under an identity; null when none does. */
  public @Nullable AlertSignal signal(String identity) {
    if (identity.equals(latestSignal)) {
      return latest.signal();
    }
    return previous != null && identity.equals(previousSignal) ? previous.signal() : null;
  }

  /** The version that decides a minute of a group of this signal; null when none does. */
  public @Nullable AlertRule deciding(String signal, long minute) {
    if (latest.effectiveFrom() <= minute) {
      return signal.equals(latestSignal) ? latest : null;
    }
    return previous != null && previous.effectiveFrom() <= minute && signal.equals(previousSignal)
        ? previous
        : null;
  }

  /**
   * Start of the first minute whose rows a version of this signal needs. Late rows of minutes that
   * the version before decided count as long as its groups go on.
   */
  public long wantedFrom(String signal) {
    boolean isLatest = signal.equals(latestSignal);
    AlertRule first = previous != null && signal.equals(previousSignal) ? previous : latest;
    return first.effectiveFrom() - (isLatest ? latest : first).lookbackMs();
  }

  /** The first minute that a known version of this signal decides. */
  long decidedFrom(String signal) {
    return previous != null && signal.equals(previousSignal)
        ? previous.effectiveFrom()
        : latest.effectiveFrom();
  }
}
