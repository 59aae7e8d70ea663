package io.tidemark.platform.alerting;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A silence as people write it. Pure.
 *
 * @param startsAt null in a draft that means now
 * @param repeat null when it comes once
 */
public record SilenceDefinition(
    String comment,
    List<IncidentMatcher> matchers,
    @Nullable Instant startsAt,
    @Nullable Instant endsAt,
    @Nullable Repeat repeat) {

  /**
   * How it comes again: at the same time of the clocks of a place.
   *
   * @param every day or week
   * @param until no repetition begins at or after it; null without end
   */
  public record Repeat(@Nullable String every, String timeZone, @Nullable Instant until) {
    private int days() {
      return Objects.requireNonNull(every).equals("week") ? 7 : 1;
    }
  }

  private static final int LONGEST_COMMENT = 1_000;
  private static final Duration LONGEST = Duration.ofDays(366);
  private static final Set<String> ZONES = ZoneId.getAvailableZoneIds();

  /** PostgreSQL and clocks know years of four digits. */
  private static final Instant LAST = Instant.parse("9999-01-01T00:00:00Z");

  private static final Instant FIRST = Instant.parse("2000-01-01T00:00:00Z");

  public SilenceDefinition {
    matchers = List.copyOf(matchers);
  }

  SilenceDefinition startingAt(@Nullable Instant start) {
    return startsAt != null
        ? this
        : new SilenceDefinition(comment, matchers, start, endsAt, repeat);
  }

  /** One sentence a fault, naming the field. */
  List<String> faults() {
    List<String> faults = new ArrayList<>();
    if (comment == null
        || comment.isBlank()
        || comment.length() > LONGEST_COMMENT
        || comment.indexOf('\0') >= 0) {
      faults.add("comment must be 1 to " + LONGEST_COMMENT + " characters.");
    }
    IncidentMatcher.check("matchers", matchers, faults);
    if (endsAt == null
        || !Objects.requireNonNull(startsAt).isBefore(endsAt)
        || startsAt.isBefore(FIRST)
        || !endsAt.isBefore(LAST)) {
      faults.add("ends_at must be after starts_at, and both in the years 2000 to 9998.");
    } else {
      times(faults);
    }
    return faults;
  }

  private void times(List<String> faults) {
    Duration lasts = Duration.between(startsAt, endsAt);
    if (repeat == null) {
      if (lasts.compareTo(LONGEST) > 0) {
        faults.add("ends_at must be at most 366 days after starts_at.");
      }
      return;
    }
    if (repeat.every() == null) {
      faults.add("repeat.every must be day or week.");
    } else if (lasts.compareTo(Duration.ofDays(repeat.days())) > 0) {
      faults.add("ends_at must be at most one " + repeat.every() + " after starts_at.");
    }
    if (repeat.timeZone() == null || !ZONES.contains(repeat.timeZone())) {
      faults.add("repeat.time_zone must be a name such as Europe/Berlin or UTC.");
    }
    if (repeat.until() != null
        && (!repeat.until().isAfter(startsAt) || !repeat.until().isBefore(LAST))) {
      faults.add("repeat.until must be after starts_at, and before the year 9999.");
    }
  }

  /** Whether nobody is told at this time. */
  boolean isActive(Instant at) {
    if (repeat == null) {
      return !at.isBefore(startsAt) && at.isBefore(endsAt);
    }
    if (at.isBefore(startsAt)) {
      return false;
    }
    ZoneId zone = ZoneId.of(repeat.timeZone());
    LocalDateTime first = LocalDateTime.ofInstant(startsAt, zone);
    long passed = ChronoUnit.DAYS.between(first, LocalDateTime.ofInstant(at, zone)) / repeat.days();
    Duration lasts = Duration.between(startsAt, endsAt);
    // Clocks that are put forward or back move a repetition by less than one period.
    for (long number = Math.max(0, passed - 1); number <= passed + 1; number++) {
      Instant start = first.plusDays(number * repeat.days()).atZone(zone).toInstant();
      if ((repeat.until() == null || start.isBefore(repeat.until()))
          && !at.isBefore(start)
          && at.isBefore(start.plus(lasts))) {
        return true;
      }
    }
    return false;
  }

  /** Never active at or after it; null when there is no such time. */
  @Nullable Instant overAt() {
    if (repeat == null) {
      return endsAt;
    }
    return repeat.until() == null ? null : repeat.until().plus(Duration.between(startsAt, endsAt));
  }

  /** waiting, active or over. */
  public String state(Instant at) {
    if (isActive(at)) {
      return "active";
    }
    return overAt() != null && !at.isBefore(overAt()) ? "over" : "waiting";
  }

  boolean fits(Incident incident) {
    return IncidentMatcher.allFit(matchers, incident);
  }
}
