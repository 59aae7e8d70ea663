package io.tidemark.flink.usage.operator;

import static io.tidemark.flink.testing.TestTime.at;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tidemark.flink.io.rows.PlacedRows;
import io.tidemark.flink.model.usage.RowLevel;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RowMeterTest {

  private OneInputStreamOperatorTestHarness<PlacedRows, UsageIncrement> meter;

  @BeforeEach
  void open() throws Exception {
    OneInputStreamOperator<PlacedRows, UsageIncrement> operator =
        new RowMeter(
            Map.of(
                "minutes", RowLevel.MINUTES,
                "detail", RowLevel.MINUTES_IN_DETAIL,
                "hours", RowLevel.HOURS,
                "days", RowLevel.DAYS));
    meter = new OneInputStreamOperatorTestHarness<>(operator);
    meter.open();
  }

  @AfterEach
  void close() throws Exception {
    meter.close();
  }

  /** As RowLines writes them. */
  static String row(String metric, String series, String label) {
    return "{\"timestamp\":1795000000000,\"organization_id\":\"org-a\",\"environment_id\":\"env-a\","
        + "\"metric\":\""
        + metric
        + "\",\"metric_type\":\"gauge\",\"unit\":\"1\",\"resource_type\":\"service\","
        + "\"resource_id\":\"shop\",\"series_id\":\""
        + series
        + "\",\""
        + label
        + "\":\"true\",\"sum\":3.0,\"count\":1,\"min\":3.0,\"max\":3.0,\"pane_id\":\""
        + series
        + "-1-1\"}";
  }

  static PlacedRows record(String topic, long offset, String hour, String... rows) {
    return new PlacedRows(String.join("\n", rows).getBytes(UTF_8), topic, 0, offset, at(hour));
  }

  private void send(PlacedRows record) throws Exception {
    meter.processElement(record, 0);
  }

  private List<UsageIncrement> metered() throws Exception {
    meter.prepareSnapshotPreBarrier(1);
    List<UsageIncrement> increments = meter.extractOutputValues();
    meter.getOutput().clear();
    return increments;
  }

  private List<String> shown() {
    Queue<StreamRecord<SeriesSighting>> sightings = meter.getSideOutput(RowMeter.SIGHTINGS);
    List<String> shown = new ArrayList<>();
    if (sightings != null) {
      sightings.forEach(one -> shown.add(one.getValue().seriesId() + " " + one.getValue().line()));
    }
    return shown;
  }

  @Test
  void rowsAddUpByLevelUntilTheBarrier() throws Exception {
    send(
        record(
            "minutes", 1, "12:10:00", row("cpu", "a1", "metric.x"), row("cpu", "a2", "metric.x")));
    send(record("minutes", 2, "12:20:00", row("cpu", "a1", "metric.x")));
    send(record("hours", 3, "12:20:00", row("cpu", "a1", "metric.x")));
    send(record("minutes", 4, "13:00:00", row("cpu", "a1", "metric.x")));

    List<UsageIncrement> metered = metered();

    assertEquals(List.of(3L, 0L, 1L), metered.stream().map(UsageIncrement::rowsOfMinutes).toList());
    assertEquals(List.of(0L, 1L, 0L), metered.stream().map(UsageIncrement::rowsOfHours).toList());
    assertEquals(List.of(1L, 3L, 4L), metered.stream().map(UsageIncrement::offset).toList());
    assertEquals(3, metered.stream().map(UsageIncrement::key).distinct().count());
    assertEquals(List.of(), metered());
  }

  @Test
  void aSeriesIsShownOnceAnHourAndOverflowNever() throws Exception {
    String one = row("cpu", "a1", "metric.x");
    String overflow = row("cpu", "b1", "metric.tidemark.overflow");
    send(record("minutes", 1, "12:10:00", overflow, one, one));
    send(record("minutes", 2, "12:11:00", one, overflow));
    send(record("detail", 3, "12:11:00", row("cpu", "c1", "metric.x")));
    send(record("minutes", 4, "13:11:00", one));

    assertEquals(List.of("a1 1", "a1 0"), shown());
    assertEquals(6, metered().stream().mapToLong(UsageIncrement::rowsOfMinutes).sum());
  }

  /** A restart forgets what was shown; who counts series does not. */
  @Test
  void anUnreadableRowStopsNothing() throws Exception {
    send(record("minutes", 1, "12:10:00", "{\"timestamp\":", row("cpu", "a1", "metric.x")));

    assertEquals(1, metered().get(0).rowsOfMinutes());
  }
}
