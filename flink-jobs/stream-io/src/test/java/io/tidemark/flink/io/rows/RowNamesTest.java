package io.tidemark.flink.io.rows;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.flink.model.panes.PaneAggregate;
import io.tidemark.flink.model.series.DescriptorBytes;
import io.tidemark.flink.model.series.MetricKind;
import io.tidemark.flink.model.series.SeriesDescriptor;
import io.tidemark.flink.model.series.SeriesKey;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What names the series of a row, however little work went into writing it. */
class RowNamesTest {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final PaneAggregate ONE = new PaneAggregate().ofValue(1, 1);

  /** Plain text is copied in pieces: an escape is found at every place of them. */
  @Test
  void escapesAreFoundAnywhere() throws Exception {
    String plain = "abcdefghijklmnopqrstuü#";
    for (int place = 0; place <= plain.length(); place++) {
      for (String special :
          List.of("\"", "\\", "\n", "\u0000", "\u001f", " ", "!", "\u007f", "é")) {
        String label = plain.substring(0, place) + special + plain.substring(place);
        SeriesDescriptor series =
            new SeriesDescriptor("o", "e", "m", MetricKind.GAUGE, "", Map.of(), Map.of("a", label));

        RowLines lines = new RowLines();
        lines.add(0, SeriesKey.of(series), RowText.head(series), labels(series), ONE, 1);

        assertEquals(label, JSON.readTree(lines.take()).get("metric.a").asText());
      }
    }
  }

  /** A row copies from the row before what names the series; it is the same as written alone. */
  @Test
  void rowsNameTheirOwnSeries() {
    SeriesDescriptor first = series("a");
    SeriesDescriptor second = series("b");
    byte[] head = RowText.head(first);
    byte[] labels = labels(first);
    byte[] otherLabels = labels(second);
    RowLines lines = new RowLines();
    StringBuilder alone = new StringBuilder();
    for (int i = 0; i < 100; i++) {
      SeriesDescriptor series = i % 5 < 3 ? first : second;
      byte[] own = i % 5 < 3 ? labels : otherLabels;
      PaneAggregate figures = new PaneAggregate().ofValue(i / 3.0, i * 1_000_000L);
      lines.add(i * 60_000, SeriesKey.of(series), head, own, figures, i);
      RowLines one = new RowLines();
      one.add(i * 60_000, SeriesKey.of(series), RowText.head(series), own.clone(), figures, i);
      alone.append(i == 0 ? "" : "\n").append(new String(one.take(), UTF_8));
      if (i == 42) {
        assertEquals(alone.toString(), new String(lines.take(), UTF_8));
        alone.setLength(0);
        lines.add(0, SeriesKey.of(series), head, own, figures, i);
        one.add(0, SeriesKey.of(series), head, own, figures, i);
        alone.append(new String(one.take(), UTF_8));
      }
    }
    assertEquals(alone.toString(), new String(lines.take(), UTF_8));
  }

  private static SeriesDescriptor series(String zone) {
    return new SeriesDescriptor(
        "o", "e", "m", MetricKind.GAUGE, "", Map.of("host.name", "h"), Map.of("zone", zone));
  }

  /** As they lie in the panes. */
  private static byte[] labels(SeriesDescriptor series) {
    byte[] descriptor = DescriptorBytes.encode(series);
    return Arrays.copyOfRange(
        descriptor, DescriptorBytes.attributesAt(descriptor), descriptor.length);
  }
}
