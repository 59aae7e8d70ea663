package io.tidemark.flink.io.rows;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tidemark.flink.io.progress.ProgressRecord;
import io.tidemark.flink.model.completeness.CompletenessStatement;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.flink.connector.base.source.reader.splitreader.SplitsAddition;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class CompleteRowReaderTest {

  private static final TopicPartition ROWS = new TopicPartition("rows", 0);
  private static final TopicPartition DETAIL = new TopicPartition("detail", 0);
  private static final TopicPartition STATEMENTS = new TopicPartition("statements", 0);

  private final MockConsumer<byte[], byte[]> rows = new MockConsumer<>("earliest");
  private final MockConsumer<byte[], byte[]> questions = new MockConsumer<>("earliest");
  private final CompleteRowReader reader =
      new CompleteRowReader(rows, questions, DETAIL.topic(), STATEMENTS.topic());

  @BeforeEach
  void partitionsAreEmpty() {
    for (TopicPartition partition : List.of(ROWS, DETAIL, STATEMENTS)) {
      rows.updateBeginningOffsets(Map.of(partition, 0L));
      questions.updateBeginningOffsets(Map.of(partition, 0L));
      questions.updateEndOffsets(Map.of(partition, 0L));
    }
  }

  @Test
  void aStatementFollowsTheRowsThatWereCommittedBeforeItWasRead() {
    assign(ROWS);
    // The second row and the mark of its transaction were not fetched yet.
    questions.updateEndOffsets(Map.of(ROWS, 3L));
    row(ROWS, 0, "a");
    statement(0, 60_000);
    assertEquals(List.of("rows-0 a"), fetched());

    row(ROWS, 1, "b");
    assertEquals(List.of("rows-0 b"), fetched());

    rows.schedulePollTask(() -> rows.seek(ROWS, 3));
    assertEquals(List.of("rows-0 until 60000"), fetched());
    assertEquals(List.of(), fetched());
  }

  @Test
  void rowsThatCameAfterTheStatementAreNotWaitedFor() {
    assign(ROWS);
    questions.updateEndOffsets(Map.of(ROWS, 1L));
    row(ROWS, 0, "a");
    statement(0, 60_000);
    statement(1, 120_000);
    assertEquals(List.of("rows-0 a", "rows-0 until 120000"), fetched());
    questions.updateEndOffsets(Map.of(ROWS, 2L));
    row(ROWS, 1, "b");
    assertEquals(List.of("rows-0 b"), fetched());
  }

  @Test
  void anEmptyPartitionThatIsFoundLaterIsStatedWithoutARecord() {
    assign(ROWS);
    statement(0, 60_000);
    assertEquals(List.of("rows-0 until 60000"), fetched());

    assign(DETAIL);
    assertEquals(List.of("detail-0 until 60000"), fetched());
  }

  @Test
  void whatWasReadBeforeTheJobBeganIsNotReadAgain() {
    questions.updateEndOffsets(Map.of(STATEMENTS, 5_000L));
    assign(ROWS);
    assertEquals(3_000, rows.position(STATEMENTS));
  }

  private void assign(TopicPartition partition) {
    reader.handleSplitsChanges(
        new SplitsAddition<>(
            List.of(new KafkaPartitionSplit(partition, KafkaPartitionSplit.EARLIEST_OFFSET))));
  }

  private void row(TopicPartition partition, long offset, String text) {
    rows.addRecord(record(partition, offset, text.getBytes(StandardCharsets.UTF_8)));
  }

  private void statement(long offset, long until) {
    rows.addRecord(
        record(
            STATEMENTS,
            offset,
            ProgressRecord.encode(new CompletenessStatement(until, 0, List.of()))));
  }

  private static ConsumerRecord<byte[], byte[]> record(
      TopicPartition partition, long offset, byte[] value) {
    return new ConsumerRecord<>(partition.topic(), partition.partition(), offset, null, value);
  }

  private List<String> fetched() {
    List<String> all = new ArrayList<>();
    var records = reader.fetch();
    String split = records.nextSplit();
    while (split != null) {
      var next = records.nextRecordFromSplit();
      while (next != null) {
        RowBundle bundle = next.bundle();
        all.add(
            split
                + (bundle.completeUntil() > 0
                    ? " until " + bundle.completeUntil()
                    : " " + new String(bundle.rows(), StandardCharsets.UTF_8)));
        next = records.nextRecordFromSplit();
      }
      split = records.nextSplit();
    }
    return all;
  }
}
