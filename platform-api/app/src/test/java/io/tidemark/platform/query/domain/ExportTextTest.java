package io.tidemark.platform.query.domain;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.platform.metricstore.AggregateState;
import io.tidemark.platform.metricstore.ExportedSeries;
import io.tidemark.platform.metricstore.MetricKind;
import io.tidemark.platform.query.domain.ExportText.Form;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ExportTextTest {

  private static final Instant MINUTE = Instant.parse("2026-03-15T12:03:00Z");

  private static ExportedSeries series(
      String metric, MetricKind kind, double sum, long count, Map<String, String> labels) {
    AggregateState figures = new AggregateState();
    figures.sum = sum;
    figures.count = count;
    return new ExportedSeries(metric, kind, "lkc-1", labels, figures);
  }

  @Test
  void namesAndLabelsAreThoseOfPrometheus() {
    ExportText text = new ExportText(Form.PROMETHEUS, MINUTE);
    text.add(
        series(
            "io.confluent.kafka.server/received_bytes",
            MetricKind.COUNTER,
            1234,
            2,
            Map.of("resource.kafka.id", "lkc-1", "metric.topic", "a\"b\\c\nd")));
    assertThat(text.text())
        .isEqualTo(
            """
            # HELP confluent_kafka_server_received_bytes io.confluent.kafka.server/received_bytes
            # TYPE confluent_kafka_server_received_bytes gauge
            confluent_kafka_server_received_bytes{kafka_id="lkc-1",topic="a\\"b\\\\c\\nd"} 1234.0 1773576180000
            """);
  }

  @Test
  void openMetricsHasSecondsAndAnEnd() {
    ExportText text = new ExportText(Form.OPENMETRICS, MINUTE);
    text.add(series("level", MetricKind.GAUGE, 9, 2, Map.of()));
    assertThat(text.text()).contains("level 4.5 1773576180\n").endsWith("# EOF\n");
  }

  @Test
  void histogramsAreCountAndSum() {
    ExportText text = new ExportText(Form.PROMETHEUS, MINUTE);
    text.add(series("latency", MetricKind.HISTOGRAM, 12.5, 5, Map.of()));
    assertThat(text.text()).contains("latency_count 5.0 ", "latency_sum 12.5 ");
  }

  @Test
  void twoKeysThatBecomeOneNameStayApart() {
    ExportText text = new ExportText(Form.PROMETHEUS, MINUTE);
    text.add(
        series(
            "1x",
            MetricKind.COUNTER,
            1,
            1,
            Map.of("metric.a.b", "one", "metric.a_b", "two", "resource.a.b", "three")));
    assertThat(text.text()).contains("_1x{", "a_b=\"one\"", "resource_a_b=\"three\"");
  }
}
