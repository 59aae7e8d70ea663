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
    assertThat(new TopicCut(EngineAccess.OPEN.kafka(broker.address()), 4).find(topic, store))
        .isEqualTo(Map.of(0, 2L * 11 + 1, 1, 0L));
  }

  /** What the store deleted since is behind the cut and does not move it. */
  @Test
  void oneRowOfARecordIsEnoughAndDeletedRecordsBeforeItDoNotMatter() throws Exception {
    String topic = topic(1);
    for (int i = 0; i < 20; i++) {
      send(topic, 0, "d" + i, "e" + i);
    }
    stored.add("d3");
    stored.add("e15");
    assertThat(new TopicCut(EngineAccess.OPEN.kafka(broker.address()), 4).find(topic, store))
        .isEqualTo(Map.of(0, 31L));
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
    assertThat(new TopicCut(EngineAccess.OPEN.kafka(broker.address()), 4).find(topic, store))
        .isEqualTo(Map.of(0, 4L));
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
