package io.tidemark.flink.model.alert;

import org.jspecify.annotations.Nullable;

/** The newest version of a rule and the one before, of which the latter decides older minutes. */
public final class RuleVersions {

  private final AlertRule latest;
  private final @Nullable AlertRule previous;
  private final String latestSignal;
  private final String previousSignal;

  public RuleVersions(AlertRule latest, @Nullable AlertRule previous) {
    this.latest = latest;
    this.previous = previous;
    this.latestSignal = latest.signal().identity();
    this.previousSignal = previous == null ? "" : previous.signal().identity();
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

  /** The version that decides a minute of a group of this signal; null when none does. */
  @Nullable AlertRule deciding(String signal, long minute) {
    if (latest.effectiveFrom() <= minute) {
      return signal.equals(latestSignal) ? latest : null;
    }
    return previous != null && previous.effectiveFrom() <= minute && signal.equals(previousSignal)
        ? previous
        : null;
  }

  /** The first minute that a known version of this signal decides. */
  long decidedFrom(String signal) {
    return previous != null && signal.equals(previousSignal)
        ? previous.effectiveFrom()
        : latest.effectiveFrom();
  }
}
