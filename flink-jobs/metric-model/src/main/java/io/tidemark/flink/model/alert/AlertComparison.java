package io.tidemark.flink.model.alert;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * When a value is an alert.
 *
 * @param recoveryThreshold compared with while firing, so that a value near the threshold does not
 *     flap; equal to the threshold without hysteresis
 */
public record AlertComparison(Operator operator, double threshold, double recoveryThreshold) {

  /** The value stands on the left. */
  public enum Operator {
    GT,
    GTE,
    LT,
    LTE;

    /** The operator of a contract's name; null when it is not known. */
    public static @Nullable Operator named(String wireName) {
      for (Operator operator : values()) {
        if (operator.name().toLowerCase(Locale.ROOT).equals(wireName)) {
          return operator;
        }
      }
      return null;
    }

    boolean holds(double value, double limit) {
      return switch (this) {
        case GT -> value > limit;
        case GTE -> value >= limit;
        case LT -> value < limit;
        case LTE -> value <= limit;
      };
    }

    boolean isUpper() {
      return this == GT || this == GTE;
    }
  }

  /** Whether the value raises, or while an incident is open keeps it open. */
  public boolean holds(double value, boolean isOpen) {
    return operator.holds(value, isOpen ? recoveryThreshold : threshold);
  }

  List<String> faults() {
    List<String> faults = new ArrayList<>();
    if (!Double.isFinite(threshold) || !Double.isFinite(recoveryThreshold)) {
      faults.add("threshold and recovery_threshold must be finite numbers.");
    } else if (operator.isUpper() ? recoveryThreshold > threshold : recoveryThreshold < threshold) {
      faults.add("recovery_threshold is beyond threshold: the alert would end while it fires.");
    }
    return faults;
  }
}
