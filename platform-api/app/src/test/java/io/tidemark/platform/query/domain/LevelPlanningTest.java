package io.tidemark.platform.query.domain;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class LevelPlanningTest {

  private static final Instant LATER = Instant.parse("2026-03-20T00:00:00Z");
  private static final Set<LabelKey> CLIENT = Set.of(new LabelKey("metric.client"));

  private static Spans spans(String... times) {
    List<TimeInterval> intervals = new ArrayList<>();
    for (int i = 0; i < times.length; i += 2) {
      intervals.add(
          new TimeInterval(
              Instant.parse("2026-03-" + times[i] + ":00Z"),
              Instant.parse("2026-03-" + times[i + 1] + ":00Z")));
    }
    return Spans.of(intervals);
  }

  private static SplitInterval split(String environment, String from, String to) {
    Spans.Span span = spans(from, to).list().get(0);
    return new SplitInterval(environment, "m", span.from(), span.to(), Set.of("client"));
  }

  @Test
  void eachStretchOfTimeIsReadFromTheWidestWindowsThatFit() {
    Spans asked = spans("10T21:30", "13T01:15");
    assertThat(new LevelPlanning(Granularity.ALL, LATER, false).parts(asked, List.of(), Set.of()))
        .containsExactly(
            Part.of(Source.DAYS, spans("11T00:00", "13T00:00")),
            Part.of(Source.HOURS, spans("10T22:00", "11T00:00", "13T00:00", "13T01:00")),
            Part.of(Source.MINUTES, spans("10T21:30", "10T22:00", "13T01:00", "13T01:15")));
    assertThat(new LevelPlanning(Granularity.PT4H, LATER, false).parts(asked, List.of(), Set.of()))
        .containsExactly(
            Part.of(Source.HOURS, spans("10T22:00", "13T01:00")),
            Part.of(Source.MINUTES, spans("10T21:30", "10T22:00", "13T01:00", "13T01:15")));
    assertThat(new LevelPlanning(Granularity.PT30M, LATER, false).parts(asked, List.of(), Set.of()))
        .containsExactly(Part.of(Source.MINUTES, asked));
  }

  @Test
  void hoursThatAreNotCompleteAreReadFromMinutes() {
    Instant complete = Instant.parse("2026-03-10T12:10:00Z");
    assertThat(
            new LevelPlanning(Granularity.PT1H, complete, false)
                .parts(spans("10T10:00", "10T14:00"), List.of(), Set.of()))
        .containsExactly(
            Part.of(Source.HOURS, spans("10T10:00", "10T12:00")),
            Part.of(Source.MINUTES, spans("10T12:00", "10T14:00")));
  }

  @Test
  void detailIsReadOnlyWhereItIsNeededAndOfWhomItIs() {
    Spans asked = spans("10T10:00", "10T14:00");
    List<SplitInterval> splits =
        List.of(split("env-1", "10T11:30", "10T13:00"), split("env-2", "10T12:00", "10T20:00"));
    assertThat(new LevelPlanning(Granularity.PT1H, LATER, false).parts(asked, splits, Set.of()))
        .containsExactly(Part.of(Source.HOURS, asked));
    assertThat(new LevelPlanning(Granularity.PT1H, LATER, false).parts(asked, splits, CLIENT))
        .containsExactlyInAnyOrder(
            Part.of(Source.HOURS, spans("10T10:00", "10T11:00")),
            Part.of(Source.MINUTES, spans("10T11:00", "10T11:30")),
            part(Source.MINUTES_IN_DETAIL, spans("10T11:30", "10T12:00"), false, "env-1"),
            part(Source.MINUTES, spans("10T11:30", "10T12:00"), true, "env-1"),
            part(Source.MINUTES_IN_DETAIL, spans("10T12:00", "10T13:00"), false, "env-1", "env-2"),
            part(Source.MINUTES, spans("10T12:00", "10T13:00"), true, "env-1", "env-2"),
            part(Source.MINUTES_IN_DETAIL, spans("10T13:00", "10T14:00"), false, "env-2"),
            part(Source.MINUTES, spans("10T13:00", "10T14:00"), true, "env-2"));
  }

  private static Part part(Source source, Spans spans, boolean except, String... environments) {
    return new Part(source, spans, Set.of(environments), except);
  }

  @Test
  void whereSeriesComeFirstABucketIsReadFromOneLevel() {
    assertThat(
            new LevelPlanning(Granularity.P1D, LATER, true)
                .parts(spans("10T12:00", "12T00:00"), List.of(), Set.of()))
        .containsExactly(
            Part.of(Source.DAYS, spans("11T00:00", "12T00:00")),
            Part.of(Source.HOURS, spans("10T12:00", "11T00:00")));
    assertThat(
            new LevelPlanning(Granularity.ALL, LATER, true)
                .parts(spans("10T12:30", "12T00:00"), List.of(), Set.of()))
        .containsExactly(Part.of(Source.MINUTES, spans("10T12:30", "12T00:00")));
  }

  @Test
  void noMinuteIsReadTwiceAndNoneIsLeftOut() {
    Random random = new Random(4);
    long begin = Instant.parse("2026-03-10T00:00:00Z").toEpochMilli();
    for (int i = 0; i < 2_000; i++) {
      Spans asked = random(random, begin);
      List<SplitInterval> splits = new ArrayList<>();
      for (Spans.Span span : random(random, begin).list()) {
        splits.add(
            new SplitInterval(
                "env-" + random.nextInt(2), "m", span.from(), span.to(), Set.of("client")));
      }
      LevelPlanning planning =
          new LevelPlanning(
              Granularity.values()[random.nextInt(Granularity.values().length)],
              Instant.ofEpochMilli(begin + random.nextInt(4 * 1440) * 60_000L),
              random.nextBoolean());
      List<Part> parts = planning.parts(asked, splits, random.nextBoolean() ? CLIENT : Set.of());
      for (String environment : List.of("env-0", "env-1", "env-2")) {
        Spans read = Spans.NONE;
        for (Part part : parts) {
          boolean isRead =
              part.environments().isEmpty()
                  || part.environments().contains(environment) != part.except();
          if (isRead) {
            assertThat(read.and(part.spans())).as("read twice").isEqualTo(Spans.NONE);
            read = read.plus(part.spans());
          }
        }
        assertThat(read).isEqualTo(asked);
      }
    }
  }

  private static Spans random(Random random, long begin) {
    List<Spans.Span> spans = new ArrayList<>();
    for (int i = random.nextInt(4); i >= 0; i--) {
      long from = begin + random.nextInt(4 * 1440) * 60_000L;
      spans.add(new Spans.Span(from, from + (1 + random.nextInt(1440)) * 60_000L));
    }
    return Spans.union(spans);
  }
}
