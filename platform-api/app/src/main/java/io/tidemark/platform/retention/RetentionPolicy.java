package io.tidemark.platform.retention;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How long the data of an environment are kept.
 *
 * @param environment for metrics that no exception fits
 * @param metrics exceptions; for a metric the one with the longest pattern that fits holds, and
 *     where it says nothing of a level, the environment's
 */
public record RetentionPolicy(RetentionDays environment, List<OfMetrics> metrics) {

  static final RetentionPolicy UNLIMITED = new RetentionPolicy(RetentionDays.UNLIMITED, List.of());

  private static final int MAX_EXCEPTIONS = 100;
  private static final int LONGEST_PATTERN = 255;

  /**
   * An exception.
   *
   * @param pattern name of a metric, or the beginning of names followed by '*'
   */
  public record OfMetrics(String pattern, RetentionDays kept) {

    boolean isPrefix() {
      return pattern.endsWith("*");
    }

    /** The name, or what names begin with. */
    String text() {
      return isPrefix() ? pattern.substring(0, pattern.length() - 1) : pattern;
    }

    boolean fits(String metric) {
      return isPrefix() ? metric.startsWith(text()) : metric.equals(pattern);
    }
  }

  /**
   * Rows that are expired: of metrics that the pattern fits and the others do not, with windows
   * that began before the time.
   *
   * @param pattern null for every metric
   * @param others exceptions that come before
   */
  public record Expired(@Nullable OfMetrics pattern, List<OfMetrics> others, Instant before) {}

  /** Puts exceptions in the order in which they hold: names, then prefixes, the longest first. */
  public RetentionPolicy {
    metrics =
        metrics.stream()
            .sorted(
                Comparator.comparing(OfMetrics::isPrefix)
                    .thenComparing(exception -> -exception.pattern().length())
                    .thenComparing(OfMetrics::pattern))
            .toList();
  }

  /** One sentence per thing that is wrong. */
  List<String> faults() {
    List<String> faults = new ArrayList<>();
    environment.check("", faults);
    if (metrics.size() > MAX_EXCEPTIONS) {
      faults.add("metrics must be at most " + MAX_EXCEPTIONS + ".");
    }
    Set<String> patterns = new HashSet<>();
    for (OfMetrics exception : metrics) {
      String pattern = exception.pattern();
      int star = pattern.indexOf('*');
      if (pattern.isEmpty()
          || pattern.length() > LONGEST_PATTERN
          || pattern.codePoints().anyMatch(Character::isISOControl)
          || (star >= 0 && star < pattern.length() - 1)) {
        faults.add(
            "pattern must be the name of a metric or the beginning of names followed by one '*', 1"
                + " to "
                + LONGEST_PATTERN
                + " characters.");
      } else if (!patterns.add(pattern)) {
        faults.add("The pattern " + pattern + " comes twice.");
      }
      exception.kept().check("metrics " + pattern + ": ", faults);
    }
    return faults;
  }

  /** For how many days a level of a metric is kept; null without a limit. */
  @Nullable Integer days(String metric, Level level) {
    return metrics.stream()
        .filter(exception -> exception.fits(metric))
        .findFirst()
        .map(exception -> days(exception, level))
        .orElse(environment.of(level));
  }

  private @Nullable Integer days(OfMetrics exception, Level level) {
    Integer own = exception.kept().of(level);
    return own == null ? environment.of(level) : own;
  }

  /** What is expired at a time; rows that fit none of them are kept. */
  public List<Expired> expired(Level level, Instant now) {
    List<Expired> expired = new ArrayList<>();
    for (int i = 0; i < metrics.size(); i++) {
      add(expired, metrics.get(i), metrics.subList(0, i), days(metrics.get(i), level), now);
    }
    add(expired, null, metrics, environment.of(level), now);
    return expired;
  }

  private static void add(
      List<Expired> expired,
      @Nullable OfMetrics pattern,
      List<OfMetrics> others,
      @Nullable Integer days,
      Instant now) {
    if (days != null) {
      expired.add(new Expired(pattern, others, now.minus(Duration.ofDays(days))));
    }
  }
}
