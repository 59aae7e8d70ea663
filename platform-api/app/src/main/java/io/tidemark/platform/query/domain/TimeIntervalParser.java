package io.tidemark.platform.query.domain;

import io.tidemark.platform.metricstore.TimeInterval;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.Period;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads the intervals of the query language: {@code <start>/<end>}, {@code <start>/<duration>},
 * {@code <duration>/<end>}. An instant is ISO 8601 with an offset, or {@code now} with offsets
 * {@code (+|-)<n>(m|h|d)} and truncations {@code |m}, {@code |h}, {@code |d}, applied left to right
 * in UTC.
 */
public final class TimeIntervalParser {

  private static final Pattern NOW = Pattern.compile("now((?:[+-]\\d{1,9}[mhd]|\\|[mhd])*)");
  private static final Pattern STEP = Pattern.compile("([+-])(\\d{1,9})([mhd])|\\|([mhd])");
  private static final Pattern DURATION =
      Pattern.compile(
          "P(?:(\\d{1,4})Y)?(?:(\\d{1,5})M)?(?:(\\d{1,6})W)?(?:(\\d{1,7})D)?"
              + "(T(?:\\d{1,9}H)?(?:\\d{1,9}M)?(?:\\d{1,9}(?:\\.\\d{1,9})?S)?)?");
  private static final Instant EARLIEST = Instant.EPOCH;
  private static final Instant LATEST = Instant.parse("2262-01-01T00:00:00Z");

  private final Instant now;

  /** A parser for which {@code now} is the given time. */
  public TimeIntervalParser(Instant now) {
    this.now = now;
  }

  /**
   * The interval that the text means.
   *
   * @throws IllegalArgumentException with a sentence for the caller
   */
  public TimeInterval parse(String text) {
    String[] sides = text.split("/", -1);
    if (sides.length != 2) {
      throw fault(text, "must have the form <start>/<end>, <start>/<duration> or <duration>/<end>");
    }
    try {
      return parse(text, sides[0].strip(), sides[1].strip());
    } catch (DateTimeException | ArithmeticException outOfRange) {
      throw fault(text, "contains a time that cannot be read; use ISO 8601 with an offset, or now");
    }
  }

  private TimeInterval parse(String text, String left, String right) {
    boolean durationFirst = left.startsWith("P");
    boolean durationLast = right.startsWith("P");
    if (durationFirst && durationLast) {
      throw fault(text, "needs a start or an end beside the duration");
    }
    Instant start;
    Instant end;
    if (durationFirst) {
      end = instant(right);
      start = Length.parse(left, text).before(end);
    } else if (durationLast) {
      start = instant(left);
      end = Length.parse(right, text).after(start);
    } else {
      start = instant(left);
      end = instant(right);
    }
    // The store counts in milliseconds; finer digits would only look exact.
    start = start.truncatedTo(ChronoUnit.MILLIS);
    end = end.truncatedTo(ChronoUnit.MILLIS);
    if (!start.isBefore(end)) {
      throw fault(text, "must start before it ends");
    }
    if (start.isBefore(EARLIEST) || end.isAfter(LATEST)) {
      throw fault(text, "must lie between the years 1970 and 2262");
    }
    return new TimeInterval(start, end);
  }

  private Instant instant(String text) {
    Matcher relative = NOW.matcher(text);
    if (!relative.matches()) {
      return OffsetDateTime.parse(text.replace("-00:00", "+00:00")).toInstant();
    }
    Instant instant = now;
    Matcher step = STEP.matcher(relative.group(1));
    while (step.find()) {
      if (step.group(4) != null) {
        instant = instant.truncatedTo(unit(step.group(4)));
      } else {
        long amount = Long.parseLong(step.group(2));
        instant = instant.plus("-".equals(step.group(1)) ? -amount : amount, unit(step.group(3)));
      }
    }
    return instant;
  }

  private static ChronoUnit unit(String letter) {
    return switch (letter) {
      case "m" -> ChronoUnit.MINUTES;
      case "h" -> ChronoUnit.HOURS;
      case "d" -> ChronoUnit.DAYS;
      default -> throw new IllegalStateException("The pattern allows m, h and d");
    };
  }

  private static IllegalArgumentException fault(String text, String rule) {
    return new IllegalArgumentException("The interval '" + text + "' " + rule + ".");
  }

  /** An ISO 8601 duration; years and months count by the calendar in UTC. */
  private record Length(Period dates, Duration time) {

    static Length parse(String text, String whole) {
      Matcher matcher = DURATION.matcher(text);
      if (!matcher.matches() || text.equals("P") || text.endsWith("T")) {
        throw fault(whole, "contains a duration that cannot be read; use ISO 8601 such as PT1H");
      }
      Period dates =
          Period.of(number(matcher.group(1)), number(matcher.group(2)), 0)
              .plusDays(7L * number(matcher.group(3)) + number(matcher.group(4)));
      Duration time =
          matcher.group(5) == null ? Duration.ZERO : Duration.parse("P" + matcher.group(5));
      return new Length(dates, time);
    }

    Instant after(Instant start) {
      return start.atOffset(ZoneOffset.UTC).plus(dates).plus(time).toInstant();
    }

    Instant before(Instant end) {
      return end.atOffset(ZoneOffset.UTC).minus(time).minus(dates).toInstant();
    }

    private static int number(String digits) {
      return digits == null ? 0 : Integer.parseInt(digits);
    }
  }
}
