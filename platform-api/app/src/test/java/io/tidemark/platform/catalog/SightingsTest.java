package io.tidemark.platform.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.platform.catalog.Sightings.MetricKey;
import io.tidemark.platform.catalog.Sightings.MetricObservation;
import io.tidemark.platform.shared.EnvironmentId;
import io.tidemark.platform.shared.TenantId;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SightingsTest {

  private static final long NOON = Instant.parse("2026-01-01T12:00:00Z").toEpochMilli();
  private static final long MINUTE = 60_000;

  private final Sightings sightings = new Sightings();

  private void row(String metric, String type, String unit, List<String> labels, long minute) {
    sightings.add("org-a", "prod", metric, type, unit, "kafka", "lkc-1", labels, minute);
  }

  private MetricSighting seen(String metric) {
    return sightings
        .metrics()
        .get(new MetricKey(new TenantId("org-a"), new EnvironmentId("prod"), metric))
        .sighting();
  }

  @Test
  void rowsOfAMetricAddUpWhateverTheirOrder() {
    row("cpu", "gauge", "1", List.of("core"), NOON);
    row("cpu", "gauge", "%", List.of("host"), NOON + 2 * MINUTE);
    row("cpu", "counter", "s", List.of(), NOON - MINUTE);
    assertThat(seen("cpu"))
        .isEqualTo(
            new MetricSighting(
                MetricType.GAUGE,
                "%",
                List.of("core", "host"),
                true,
                Instant.ofEpochMilli(NOON - MINUTE),
                Instant.ofEpochMilli(NOON + 2 * MINUTE)));
    assertThat(sightings.resources()).hasSize(1);
  }

  @Test
  void moreLabelsThanTheCatalogueHoldsAreSaidToBeMissing() {
    row("cpu", "gauge", "", IntStream.range(0, 300).mapToObj(i -> "l" + i).toList(), NOON);
    assertThat(seen("cpu").labels()).hasSize(MetricSighting.MAX_LABELS);
    assertThat(seen("cpu").labelsComplete()).isFalse();
  }

  @Test
  void namesTooLongForTheCatalogueAreLeftOut() {
    row("x".repeat(256), "gauge", "", List.of(), NOON);
    row("x".repeat(255), "gauge", "", List.of(), NOON);
    assertThat(sightings.metrics()).hasSize(1);
  }

  @Test
  void senderlessRowsMakeNoResource() {
    sightings.add("org-a", "prod", "cpu", "gauge", "", "unknown", "unknown", List.of(), NOON);
    assertThat(sightings.resources()).isEmpty();
    assertThat(sightings.metrics()).hasSize(1);
  }

  @Test
  void onlyWhatIsNewIsWorthWriting() {
    row("cpu", "gauge", "1", List.of("core"), NOON);
    MetricObservation written = sightings.metrics().values().iterator().next();
    assertThat(news("gauge", "1", List.of("core"), NOON).addsTo(written, 10 * MINUTE)).isFalse();
    assertThat(news("gauge", "1", List.of(), NOON + 9 * MINUTE).addsTo(written, 10 * MINUTE))
        .isFalse();
    assertThat(news("gauge", "1", List.of(), NOON + 10 * MINUTE).addsTo(written, 10 * MINUTE))
        .isTrue();
    assertThat(news("gauge", "1", List.of(), NOON - MINUTE).addsTo(written, 10 * MINUTE)).isTrue();
    assertThat(news("gauge", "s", List.of(), NOON).addsTo(written, 10 * MINUTE)).isTrue();
    assertThat(news("gauge", "1", List.of("host"), NOON).addsTo(written, 10 * MINUTE)).isTrue();
  }

  private static MetricObservation news(
      String type, String unit, List<String> labels, long minute) {
    Sightings other = new Sightings();
    other.add("org-a", "prod", "cpu", type, unit, "kafka", "lkc-1", labels, minute);
    return other.metrics().values().iterator().next();
  }
}
