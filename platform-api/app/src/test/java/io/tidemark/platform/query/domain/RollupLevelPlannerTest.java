package io.tidemark.platform.query.domain;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.platform.metricstore.Granularity;
import io.tidemark.platform.metricstore.IntervalSet;
import io.tidemark.platform.metricstore.LabelKey;
import io.tidemark.platform.metricstore.Level;
import io.tidemark.platform.metricstore.ScanSpec;
import io.tidemark.platform.metricstore.Source;
import io.tidemark.platform.metricstore.SplitInterval;
import io.tidemark.platform.metricstore.Store;
import io.tidemark.platform.metricstore.StoreTierRanges;
import io.tidemark.platform.metricstore.TimeInterval;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RollupLevelPlannerTest {

  private static final Instant LATER = Instant.parse("2026-03-20T00:00:00Z");
  private static final Set<LabelKey> CLIENT = Set.of(new LabelKey("metric.client"));

  private static IntervalSet spans(String... times) {
    List<TimeInterval> intervals = new ArrayList<>();
    for (int i = 0; i < times.length; i += 2) {
      intervals.add(
          new TimeInterval(
              Instant.parse("2026-03-" + times[i] + ":00Z"),
              Instant.parse("2026-03-" + times[i + 1] + ":00Z")));
    }
    return IntervalSet.of(intervals);
  }

  private static SplitInterval split(String environment, String from, String to) {
    IntervalSet.Span span = spans(from, to).list().get(0);
    return new SplitInterval(environment, "m", span.from(), span.to(), Set.of("client"));
  }

  @Test
  void eachStretchOfTimeIsReadFromTheWidestWindowsThatFit() {
    IntervalSet asked = spans("10T21:30", "13T01:15");
    assertThat(
            new RollupLevelPlanner(Granularity.ALL, LATER, false, StoreTierRanges.DRUID_ALONE)
                .parts(asked, List.of(), Set.of()))
        .containsExactly(
            ScanSpec.of(Source.DAYS, spans("11T00:00", "13T00:00")),
            ScanSpec.of(Source.HOURS, spans("10T22:00", "11T00:00", "13T00:00", "13T01:00")),
            ScanSpec.of(Source.MINUTES, spans("10T21:30", "10T22:00", "13T01:00", "13T01:15")));
    assertThat(
            new RollupLevelPlanner(Granularity.PT4H, LATER, false, StoreTierRanges.DRUID_ALONE)
                .parts(asked, List.of(), Set.of()))
        .containsExactly(
            ScanSpec.of(Source.HOURS, spans("10T22:00", "13T01:00")),
            ScanSpec.of(Source.MINUTES, spans("10T21:30", "10T22:00", "13T01:00", "13T01:15")));
    assertThat(
            new RollupLevelPlanner(Granularity.PT30M, LATER, false, StoreTierRanges.DRUID_ALONE)
                .parts(asked, List.of(), Set.of()))
        .containsExactly(ScanSpec.of(Source.MINUTES, asked));
  }

  @Test
  void aWeekByDayIsReadFromRowsOfDaysAlone() {
    IntervalSet week = spans("10T00:00", "17T00:00");
    assertThat(
            new RollupLevelPlanner(Granularity.P1D, LATER, false, StoreTierRanges.DRUID_ALONE)
                .parts(week, List.of(), Set.of()))
        .containsExactly(ScanSpec.of(Source.DAYS, week));
    assertThat(
            new RollupLevelPlanner(Granularity.PT1H, LATER, false, StoreTierRanges.DRUID_ALONE)
                .parts(week, List.of(), Set.of()))
        .containsExactly(ScanSpec.of(Source.HOURS, week));
  }

  @Test
  void hoursThatAreNotCompleteAreReadFromMinutes() {
    Instant complete = Instant.parse("2026-03-10T12:10:00Z");
    assertThat(
            new RollupLevelPlanner(Granularity.PT1H, complete, false, StoreTierRanges.DRUID_ALONE)
                .parts(spans("10T10:00", "10T14:00"), List.of(), Set.of()))
        .containsExactly(
            ScanSpec.of(Source.HOURS, spans("10T10:00", "10T12:00")),
            ScanSpec.of(Source.MINUTES, spans("10T12:00", "10T14:00")));
  }

  @Test
  void detailIsReadOnlyWhereItIsNeededAndOfWhomItIs() {
    IntervalSet asked = spans("10T10:00", "10T14:00");
    List<SplitInterval> splits =
        List.of(split("env-1", "10T11:30", "10T13:00"), split("env-2", "10T12:00", "10T20:00"));
    assertThat(
            new RollupLevelPlanner(Granularity.PT1H, LATER, false, StoreTierRanges.DRUID_ALONE)
                .parts(asked, splits, Set.of()))
        .containsExactly(ScanSpec.of(Source.HOURS, asked));
    assertThat(
            new RollupLevelPlanner(Granularity.PT1H, LATER, false, StoreTierRanges.DRUID_ALONE)
                .parts(asked, splits, CLIENT))
        .containsExactlyInAnyOrder(
            ScanSpec.of(Source.HOURS, spans("10T10:00", "10T11:00")),
            ScanSpec.of(Source.MINUTES, spans("10T11:00", "10T11:30")),
            part(Source.MINUTES_IN_DETAIL, spans("10T11:30", "10T12:00"), false, "env-1"),
            part(Source.MINUTES, spans("10T11:30", "10T12:00"), true, "env-1"),
            part(Source.MINUTES_IN_DETAIL, spans("10T12:00", "10T13:00"), false, "env-1", "env-2"),
            part(Source.MINUTES, spans("10T12:00", "10T13:00"), true, "env-1", "env-2"),
            part(Source.MINUTES_IN_DETAIL, spans("10T13:00", "10T14:00"), false, "env-2"),
            part(Source.MINUTES, spans("10T13:00", "10T14:00"), true, "env-2"));
  }

  @Test
  void whatIsOlderThanDruidKeepsIsReadFromTheLake() {
    // Druid keeps minutes from the middle of the 10th on; the lake is asked a day earlier at least.
    long now = spans("20T12:30", "20T12:31").list().get(0).from();
    long tenDays = 10 * Level.DAY.width();
    StoreTierRanges.Age minutes = StoreTierRanges.Age.of(now, tenDays, now);
    assertThat(minutes.lakeBefore()).isEqualTo(start("12T00:00"));
    assertThat(minutes.druidFrom()).isEqualTo(start("11T00:00"));
    StoreTierRanges ages =
        new StoreTierRanges(
            Map.of(
                Source.MINUTES,
                minutes,
                Source.HOURS,
                StoreTierRanges.Age.of(now, 9 * tenDays, now)));
    assertThat(
            new RollupLevelPlanner(Granularity.PT1H, LATER, false, ages)
                .parts(spans("11T23:30", "12T01:00"), List.of(), Set.of()))
        .containsExactly(
            ScanSpec.of(Source.HOURS, spans("12T00:00", "12T01:00")),
            lake(Source.MINUTES, spans("11T23:30", "12T00:00")));
    assertThat(
            new RollupLevelPlanner(Granularity.PT30M, LATER, false, ages)
                .parts(spans("11T23:30", "12T01:00"), List.of(), Set.of()))
        .containsExactly(
            lake(Source.MINUTES, spans("11T23:30", "12T00:00")),
            ScanSpec.of(Source.MINUTES, spans("12T00:00", "12T01:00")));
  }

  @Test
  void whatTheLakeMayNotHaveYetIsReadFromDruidAsLongAsThatHoldsIt() {
    long now = start("20T12:30");
    long tenDays = 10 * Level.DAY.width();
    // Two days behind are no matter. Then a day is left in which Druid is asked.
    assertThat(StoreTierRanges.Age.of(now, tenDays, start("18T12:30")))
        .isEqualTo(StoreTierRanges.Age.of(now, tenDays, now));
    StoreTierRanges.Age behind = StoreTierRanges.Age.of(now, tenDays, start("12T12:30"));
    assertThat(behind.lakeBefore()).isEqualTo(start("11T00:00"));
    StoreTierRanges ages = new StoreTierRanges(Map.of(Source.MINUTES, behind));
    ScanSpec newer = ScanSpec.of(Source.MINUTES, spans("11T00:00", "12T00:00"));
    assertThat(ages.among(List.of(newer))).containsExactly(newer);
    assertThat(ages.missing(newer)).isEqualTo(IntervalSet.NONE);
    // Further behind, days are nowhere for sure.
    StoreTierRanges gap =
        new StoreTierRanges(
            Map.of(Source.MINUTES, StoreTierRanges.Age.of(now, tenDays, start("11T01:00"))));
    List<ScanSpec> parts =
        gap.among(List.of(ScanSpec.of(Source.MINUTES, spans("09T12:00", "12T00:00"))));
    assertThat(parts)
        .containsExactly(
            lake(Source.MINUTES, spans("09T12:00", "10T00:00")),
            ScanSpec.of(Source.MINUTES, spans("10T00:00", "12T00:00")));
    assertThat(gap.missing(parts.get(0))).isEqualTo(IntervalSet.NONE);
    assertThat(gap.missing(parts.get(1))).isEqualTo(spans("10T00:00", "11T00:00"));
  }

  private static long start(String time) {
    return spans(time, "25T00:00").list().get(0).from();
  }

  private static ScanSpec lake(Source source, IntervalSet spans) {
    return new ScanSpec(source, Store.LAKE, spans, Set.of(), true);
  }

  private static ScanSpec part(
      Source source, IntervalSet spans, boolean except, String... environments) {
    return new ScanSpec(source, Store.DRUID, spans, Set.of(environments), except);
  }

  @Test
  void whereSeriesComeFirstABucketIsReadFromOneLevel() {
    assertThat(
            new RollupLevelPlanner(Granularity.P1D, LATER, true, StoreTierRanges.DRUID_ALONE)
                .parts(spans("10T12:00", "12T00:00"), List.of(), Set.of()))
        .containsExactly(
            ScanSpec.of(Source.DAYS, spans("11T00:00", "12T00:00")),
            ScanSpec.of(Source.HOURS, spans("10T12:00", "11T00:00")));
    assertThat(
            new RollupLevelPlanner(Granularity.ALL, LATER, true, StoreTierRanges.DRUID_ALONE)
                .parts(spans("10T12:30", "12T00:00"), List.of(), Set.of()))
        .containsExactly(ScanSpec.of(Source.MINUTES, spans("10T12:30", "12T00:00")));
  }

  @Test
  void noMinuteIsReadTwiceAndNoneIsLeftOut() {
    Random random = new Random(4);
    long begin = Instant.parse("2026-03-10T00:00:00Z").toEpochMilli();
    for (int i = 0; i < 2_000; i++) {
      IntervalSet asked = random(random, begin);
      List<SplitInterval> splits = new ArrayList<>();
      for (IntervalSet.Span span : random(random, begin).list()) {
        splits.add(
            new SplitInterval(
                "env-" + random.nextInt(2), "m", span.from(), span.to(), Set.of("client")));
      }
      Map<Source, StoreTierRanges.Age> ages = new EnumMap<>(Source.class);
      for (Source source : Source.values()) {
        long before = begin + random.nextInt(5) * Level.DAY.width();
        if (random.nextBoolean()) {
          ages.put(source, new StoreTierRanges.Age(before, before - random.nextInt(2)));
        }
      }
      long ownFrom =
          random.nextBoolean()
              ? StoreTierRanges.NEVER
              : begin + random.nextInt(6) * Level.DAY.width();
      RollupLevelPlanner planning =
          new RollupLevelPlanner(
              Granularity.values()[random.nextInt(Granularity.values().length)],
              Instant.ofEpochMilli(begin + random.nextInt(4 * 1440) * 60_000L),
              random.nextBoolean(),
              new StoreTierRanges(ages, ownFrom));
      List<ScanSpec> parts =
          planning.parts(asked, splits, random.nextBoolean() ? CLIENT : Set.of());
      for (ScanSpec part : parts) {
        StoreTierRanges.Age age = ages.get(part.source());
        long before = age == null ? Long.MIN_VALUE / 2 : age.lakeBefore();
        assertThat(
                part.store() == Store.LAKE
                    ? part.spans().from(before)
                    : part.spans().before(before))
            .as("of the wrong store")
            .isEqualTo(IntervalSet.NONE);
        assertThat(
                part.store() == Store.LAKE
                    || ownFrom == StoreTierRanges.NEVER
                    || part.spans().before(ownFrom).isEmpty()
                    || part.spans().from(ownFrom).isEmpty())
            .as("of two datasources")
            .isTrue();
      }
      for (String environment : List.of("env-0", "env-1", "env-2")) {
        IntervalSet read = IntervalSet.NONE;
        for (ScanSpec part : parts) {
          boolean isRead =
              part.environments().isEmpty()
                  || part.environments().contains(environment) != part.except();
          if (isRead) {
            assertThat(read.and(part.spans())).as("read twice").isEqualTo(IntervalSet.NONE);
            read = read.plus(part.spans());
          }
        }
        assertThat(read).isEqualTo(asked);
      }
    }
  }

  private static IntervalSet random(Random random, long begin) {
    List<IntervalSet.Span> spans = new ArrayList<>();
    for (int i = random.nextInt(4); i >= 0; i--) {
      long from = begin + random.nextInt(4 * 1440) * 60_000L;
      spans.add(new IntervalSet.Span(from, from + (1 + random.nextInt(1440)) * 60_000L));
    }
    return IntervalSet.union(spans);
  }
}
