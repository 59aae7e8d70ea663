package io.tidemark.platform.completeness.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.contracts.pipeline.v1.Level;
import io.tidemark.contracts.pipeline.v1.Progress;
import io.tidemark.contracts.pipeline.v1.Revised;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RevisedWindowsTest {

  @Test
  void rowsOfAWindowAreAddedUpByMetric() {
    RevisedWindows windows = new RevisedWindows(100);
    windows.add(60_000, "cpu", 2);
    windows.add(60_000, "cpu", 3);
    windows.add(60_000, "memory", 1);
    windows.add(0, "", 7);
    assertThat(windows.rows())
        .isEqualTo(Map.of(0L, Map.of("", 7L), 60_000L, Map.of("cpu", 5L, "memory", 1L)));
  }

  @Test
  void theOldestWindowsForgetTheirMetricsFirstAndThenTheirRows() {
    RevisedWindows windows = new RevisedWindows(3);
    windows.add(1, "cpu", 1);
    windows.add(1, "memory", 1);
    windows.add(2, "cpu", 1);
    windows.add(3, "cpu", 1);
    assertThat(windows.rows())
        .isEqualTo(Map.of(1L, Map.of("", 2L), 2L, Map.of("cpu", 1L), 3L, Map.of("cpu", 1L)));
    windows.add(1, "disk", 4);
    assertThat(windows.rows().get(1L)).isEqualTo(Map.of("", 6L));
    windows.add(4, "cpu", 1);
    assertThat(windows.rows()).containsOnlyKeys(2L, 3L, 4L);
    for (int window = 5; window < 1_000; window++) {
      windows.add(window, "cpu", 1);
      windows.add(window, "memory", 1);
    }
    assertThat(windows.rows().values().stream().mapToInt(Map::size).sum()).isLessThanOrEqualTo(3);
    assertThat(windows.rows()).containsKey(999L);
  }

  /** As of jobs that name no metric. */
  @Test
  void aRecordWithoutAMetricIsOfAny() {
    ProgressTopics topics = new ProgressTopics();
    Revised.Builder revised =
        Revised.newBuilder()
            .setOrganizationId("org-a")
            .setLevel(Level.LEVEL_HOUR)
            .setWindowUnixMs(3_600_000)
            .setRows(2);
    topics.progress(Progress.newBuilder().setRevised(revised).build().toByteArray());
    revised.setMetric("cpu").setRows(5);
    topics.progress(Progress.newBuilder().setRevised(revised).build().toByteArray());
    assertThat(topics.lateRows("org-a", io.tidemark.platform.metricstore.Level.HOUR))
        .isEqualTo(Map.of(3_600_000L, Map.of("", 2L, "cpu", 5L)));
    assertThat(topics.lateRows("org-a", io.tidemark.platform.metricstore.Level.MINUTE)).isEmpty();
  }

  @Test
  void manyTenantsShareOneBoundAndTheLargestGiveWay() {
    ProgressTopics topics = new ProgressTopics();
    topics.progress(revised("org-small", 60_000));
    for (int tenant = 0; tenant < 10; tenant++) {
      for (int window = 0; window < 20_000; window++) {
        topics.progress(revised("org-" + tenant, window * 60_000L));
      }
    }
    int remembered = 0;
    for (int tenant = 0; tenant < 10; tenant++) {
      Map<Long, Map<String, Long>> rows = minutes(topics, "org-" + tenant);
      assertThat(rows).containsKey(19_999 * 60_000L).hasSizeLessThanOrEqualTo(20_000);
      remembered += rows.size();
    }
    assertThat(remembered)
        .isBetween(
            ProgressTopics.MAX_REVISED_OF_ALL * 8 / 10, ProgressTopics.MAX_REVISED_OF_ALL - 1);
    assertThat(minutes(topics, "org-small")).isEqualTo(Map.of(60_000L, Map.of("cpu", 1L)));
  }

  private static Map<Long, Map<String, Long>> minutes(ProgressTopics topics, String organization) {
    return topics.lateRows(organization, io.tidemark.platform.metricstore.Level.MINUTE);
  }

  private static byte[] revised(String organization, long window) {
    return Progress.newBuilder()
        .setRevised(
            Revised.newBuilder()
                .setOrganizationId(organization)
                .setLevel(Level.LEVEL_MINUTE)
                .setWindowUnixMs(window)
                .setMetric("cpu")
                .setRows(1))
        .build()
        .toByteArray();
  }
}
