package io.tidemark.platform.billing.domain;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.util.Optional;

/**
 * A month in UTC. Its hours are of equal length all year: no clock of a country changes them, so no
 * hour is billed twice or never.
 */
public record BillingPeriod(YearMonth month) implements Comparable<BillingPeriod> {

  public static BillingPeriod at(Instant time) {
    return new BillingPeriod(YearMonth.from(time.atOffset(ZoneOffset.UTC)));
  }

  /** The period of a text such as 2026-11; empty for another text. */
  public static Optional<BillingPeriod> of(String text) {
    try {
      return text.length() == 7 && text.charAt(4) == '-'
          ? Optional.of(new BillingPeriod(YearMonth.parse(text)))
          : Optional.empty();
    } catch (DateTimeParseException notAMonth) {
      return Optional.empty();
    }
  }

  public Instant start() {
    return firstDay().atStartOfDay(ZoneOffset.UTC).toInstant();
  }

  public Instant end() {
    return next().start();
  }

  public LocalDate firstDay() {
    return month.atDay(1);
  }

  public long hours() {
    return Duration.between(start(), end()).toHours();
  }

  public BillingPeriod next() {
    return new BillingPeriod(month.plusMonths(1));
  }

  public BillingPeriod previous() {
    return new BillingPeriod(month.minusMonths(1));
  }

  @Override
  public int compareTo(BillingPeriod other) {
    return month.compareTo(other.month);
  }

  /** As in 2026-11. */
  @Override
  public String toString() {
    return month.toString();
  }
}
