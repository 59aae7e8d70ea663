package io.tidemark.flink.testing;

import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneOffset;

/** Times of one test day, written as {@code at("12:00:30")}. */
public final class TestTime {

  private static final LocalDate DAY = LocalDate.of(2026, 3, 1);

  private TestTime() {}

  /** Milliseconds since the Unix epoch of a UTC time of the test day. */
  public static long at(String time) {
    return DAY.atTime(LocalTime.parse(time)).toInstant(ZoneOffset.UTC).toEpochMilli();
  }

  /** Nanoseconds since the Unix epoch of a UTC time of the test day. */
  public static long nanosAt(String time) {
    return at(time) * 1_000_000L;
  }
}
