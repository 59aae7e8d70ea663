package io.tidemark.platform.completeness.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.contracts.live.v1.Buckets;
import io.tidemark.contracts.live.v1.Description;
import io.tidemark.contracts.live.v1.Snapshot;
import io.tidemark.platform.metricstore.IntervalSet;
import io.tidemark.platform.metricstore.MetricKind;
import io.tidemark.platform.metricstore.OpenMinuteCell;
import io.tidemark.platform.metricstore.OpenMinutesState;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class OpenMinuteCacheTest {

  private static final long MINUTE = 1_767_225_600_000L;
  private static final IntervalSet ALL =
      new IntervalSet(List.of(new IntervalSet.Span(0, Long.MAX_VALUE / 4)));

  private final OpenMinuteCache cells = new OpenMinuteCache(8);

  private record Sent(long series, double sum, long count, String description) {}

  private static Sent cell(long series, double sum, long count) {
    return new Sent(series, sum, count, "");
  }

  private static Sent first(long series, String organization, String metric, double sum) {
    return new Sent(
        series,
        sum,
        1,
        "{\"organization_id\":\""
            + organization
            + "\",\"environment_id\":\"env-1\",\"metric\":\""
            + metric
            + "\",\"metric_type\":\"gauge\",\"unit\":\"1\",\"resource_type\":\"kafka\","
            + "\"resource_id\":\"lkc-1\",\"resource.kafka.id\":\"lkc-1\",\"metric.topic\":\"t"
            + series
            + "\"}");
  }

  private void take(int keyGroup, long minute, Sent... sent) {
    Snapshot.Builder snapshot = Snapshot.newBuilder().setMinuteUnixMs(minute).setKeyGroup(keyGroup);
    for (int i = 0; i < sent.length; i++) {
      snapshot
          .addSeriesHigh(7)
          .addSeriesLow(sent[i].series())
          .addSum(sent[i].sum())
          .addCount(sent[i].count())
          .addMin(sent[i].sum())
          .addMax(sent[i].sum())
          .addLast(sent[i].sum())
          .addLastTimeUnixNano((minute + 5) * 1_000_000);
      if (!sent[i].description().isEmpty()) {
        snapshot.addDescriptions(Description.newBuilder().setCell(i).setRow(sent[i].description()));
        snapshot.addBuckets(Buckets.newBuilder().setCell(i).setDistribution("3|1025:2"));
      }
    }
    cells.snapshot(snapshot.build().toByteArray());
  }

  private List<OpenMinuteCell> shown(String organization, String metric) {
    return cells.cells(organization, Optional.of(metric), ALL, Set.of(), labels -> true);
  }

  private OpenMinutesState state(String organization, String metric) {
    return cells.state(organization, Optional.of(metric), ALL);
  }

  @Test
  void aLaterCellReplacesAnEarlierOne() {
    take(3, MINUTE, first(1, "org-a", "load", 2));
    take(3, MINUTE, cell(1, 5, 3));
    OpenMinuteCell cell = shown("org-a", "load").get(0);
    assertThat(cell.figures().sum).isEqualTo(5);
    assertThat(cell.figures().count).isEqualTo(3);
    assertThat(cell.figures().lastAt).isEqualTo(MINUTE + 5);
    assertThat(cell.figures().distribution).isNull();
    assertThat(cell.minute()).isEqualTo(MINUTE);
    assertThat(cell.series()).isEqualTo("00000000000000070000000000000001");
    assertThat(cell.labels())
        .containsOnlyKeys("resource.kafka.id", "metric.topic", "environment.id")
        .containsEntry("metric.topic", "t1");
    assertThat(cells.kinds("org-a", "load")).containsExactly(MetricKind.GAUGE);
  }

  @Test
  void cellsOfKeyGroupsAddUpAndThoseOfMinutesDoNot() {
    take(3, MINUTE, first(1, "org-a", "load", 2));
    take(4, MINUTE, first(1, "org-a", "load", 3));
    take(4, MINUTE + 60_000, first(1, "org-a", "load", 7));
    assertThat(shown("org-a", "load"))
        .extracting(cell -> cell.figures().sum)
        .containsExactlyInAnyOrder(5.0, 7.0);
  }

  @Test
  void whatWasTakenBackOrNeverDescribedIsNotShown() {
    take(3, MINUTE, first(1, "org-a", "load", 2), cell(2, 9, 1));
    take(3, MINUTE, cell(1, Double.NaN, 0));
    assertThat(shown("org-a", "load")).isEmpty();
  }

  @Test
  void nobodySeesAnotherOrganisationsCells() {
    take(3, MINUTE, first(1, "org-a", "load", 2), first(2, "org-b", "load", 3));
    assertThat(shown("org-a", "load")).extracting(OpenMinuteCell::series).hasSize(1);
    assertThat(cells.cells("org-b", Optional.empty(), ALL, Set.of(), labels -> true))
        .extracting(cell -> cell.figures().sum)
        .containsExactly(3.0);
    assertThat(shown("org-c", "load")).isEmpty();
    assertThat(cells.cells("org-a", Optional.empty(), ALL, Set.of("env-1"), labels -> true))
        .isEmpty();
  }

  @Test
  void completeMinutesAreForgottenOneOrganisationAtATime() {
    take(3, MINUTE, first(1, "org-a", "load", 2), first(2, "org-b", "load", 3));
    take(3, MINUTE + 60_000, first(1, "org-a", "load", 4));
    cells.forget(
        MINUTE + 90_000, organization -> organization.equals("org-a") ? MINUTE + 60_000 : 0);
    assertThat(shown("org-a", "load"))
        .extracting(OpenMinuteCell::minute)
        .containsExactly(MINUTE + 60_000);
    assertThat(shown("org-b", "load")).hasSize(1);
    assertThat(cells.size()).isEqualTo(2);
    cells.forget(MINUTE + 3_600_000, organization -> 0);
    assertThat(cells.size()).isZero();
    assertThat(cells.series()).isZero();
    assertThat(shown("org-b", "load")).isEmpty();
  }

  @Test
  void aMetricWithoutRoomIsNotShownAndSaysSo() {
    take(3, MINUTE, first(1, "org-a", "small", 1));
    for (int series = 10; series < 30; series++) {
      take(3, MINUTE, first(series, "org-a", "large", 1));
    }
    assertThat(shown("org-a", "large")).isEmpty();
    assertThat(state("org-a", "large")).isEqualTo(OpenMinutesState.PARTIAL);
    assertThat(cells.size()).isLessThanOrEqualTo(8);
    assertThat(cells.series()).isLessThanOrEqualTo(8);
    // Nobody else pays.
    take(3, MINUTE, first(40, "org-b", "load", 1), first(41, "org-b", "load", 1));
    assertThat(shown("org-b", "load")).hasSize(2);
    assertThat(state("org-b", "load")).isEqualTo(OpenMinutesState.SHOWN);
    assertThat(state("org-a", "small")).isEqualTo(OpenMinutesState.SHOWN);
    assertThat(shown("org-a", "small")).hasSize(1);
  }

  @Test
  void roomThatWasFreedIsUsedAgain() {
    for (int minute = 0; minute < 50; minute++) {
      long start = MINUTE + minute * 60_000L;
      // Two minutes at a time fill what one organisation may take.
      for (int series = 1; series <= 2; series++) {
        take(3, start, first(series, "org-a", "load", minute));
      }
      cells.forget(start, organization -> start);
      assertThat(shown("org-a", "load")).as("minute " + minute).hasSize(2);
    }
  }

  @Test
  void bytesThatAreNoSnapshotAreSkipped() {
    cells.snapshot(new byte[] {1, 2, 3});
    take(3, MINUTE, first(1, "", "load", 2));
    assertThat(cells.size()).isZero();
  }
}
