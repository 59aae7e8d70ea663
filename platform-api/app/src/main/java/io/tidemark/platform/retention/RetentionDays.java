package io.tidemark.platform.retention;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** For how many days each level is kept; null is without a limit, or as the environment's. */
public record RetentionDays(
    @Nullable Integer raw,
    @Nullable Integer minutes,
    @Nullable Integer hours,
    @Nullable Integer days) {

  static final int MAX = 36_500;

  static final RetentionDays UNLIMITED = new RetentionDays(null, null, null, null);

  @Nullable Integer of(Level level) {
    return switch (level) {
      case RAW -> raw;
      case MINUTES -> minutes;
      case HOURS -> hours;
      case DAYS -> days;
    };
  }

  void check(String where, List<String> faults) {
    for (Level level : Level.values()) {
      Integer number = of(level);
      if (number != null && (number < 1 || number > MAX)) {
        faults.add(
            where
                + level.wireName()
                + "_days must be 1 to "
                + MAX
                + ", or absent for no limit of its own.");
      }
    }
  }
}
