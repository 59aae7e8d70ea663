package io.tidemark.platform.alerting;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a rule compares with what, in the words of the control API.
 *
 * @param recoveryThreshold null without hysteresis
 * @param limit of a forecast; null for other kinds
 * @param early whether open minutes may raise; null, as in rows that were stored without it, is no
 */
public record AlertCondition(
    @Nullable String kind,
    @Nullable String metric,
    @Nullable String aggregation,
    List<Matcher> matchers,
    boolean perSeries,
    List<String> groupBy,
    int windowMinutes,
    @Nullable String operator,
    double threshold,
    @Nullable Double recoveryThreshold,
    int forMinutes,
    int recoverAfterMinutes,
    int noDataAfterMinutes,
    int offsetMinutes,
    boolean percent,
    @Nullable String denominatorMetric,
    @Nullable String denominatorAggregation,
    double quantile,
    int days,
    @Nullable Double limit,
    @Nullable Boolean early) {

  /** A label of rows and what it must be. */
  public record Matcher(
      @Nullable String label, @Nullable String operator, @Nullable String value) {}

  private static final int MAX_MINUTES = 1_440;
  private static final int MAX_NAMES = 16;
  private static final int LONGEST_NAME = 255;
  private static final int LONGEST_VALUE = 1_000;
  private static final int MIN_FORECAST = 3;
  private static final int MIN_DAYS = 2;
  private static final int MAX_DAYS = 14;
  private static final int MAX_EARLY_MINUTES = 15;

  /** Of a minute that is not over they are a part of what they will be. */
  private static final Set<String> GROWING = Set.of("sum", "count", "rate");

  /** Whose numbers are the aggregation itself. */
  private static final Set<String> COUNTED_KINDS = Set.of("threshold");

  public AlertCondition {
    matchers = List.copyOf(matchers);
    groupBy = List.copyOf(groupBy);
    early = Boolean.TRUE.equals(early) ? Boolean.TRUE : null;
  }

  /** One sentence a fault, naming the field; empty when the pipeline can evaluate it. */
  public List<String> faults() {
    List<String> faults = new ArrayList<>();
    name("condition.metric", metric, faults);
    minutes("condition.window_minutes", windowMinutes, 1, faults);
    minutes("condition.for_minutes", forMinutes, 0, faults);
    minutes("condition.recover_after_minutes", recoverAfterMinutes, 0, faults);
    minutes("condition.no_data_after_minutes", noDataAfterMinutes, 1, faults);
    thresholds(faults);
    reach(faults);
    groups(faults);
    matcherFaults(faults);
    ofKind(faults);
    if (isEarly()) {
      earlyFaults(faults);
    }
    return faults;
  }

  /** Whether open minutes may raise, before they are complete. */
  public boolean isEarly() {
    return Boolean.TRUE.equals(early);
  }

  private void earlyFaults(List<String> faults) {
    if (windowMinutes > MAX_EARLY_MINUTES) {
      faults.add(
          "condition.window_minutes must be at most "
              + MAX_EARLY_MINUTES
              + " when condition.early is true.");
    }
    boolean isGrowing = GROWING.contains(aggregation);
    boolean isLower = operator != null && operator.startsWith("l");
    switch (Objects.requireNonNull(kind)) {
      case "absence" ->
          faults.add(
              "condition.early must be false for absence: it is known when a minute is complete.");
      case "forecast" -> {
        if (isGrowing) {
          faults.add(
              "condition.early must be false for a forecast of sum, count or rate: those of an"
                  + " unfinished minute are too small.");
        }
      }
      case "threshold", "change", "anomaly" -> {
        if (isGrowing && isLower) {
          faults.add(
              "condition.early must be false for sum, count or rate with lt or lte: those of an"
                  + " unfinished minute are below any threshold at first.");
        }
      }
      default -> {
        // Ratios and quantiles do not grow with the minute.
      }
    }
  }

  private void thresholds(List<String> faults) {
    if (operator == null) {
      faults.add("condition.operator must be gt, gte, lt or lte.");
      return;
    }
    if (!Double.isFinite(threshold)) {
      faults.add("condition.threshold must be a finite number.");
    }
    if (recoveryThreshold != null) {
      boolean isUpper = operator.startsWith("g");
      boolean isBeyond = isUpper ? recoveryThreshold > threshold : recoveryThreshold < threshold;
      if (!Double.isFinite(recoveryThreshold) || isBeyond) {
        faults.add(
            "condition.recovery_threshold must be on the other side of condition.threshold, or"
                + " equal to it: beyond it an alert would end while it fires.");
      }
    }
  }

  /** A comparison that always or never holds says nothing, and nobody notices. */
  private void reach(List<String> faults) {
    boolean isCount = "count".equals(aggregation) && COUNTED_KINDS.contains(kind);
    boolean isMinutes = "absence".equals(kind) || "forecast".equals(kind);
    if (operator == null || !(isCount || isMinutes) || !Double.isFinite(threshold)) {
      return;
    }
    boolean isNever =
        switch (operator) {
          case "lt" -> threshold <= 0;
          case "lte" -> threshold < 0;
          default -> false;
        };
    boolean isAlways =
        switch (operator) {
          case "gt" -> threshold < 0;
          case "gte" -> threshold <= 0;
          default -> false;
        };
    if (isNever || isAlways) {
      faults.add(
          "condition.threshold must be one that numbers can be on both sides of: those of this"
              + " condition are never below 0, so it would "
              + (isNever ? "never hold." : "always hold."));
    }
    boolean isUpper = operator.startsWith("g");
    if ("absence".equals(kind) && isUpper && threshold > MAX_MINUTES) {
      faults.add(
          "condition.threshold must be at most "
              + MAX_MINUTES
              + " minutes for absence: a group that is silent for a day is forgotten.");
    }
  }

  private void groups(List<String> faults) {
    if (perSeries && !groupBy.isEmpty()) {
      faults.add("condition.group_by must be empty when condition.per_series is true.");
    }
    if (groupBy.size() > MAX_NAMES || new HashSet<>(groupBy).size() < groupBy.size()) {
      faults.add("condition.group_by must be at most " + MAX_NAMES + " different labels.");
    }
    groupBy.forEach(label -> label("condition.group_by", label, faults));
  }

  private void matcherFaults(List<String> faults) {
    if (matchers.size() > MAX_NAMES) {
      faults.add("condition.matchers must be at most " + MAX_NAMES + ".");
    }
    for (Matcher matcher : matchers) {
      label("condition.matchers.label", matcher.label(), faults);
      if (matcher.operator() == null) {
        faults.add("condition.matchers.operator must be eq, ne, regex or not_regex.");
      } else if (matcher.value() == null
          || matcher.value().length() > LONGEST_VALUE
          || matcher.value().indexOf('\0') >= 0) {
        faults.add("condition.matchers.value must be at most " + LONGEST_VALUE + " characters.");
      } else if (matcher.operator().endsWith("regex")) {
        expression(matcher.value(), faults);
      }
    }
  }

  private static void expression(String text, List<String> faults) {
    try {
      Objects.requireNonNull(Pattern.compile(text));
    } catch (PatternSyntaxException notRe2) {
      faults.add(
          "condition.matchers.value is not a regular expression of RE2: "
              + notRe2.getDescription()
              + ".");
    }
  }

  private void ofKind(List<String> faults) {
    switch (Objects.requireNonNull(kind)) {
      case "change" -> minutes("condition.offset_minutes", offsetMinutes, 1, faults);
      case "ratio" -> {
        name("condition.denominator_metric", denominatorMetric, faults);
        if (perSeries) {
          faults.add(
              "condition.per_series must be false for a ratio: series of two metrics are never the"
                  + " same. Use condition.group_by.");
        }
      }
      case "quantile" -> {
        if (!(quantile > 0 && quantile < 1)) {
          faults.add("condition.quantile must be between 0 and 1.");
        }
      }
      case "anomaly" -> {
        if (days < MIN_DAYS || days > MAX_DAYS) {
          faults.add("condition.days must be " + MIN_DAYS + " to " + MAX_DAYS + ".");
        }
      }
      case "forecast" -> {
        if (limit == null || !Double.isFinite(limit)) {
          faults.add("condition.limit must be a finite number.");
        }
        if (windowMinutes < MIN_FORECAST) {
          faults.add(
              "condition.window_minutes must be at least " + MIN_FORECAST + " for a forecast.");
        }
      }
      default -> {
        // threshold and absence need nothing more.
      }
    }
  }

  private static void minutes(String field, int minutes, int least, List<String> faults) {
    if (minutes < least || minutes > MAX_MINUTES) {
      faults.add(field + " must be " + least + " to " + MAX_MINUTES + ".");
    }
  }

  private static void name(String field, @Nullable String name, List<String> faults) {
    if (name == null
        || name.isEmpty()
        || name.length() > LONGEST_NAME
        || name.codePoints().anyMatch(Character::isISOControl)) {
      faults.add(
          field + " must be 1 to " + LONGEST_NAME + " characters without control characters.");
    }
  }

  private static void label(String field, @Nullable String label, List<String> faults) {
    if (label == null
        || label.length() > LONGEST_NAME
        || !(label.startsWith("metric.") || label.startsWith("resource."))
        || label.codePoints().anyMatch(Character::isISOControl)) {
      faults.add(
          field
              + " must be metric.<attribute> or resource.<attribute>, at most "
              + LONGEST_NAME
              + " characters.");
    }
  }
}
