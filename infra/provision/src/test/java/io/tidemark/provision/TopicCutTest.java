package io.tidemark.provision;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where a store's rows end in a topic, on a real broker with transactions. */
class TopicCutTest {
  private static TestingBroker broker;
  private static int topics;

  /** What the store has. */
  private final Set<String> stored = new HashSet<>();

  private final TopicCut.StoredPanes store =
      lines -> {
        Set<String> among = new HashSet<>();
        Matcher pane = Pattern.compile("\"pane_id\":\"([^\"]+)\"").matcher(lines);
        while (pane.find()) {
          among.add(pane.group(1));
        }
        among.retainAll(stored);
        return among;
      };

  @BeforeAll
  static void start(@TempDir Path folder) throws Exception {
    broker = new TestingBroker(folder);
  }

  @AfterAll
  static void stop() {
    broker.close();
  }

  @Test
  void rowsBeginAfterTheLastRecordThatTheStoreHas() throws Exception {
    String topic = topic(2);
    // Each record is a transaction of its own: markers lie between them.
    for (int i = 0; i < 20; i++) {
      send(topic, 0, "a" + i, "b" + i);
    }
    send(topic, 1, "c0");
    for (int i = 0; i < 12; i++) {
      stored.addAll(List.of("a" + i, "b" + i));
    }
    assertThat(find(topic, Map.of())).isEqualTo(Map.of(0, 2L * 11 + 1, 1, 0L));
  }

  /** What the store deleted since, before a record of which it still has a row, moves nothing. */
  @Test
  void oneRowOfARecordIsEnoughAndDeletedRecordsBeforeItDoNotMatter() throws Exception {
    String topic = topic(1);
    for (int i = 0; i < 20; i++) {
      send(topic, 0, "d" + i, "e" + i);
    }
    stored.add("d3");
    stored.add("e15");
    assertThat(find(topic, Map.of())).isEqualTo(Map.of(0, 31L));
  }

  /** Nothing but what the store says of itself shows that it took them. */
  @Test
  void deletedRecordsAtTheEndAreNotReadAgainWhereTheStoreSaysThatItTookThem() throws Exception {
    String topic = topic(2);
    for (int i = 0; i < 20; i++) {
      send(topic, 0, "g" + i);
      send(topic, 1, "h" + i);
    }
    stored.addAll(List.of("g10", "h10"));
    // Of partition 1 it says nothing.
    assertThat(find(topic, Map.of(0, 2L * 15 + 1))).isEqualTo(Map.of(0, 31L, 1, 21L));
    stored.add("g17");
    assertThat(find(topic, Map.of(0, 31L, 1, 5L)))
        .as("what it is seen to have is more")
        .isEqualTo(Map.of(0, 35L, 1, 21L));
  }

  @Test
  void whatIsSaidOfATopicThatWasMadeAnewCountsForNothing() throws Exception {
    String topic = topic(1);
    for (int i = 0; i < 6; i++) {
      send(topic, 0, "i" + i);
    }
    stored.add("i2");
    assertThat(find(topic, Map.of(0, 13L))).as("beyond the end").isEqualTo(Map.of(0, 5L));
    assertThat(find(topic, Map.of(0, 12L))).as("the end").isEqualTo(Map.of(0, 12L));
  }

  @Test
  void aStoreThatHasNothingOfTheTopicBeginsWhereTheTopicDoes() throws Exception {
    String topic = topic(1);
    for (int i = 0; i < 6; i++) {
      send(topic, 0, "f" + i);
    }
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", broker.address()))) {
      admin
          .deleteRecords(Map.of(new TopicPartition(topic, 0), RecordsToDelete.beforeOffset(4)))
          .all()
          .get();
    }
    assertThat(find(topic, Map.of())).isEqualTo(Map.of(0, 4L));
    assertThat(find(topic, Map.of(0, 3L))).as("no longer there").isEqualTo(Map.of(0, 4L));
  }

  private Map<Integer, Long> find(String topic, Map<Integer, Long> taken) throws Exception {
    return new TopicCut(EngineAccess.OPEN.kafka(broker.address()), 4).find(topic, taken, store);
  }

  private static String topic(int partitions) throws Exception {
    String topic = "cut-" + topics++;
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", broker.address()))) {
      admin.createTopics(List.of(new NewTopic(topic, partitions, (short) 1))).all().get();
    }
    return topic;
  }

  private static void send(String topic, int partition, String... panes) throws Exception {
    String lines =
        String.join(
            "\n",
            List.of(panes).stream()
                .map(pane -> "{\"timestamp\":0,\"pane_id\":\"%s\"}".formatted(pane))
                .toList());
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", broker.address(), "transactional.id", "of-the-test"),
            new ByteArraySerializer(),
            new ByteArraySerializer())) {
      producer.initTransactions();
      producer.beginTransaction();
      producer
          .send(
              new ProducerRecord<>(topic, partition, null, lines.getBytes(StandardCharsets.UTF_8)))
          .get();
      producer.commitTransaction();
    }
  }
}
