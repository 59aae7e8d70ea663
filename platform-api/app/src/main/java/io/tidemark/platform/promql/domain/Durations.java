package io.tidemark.platform.promql.domain;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Lengths of time as Prometheus writes them: {@code 1h30m}, or seconds as a number. */
public final class Durations {

  private static final Map<String, Long> UNITS =
      Map.of(
          "ms", 1L,
          "s", 1_000L,
          "m", 60_000L,
          "h", 3_600_000L,
          "d", 86_400_000L,
          "w", 604_800_000L,
          "y", 31_536_000_000L);
  private static final Pattern WHOLE = Pattern.compile("(?:\\d{1,9}(?:ms|[smhdwy]))+");
  private static final Pattern PART = Pattern.compile("(\\d{1,9})(ms|[smhdwy])");

  /** Longer is no duration: a hundred years. */
  private static final long MAX = 100 * 31_536_000_000L;

  private Durations() {}

  /** Milliseconds; empty when the text is no duration. */
  public static OptionalLong parse(@Nullable String text) {
    if (!WHOLE.matcher(text).matches()) {
      return ofSeconds(text);
    }
    long sum = 0;
    Matcher part = PART.matcher(text);
    while (part.find()) {
      sum += Math.multiplyExact(Long.parseLong(part.group(1)), unit(part.group(2)));
      if (sum > MAX) {
        return OptionalLong.empty();
      }
    }
    return OptionalLong.of(sum);
  }

  private static long unit(String name) {
    return Objects.requireNonNull(UNITS.get(name));
  }

  /** A text with whole units, the greatest first: {@code 1h30m}. */
  static String text(long milliseconds) {
    StringBuilder text = new StringBuilder();
    long rest = milliseconds;
    for (String unit : List.of("d", "h", "m", "s", "ms")) {
      long number = rest / unit(unit);
      if (number > 0) {
        text.append(number).append(unit);
        rest -= number * unit(unit);
      }
    }
    return text.isEmpty() ? "0s" : text.toString();
  }

  private static OptionalLong ofSeconds(@Nullable String text) {
    try {
      double seconds = Double.parseDouble(text);
      return seconds >= 0 && seconds <= MAX / 1_000.0
          ? OptionalLong.of(Math.round(seconds * 1_000))
          : OptionalLong.empty();
    } catch (NumberFormatException noNumber) {
      return OptionalLong.empty();
    }
  }
}
