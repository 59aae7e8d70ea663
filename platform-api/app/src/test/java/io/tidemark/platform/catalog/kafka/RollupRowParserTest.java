package io.tidemark.platform.catalog.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.platform.catalog.Sightings;
import io.tidemark.platform.testing.Contracts;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class RollupRowParserTest {

  private final RollupRowParser rows = new RollupRowParser();
  private final Sightings seen = new Sightings();

  /** The golden rows of the contract, which the job's tests write. */
  @Test
  void everyMetricAndResourceOfTheGoldenRowsIsSeen() {
    String golden = Contracts.text("examples/rollup-row.ndjson");
    rows.read(golden.getBytes(StandardCharsets.UTF_8), seen);
    Sightings expected = new Sightings();
    long metrics =
        golden
            .lines()
            .map(line -> line.replaceAll(".*\"metric\":\"([^\"]*)\".*", "$1"))
            .distinct()
            .count();
    long resources =
        golden
            .lines()
            .filter(line -> !line.contains("\"resource_type\":\"unknown\""))
            .map(line -> line.replaceAll(".*\"resource_id\":\"([^\"]*)\".*", "$1"))
            .distinct()
            .count();
    assertThat(seen.size()).isEqualTo(metrics + resources);
    expected.add(
        "org-demo",
        "env-demo",
        "kafka.message.count",
        "counter",
        "{message}",
        "kafka",
        "lkc-local",
        java.util.List.of("topic", "partition"),
        1767225600000L);
    Sightings first = new Sightings();
    new RollupRowParser()
        .read(golden.lines().findFirst().orElseThrow().getBytes(StandardCharsets.UTF_8), first);
    assertThat(first).usingRecursiveComparison().isEqualTo(expected);
  }

  @Test
  void whatIsNoRowIsRefusedAndThoseBeforeItStay() {
    String row = Contracts.text("examples/rollup-row.ndjson").lines().findFirst().orElseThrow();
    assertThatThrownBy(
            () -> rows.read((row + "\n{\"metric\":").getBytes(StandardCharsets.UTF_8), seen))
        .isInstanceOf(RuntimeException.class);
    assertThat(seen.size()).isEqualTo(2);
  }

  /**
   * Further rows of a minute show nothing of a series that is known, nor of one that looks alike.
   */
  @Test
  void knownSeriesAreSeenOnceAMinute() {
    String row = Contracts.text("examples/rollup-row.ndjson").lines().findFirst().orElseThrow();
    String alike =
        row.replace("0123456789abcdef0123456789abcdef", "1".repeat(32))
            .replace("\"metric.partition\":\"0\"", "\"metric.partition\":\"1\"");
    String later = alike.replace("1767225600000", "1767225660000");
    String other = alike.replace("metric.partition", "metric.client");
    assertThat(alike).isNotEqualTo(row);

    assertThat(seenOf(row)).isEqualTo(2);
    assertThat(seenOf(row)).isZero();
    // Read once, to know that there is nothing new about it.
    assertThat(seenOf(alike)).isEqualTo(2);
    assertThat(seenOf(later)).isEqualTo(2);
    assertThat(seenOf(row.replace("1767225600000", "1767225660000"))).isZero();
    assertThat(seenOf(other)).isEqualTo(2);
    assertThat(seenOf(later + "\n" + row + "\n" + other)).isZero();

    rows.forget();

    assertThat(seenOf(row)).isEqualTo(2);
  }

  private int seenOf(String text) {
    Sightings some = new Sightings();
    rows.read(text.getBytes(StandardCharsets.UTF_8), some);
    return some.size();
  }
}
