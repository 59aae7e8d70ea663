package io.tidemark.flink.rollup.bench;

import static java.nio.charset.StandardCharsets.US_ASCII;

import com.fasterxml.jackson.core.io.NumberInput;
import io.tidemark.flink.model.rollup.RollupLevel;
import io.tidemark.flink.testing.Fleet;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Committed rows of one level, added up per series and window and compared with what the fleet
 * sent: counts, least and greatest values equal, sums within 1e-9 of the sum of absolute values. Of
 * points with buckets every row must have as many observations in its own.
 */
final class WrittenRows {

  private static final double SUM_TOLERANCE = 1e-9;
  private static final byte[] TIMESTAMP = "{\"timestamp\":".getBytes(US_ASCII);
  private static final byte[] SERIES = "\"series_id\":\"".getBytes(US_ASCII);
  private static final byte[] SUM = "\"sum\":".getBytes(US_ASCII);
  private static final byte[] COUNT = ",\"count\":".getBytes(US_ASCII);
  private static final byte[] MIN = ",\"min\":".getBytes(US_ASCII);
  private static final byte[] MAX = ",\"max\":".getBytes(US_ASCII);
  private static final byte[] DISTRIBUTION = ",\"distribution\":\"".getBytes(US_ASCII);

  private final Input input;
  private final SeriesNumbers numbers;
  private final RollupLevel level;
  private final int series;
  private final long firstWindow;
  private final int[] counts;
  private final double[] sums;
  private final double[] minima;
  private final double[] maxima;
  private long rows;
  private long bytes;

  WrittenRows(Input input, SeriesNumbers numbers, RollupLevel level) {
    this.input = input;
    this.numbers = numbers;
    this.level = level;
    this.series = input.fleet().series();
    this.firstWindow = window(input.fleet().timeMs(0));
    int cells =
        (int) (window(input.fleet().timeMs(input.batches() - 1)) - firstWindow + 1) * series;
    this.counts = new int[cells];
    this.sums = new double[cells];
    this.minima = new double[cells];
    this.maxima = new double[cells];
    java.util.Arrays.fill(minima, Double.POSITIVE_INFINITY);
    java.util.Arrays.fill(maxima, Double.NEGATIVE_INFINITY);
  }

  long rows() {
    return rows;
  }

  long bytes() {
    return bytes;
  }

  /**
   * @throws IllegalStateException naming the first difference
   */
  void check(String bootstrapServers, String topic) {
    readAll(bootstrapServers, topic);
    for (int number = 0; number < series; number++) {
      checkSeries(number);
    }
  }

  private void checkSeries(int number) {
    int cell = cell(number, input.fleet().timeMs(0, number));
    int count = 0;
    double sum = 0;
    double min = Double.POSITIVE_INFINITY;
    double max = Double.NEGATIVE_INFINITY;
    for (long step = 0; step < input.steps(); step++) {
      int now = cell(number, input.fleet().timeMs(step, number));
      if (now != cell) {
        compare(cell, count, sum, min, max);
        cell = now;
        count = 0;
        sum = 0;
        min = Double.POSITIVE_INFINITY;
        max = Double.NEGATIVE_INFINITY;
      }
      double value = Fleet.value(step, number);
      count++;
      sum += value;
      min = Math.min(min, value);
      max = Math.max(max, value);
    }
    compare(cell, count, sum, min, max);
  }

  private void compare(int cell, int count, double sum, double min, double max) {
    boolean isSame =
        counts[cell] == count
            && Math.abs(sums[cell] - sum) <= SUM_TOLERANCE * Math.abs(sum)
            && minima[cell] == min
            && maxima[cell] == max;
    if (!isSame) {
      throw new IllegalStateException(
          "Wrong rows of level %s, series %d, window %d: count %d instead of %d, sum %s instead of %s"
              .formatted(
                  level,
                  cell % series,
                  firstWindow + cell / series,
                  counts[cell],
                  count,
                  sums[cell],
                  sum));
    }
  }

  private void readAll(String bootstrapServers, String topic) {
    Map<String, Object> settings =
        Map.of(
            "bootstrap.servers",
            bootstrapServers,
            "isolation.level",
            "read_committed",
            "auto.offset.reset",
            "earliest",
            "max.poll.records",
            "2000",
            "max.partition.fetch.bytes",
            "8388608",
            "fetch.max.bytes",
            "33554432");
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      List<TopicPartition> partitions =
          IntStream.range(0, Broker.PARTITIONS)
              .mapToObj(p -> new TopicPartition(topic, p))
              .toList();
      consumer.assign(partitions);
      Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
      while (!partitions.stream().allMatch(p -> consumer.position(p) >= ends.get(p))) {
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofSeconds(5))) {
          readRecord(record.value());
        }
      }
    }
  }

  private void readRecord(byte[] lines) {
    bytes += lines.length;
    int from = 0;
    while (from < lines.length) {
      int end = from;
      while (end < lines.length && lines[end] != '\n') {
        end++;
      }
      readRow(lines, from, end);
      from = end + 1;
    }
  }

  private void readRow(byte[] row, int from, int end) {
    rows++;
    long time = whole(row, after(row, from, end, TIMESTAMP));
    int id = after(row, from, end, SERIES);
    long low = Long.parseUnsignedLong(text(row, id + 16, id + 32), 16);
    int cell = cell(numbers.of(low), time);
    int at = after(row, id, end, SUM);
    sums[cell] += figure(row, at);
    at = after(row, at, end, COUNT);
    long count = whole(row, at);
    counts[cell] += (int) count;
    at = after(row, at, end, MIN);
    minima[cell] = Math.min(minima[cell], figure(row, at));
    at = after(row, at, end, MAX);
    maxima[cell] = Math.max(maxima[cell], figure(row, at));
    if (input.fleet().form().hasBuckets()
        && observations(row, after(row, at, end, DISTRIBUTION)) != count) {
      throw new IllegalStateException("Buckets are missing in a row: " + text(row, from, end));
    }
  }

  /** Of all buckets of a distribution as text: {@code 3|1025:12|1040:7,9,3}. */
  private static long observations(byte[] row, int from) {
    long sum = 0;
    long number = 0;
    boolean isCount = false;
    for (int at = from; ; at++) {
      byte next = row[at];
      if (next >= '0' && next <= '9') {
        number = 10 * number + next - '0';
        continue;
      }
      sum += isCount ? number : 0;
      number = 0;
      isCount = next == ':' || next == ',';
      if (next == '"') {
        return sum;
      }
    }
  }

  private int cell(int number, long timeMs) {
    return (int) (window(timeMs) - firstWindow) * series + number;
  }

  private long window(long timeMs) {
    return Math.floorDiv(timeMs, level.lengthMs());
  }

  private static int after(byte[] row, int from, int end, byte[] wanted) {
    for (int at = from; at + wanted.length <= end; at++) {
      int length = 0;
      while (length < wanted.length && row[at + length] == wanted[length]) {
        length++;
      }
      if (length == wanted.length) {
        return at + length;
      }
    }
    throw new IllegalStateException("A row lacks " + text(wanted, 0, wanted.length));
  }

  private static long whole(byte[] row, int from) {
    return Long.parseLong(number(row, from));
  }

  private static double figure(byte[] row, int from) {
    return NumberInput.parseDouble(number(row, from), true);
  }

  private static String number(byte[] row, int from) {
    int end = from;
    while (row[end] != ',' && row[end] != '}') {
      end++;
    }
    return text(row, from, end);
  }

  private static String text(byte[] row, int from, int end) {
    return new String(row, from, end - from, US_ASCII);
  }
}
