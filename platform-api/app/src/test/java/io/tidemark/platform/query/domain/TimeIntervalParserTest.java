package io.tidemark.platform.query.domain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.platform.metricstore.TimeInterval;
import java.time.Instant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TimeIntervalParserTest {

  private final TimeIntervalParser parser =
      new TimeIntervalParser(Instant.parse("2026-03-15T12:34:56.789Z"));

  @ParameterizedTest
  @CsvSource({
    "2026-01-01T00:00:00Z/2026-01-01T01:00:00Z, 2026-01-01T00:00:00Z, 2026-01-01T01:00:00Z",
    "2026-01-01T00:00:00.000Z/PT2H, 2026-01-01T00:00:00Z, 2026-01-01T02:00:00Z",
    "2026-01-01T00:00:00+00:00/PT1M, 2026-01-01T00:00:00Z, 2026-01-01T00:01:00Z",
    "2026-01-01T00:00:00-00:00/P1D, 2026-01-01T00:00:00Z, 2026-01-02T00:00:00Z",
    "2026-01-01T02:00:00+02:00/P1W, 2026-01-01T00:00:00Z, 2026-01-08T00:00:00Z",
    "2024-01-31T00:00:00Z/P1M, 2024-01-31T00:00:00Z, 2024-02-29T00:00:00Z",
    "PT1H/now, 2026-03-15T11:34:56.789Z, 2026-03-15T12:34:56.789Z",
    "2026-01-01T00:00:00.1239999Z/PT1S, 2026-01-01T00:00:00.123Z, 2026-01-01T00:00:01.123Z",
    "PT1H/now-2m|m, 2026-03-15T11:32:00Z, 2026-03-15T12:32:00Z",
    "now-1d|d/now|d, 2026-03-14T00:00:00Z, 2026-03-15T00:00:00Z",
    "now-1d|d/P1D, 2026-03-14T00:00:00Z, 2026-03-15T00:00:00Z",
    "now|h/now|h+1h, 2026-03-15T12:00:00Z, 2026-03-15T13:00:00Z",
    "P1DT12H/now|m, 2026-03-14T00:34:00Z, 2026-03-15T12:34:00Z",
    "' now-1h / now ', 2026-03-15T11:34:56.789Z, 2026-03-15T12:34:56.789Z",
  })
  void isRead(String text, Instant start, Instant end) {
    assertThat(parser.parse(text)).isEqualTo(new TimeInterval(start, end));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "now",
        "now/",
        "/now",
        "a/b/c",
        "PT1H/PT1H",
        "now/now",
        "now/now-1m",
        "now-1y/now",
        "NOW-1h/now",
        "2026-01-01/P1D",
        "2026-01-01T00:00:00/PT1H",
        "2026-13-01T00:00:00Z/PT1H",
        "P/now",
        "PT/now",
        "PT0S/now",
        "P-1D/now",
        "-PT1H/now",
        "now-999999999d/now",
        "1969-12-31T00:00:00Z/P1D",
        "2026-01-01T00:00:00Z/P9999Y",
      })
  void isRefusedWithItsText(String text) {
    assertThatThrownBy(() -> parser.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'" + text + "'");
  }
}
