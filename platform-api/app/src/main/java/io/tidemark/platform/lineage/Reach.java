package io.tidemark.platform.lineage;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How far an edge is.
 *
 * @param kind what can be said of it
 * @param until the watermark; null but for {@link Kind#KNOWN}
 * @param missing why there is no watermark; null for {@link Kind#KNOWN}
 * @param lateAfter a longer lag is late; null where there is none
 */
public record Reach(
    Kind kind, @Nullable Instant until, @Nullable String missing, @Nullable Duration lateAfter) {

  /** What can be said of an edge. */
  public enum Kind {
    KNOWN,
    UNKNOWN,
    /** What goes over the edge has arrived when its sender is answered. */
    IMMEDIATE,
    /** Nothing has to go over the edge. */
    UNNEEDED
  }

  static Reach known(Instant until, Duration lateAfter) {
    return new Reach(Kind.KNOWN, until, null, lateAfter);
  }

  /** Known when there is a time. */
  static Reach of(Optional<Instant> until, Duration lateAfter, String missing) {
    return until.map(time -> known(time, lateAfter)).orElseGet(() -> unknown(missing));
  }

  static Reach unknown(String why) {
    return new Reach(Kind.UNKNOWN, null, why, null);
  }

  static Reach immediate(String why) {
    return new Reach(Kind.IMMEDIATE, null, why, null);
  }

  static Reach unneeded(String why) {
    return new Reach(Kind.UNNEEDED, null, why, null);
  }

  /** How old the watermark is; empty without one. Clocks of machines differ a little. */
  Optional<Duration> lag(Instant now) {
    return switch (kind) {
      case KNOWN ->
          Optional.of(
              Objects.requireNonNull(until).isAfter(now)
                  ? Duration.ZERO
                  : Duration.between(until, now));
      case IMMEDIATE -> Optional.of(Duration.ZERO);
      case UNKNOWN, UNNEEDED -> Optional.empty();
    };
  }

  boolean isLate(Instant now) {
    return kind == Kind.KNOWN && lag(now).orElseThrow().compareTo(lateAfter) > 0;
  }
}
