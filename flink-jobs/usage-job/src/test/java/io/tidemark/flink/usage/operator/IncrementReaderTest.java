package io.tidemark.flink.usage.operator;

import static io.tidemark.flink.testing.TestTime.at;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tidemark.flink.io.usage.IncrementBundle;
import io.tidemark.flink.io.usage.IncrementSubject;
import io.tidemark.flink.io.usage.PlacedIncrements;
import io.tidemark.flink.model.usage.MeteredUnits;
import io.tidemark.flink.model.usage.RowLevel;
import io.tidemark.flink.model.usage.UsageHour;
import io.tidemark.flink.model.usage.UsageSubject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class IncrementReaderTest {

  private OneInputStreamOperatorTestHarness<PlacedIncrements, UsageIncrement> reader;

  @BeforeEach
  void open() throws Exception {
    OneInputStreamOperator<PlacedIncrements, UsageIncrement> operator = new IncrementReader();
    reader = new OneInputStreamOperatorTestHarness<>(operator);
    reader.open();
  }

  @AfterEach
  void close() throws Exception {
    reader.close();
  }

  private static UsageHour hour(String metric, String start) {
    return new UsageHour(new UsageSubject("org-a", "env-a", "service", "shop", metric), at(start));
  }

  private static MeteredUnits points(long points) {
    return new MeteredUnits(points, 10 * points, 0, 0);
  }

  private void send(long offset, UsageHour hour, MeteredUnits units, long... series)
      throws Exception {
    IncrementBundle bundle = new IncrementBundle();
    add(bundle, hour, units, series);
    send(offset, bundle.take());
  }

  private static void add(
      IncrementBundle bundle, UsageHour hour, MeteredUnits units, long... series) {
    bundle.add(
        IncrementSubject.of(hour.subject()).bytes(),
        hour.startUnixMs(),
        units,
        series,
        0,
        series.length / 2);
  }

  private void send(long offset, byte[] value) throws Exception {
    reader.processElement(new PlacedIncrements(value, "increments", 0, offset), 0);
  }

  private List<UsageIncrement> read() throws Exception {
    reader.prepareSnapshotPreBarrier(1);
    List<UsageIncrement> read = reader.extractOutputValues();
    reader.getOutput().clear();
    return read;
  }

  private List<String> shown() {
    Queue<StreamRecord<SeriesSighting>> sightings = reader.getSideOutput(IncrementReader.SIGHTINGS);
    List<String> shown = new ArrayList<>();
    if (sightings != null) {
      sightings.forEach(
          one ->
              shown.add(
                  one.getValue().seriesId()
                      + " "
                      + one.getValue().offset()
                      + " "
                      + one.getValue().line()));
    }
    return shown;
  }

  @Test
  void incrementsAddUpUntilTheBarrierByHourSubjectAndOrigin() throws Exception {
    MeteredUnits rows = MeteredUnits.ofRows(RowLevel.HOURS, 3);
    send(4, hour("cpu", "12:00:00"), points(5));
    send(5, hour("cpu", "12:00:00"), points(2).plus(rows));
    send(6, hour("cpu", "13:00:00"), points(1));
    assertTrue(reader.extractOutputValues().isEmpty(), "nothing before the barrier");

    List<UsageIncrement> read = read();

    assertEquals(List.of(7L, 0L, 1L), read.stream().map(UsageIncrement::points).toList());
    assertEquals(List.of(70L, 0L, 10L), read.stream().map(UsageIncrement::bytes).toList());
    assertEquals(List.of(0L, 3L, 0L), read.stream().map(UsageIncrement::rowsOfHours).toList());
    assertEquals(List.of(4L, 5L, 6L), read.stream().map(UsageIncrement::offset).toList());
    assertEquals(3, read.stream().map(UsageIncrement::key).distinct().count());
    assertEquals(List.of(), read(), "nothing is held over a barrier");
  }

  @Test
  void seriesAreShownWithTheirPlacesAndWithoutUnits() throws Exception {
    send(4, hour("cpu", "12:00:00"), MeteredUnits.NONE, 0, 10, 1, 11);
    send(5, hour("cpu", "12:00:00"), MeteredUnits.NONE, 0, 10);

    assertEquals(
        List.of(
            "0000000000000000000000000000000a 4 1",
            "0000000000000001000000000000000b 4 2",
            "0000000000000000000000000000000a 5 1"),
        shown());
    assertEquals(List.of(), read());
  }

  /** Two increments of one record: each has a place, though all have one offset. */
  @Test
  void noTwoIncrementsOfARecordHaveOnePlace() throws Exception {
    IncrementBundle bundle = new IncrementBundle();
    add(bundle, hour("cpu", "12:00:00"), points(5), 0, 10);
    add(bundle, hour("cpu", "12:00:00"), MeteredUnits.NONE, 0, 11);
    add(bundle, hour("memory", "12:00:00"), points(1));
    send(4, bundle.take());

    assertEquals(List.of(0, 4), read().stream().map(UsageIncrement::line).toList());
    assertEquals(
        List.of("0000000000000000000000000000000a 4 1", "0000000000000000000000000000000b 4 3"),
        shown());
  }

  /** Damage costs its record and stops nothing. */
  @Test
  void whatIsNoIncrementIsLeftOut() throws Exception {
    send(1, new byte[] {1, 2, 3});
    send(2, new byte[0]);
    send(3, hour("cpu", "12:00:00"), new MeteredUnits(-1, 0, 0, 0));
    send(4, hour("cpu", "12:00:00"), points(5));

    assertEquals(List.of(5L), read().stream().map(UsageIncrement::points).toList());
  }

  @Test
  void generatedIncrementsAddUpAsOneByOne() throws Exception {
    Random random = new Random(128);
    Map<UsageHour, MeteredUnits> expected = new HashMap<>();
    Map<UsageHour, MeteredUnits> sums = new HashMap<>();
    Map<String, Long> places = new HashMap<>();
    for (int offset = 0; offset < 5_000; offset++) {
      UsageHour hour =
          hour("m" + random.nextInt(200), random.nextBoolean() ? "12:00:00" : "13:00:00");
      MeteredUnits units =
          points(random.nextInt(50))
              .plus(MeteredUnits.ofRows(RowLevel.values()[random.nextInt(4)], random.nextInt(3)));
      expected.merge(hour, units, MeteredUnits::plus);
      send(offset, hour, units);
      if (offset % 300 == 299 || offset == 4_999) {
        for (UsageIncrement one : read()) {
          sums.merge(one.hour(), one.units(), MeteredUnits::plus);
          assertEquals(
              null, places.put(one.key() + " " + one.offset(), one.offset()), "a place is once");
        }
      }
    }

    expected.values().removeIf(MeteredUnits::isNone);
    assertEquals(expected, sums);
  }
}
