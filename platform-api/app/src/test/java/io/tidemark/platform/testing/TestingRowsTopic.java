package io.tidemark.platform.testing;

import io.tidemark.platform.metricstore.AggregateState;
import io.tidemark.platform.metricstore.LabelKey;
import io.tidemark.platform.testing.TestingStore.Row;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** A connection to the topic of minutes, of one partition. */
public final class TestingRowsTopic extends MockConsumer<byte[], byte[]> {

  private static final TopicPartition PARTITION = new TopicPartition("telemetry.rollup-1m.v1", 0);
  private static final JsonMapper JSON = JsonMapper.builder().build();

  private long sent;

  /** A topic that is empty. */
  public TestingRowsTopic() {
    super("earliest");
    updatePartitions(
        PARTITION.topic(), List.of(new PartitionInfo(PARTITION.topic(), 0, null, null, null)));
    updateBeginningOffsets(Map.of(PARTITION, 0L));
    updateEndOffsets(Map.of(PARTITION, 0L));
  }

  @Override
  public synchronized Map<TopicPartition, OffsetAndTimestamp> offsetsForTimes(
      Map<TopicPartition, Long> times, Duration timeout) {
    Map<TopicPartition, OffsetAndTimestamp> offsets = new HashMap<>();
    times.forEach((partition, time) -> offsets.put(partition, new OffsetAndTimestamp(0, time)));
    return offsets;
  }

  /** Sends the rows as one record. */
  public TestingRowsTopic send(List<Row> rows) {
    StringBuilder lines = new StringBuilder();
    rows.forEach(row -> lines.append(line(row)).append('\n'));
    return send(lines.toString(), ConsumerRecord.NO_TIMESTAMP);
  }

  /** Sends any text as a record of a time. */
  public TestingRowsTopic send(String text, long timestamp) {
    long offset = sent++;
    schedulePollTask(
        () ->
            addRecord(
                new ConsumerRecord<>(
                    PARTITION.topic(),
                    0,
                    offset,
                    timestamp,
                    TimestampType.CREATE_TIME,
                    0,
                    0,
                    null,
                    text.getBytes(StandardCharsets.UTF_8),
                    new RecordHeaders(),
                    Optional.empty())));
    return this;
  }

  /** The offset behind what was sent. */
  public long end() {
    return sent;
  }

  private static String line(Row row) {
    ObjectNode line = JSON.createObjectNode();
    line.put("timestamp", row.window());
    line.put("organization_id", row.organization());
    line.put("environment_id", row.environment());
    line.put("metric", row.metric());
    line.put("metric_type", "counter");
    line.put("series_id", row.series());
    row.labels()
        .forEach(
            (name, value) -> {
              if (!name.equals(LabelKey.ENVIRONMENT.value())) {
                line.put(name, value);
              }
            });
    AggregateState figures = row.figures();
    line.put("sum", figures.sum);
    line.put("count", figures.count);
    line.put("min", figures.min);
    line.put("max", figures.max);
    if (!Double.isNaN(figures.last)) {
      line.put("last", figures.last);
      line.put("last_timestamp", figures.lastAt);
    }
    if (row.bucket() != null) {
      line.put("distribution", "3|" + row.bucket() + ":1");
    }
    line.put("pane_id", "p");
    return line.toString();
  }
}
