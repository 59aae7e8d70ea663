package io.tidemark.flink.io.points.fastdecode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.tidemark.flink.model.series.MetricKind;
import io.tidemark.flink.model.series.SeriesDescriptor;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SharedLabelsTest {

  private final SharedLabels shared = new SharedLabels();

  @Test
  void textsOfManySeriesAreKeptOnce() {
    SeriesDescriptor one = shared.in(series("orders", "a"));
    SeriesDescriptor other = shared.in(series("orders", "b"));

    assertEquals(series("orders", "a"), one);
    assertEquals(series("orders", "b"), other);
    assertSame(one.resource(), other.resource());
    assertSame(one.attributes().get("topic"), other.attributes().get("topic"));
    assertSame(one.metric(), other.metric());
  }

  @Test
  void beyondTheirNumberTextsAreStillRight() {
    for (int i = 0; i < 70_000; i++) {
      assertEquals(series("orders-" + i, "a"), shared.in(series("orders-" + i, "a")));
    }
  }

  /** Texts that are equal, but not the same objects. */
  private static SeriesDescriptor series(String topic, String client) {
    return new SeriesDescriptor(
        "org-a",
        "env-a",
        new String("cpu"),
        MetricKind.GAUGE,
        "1",
        Map.of("host.name", new String("h")),
        Map.of(new String("topic"), new String(topic), "client", client));
  }
}
