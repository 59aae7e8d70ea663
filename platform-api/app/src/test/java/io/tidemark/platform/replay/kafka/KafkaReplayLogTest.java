package io.tidemark.platform.replay.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.contracts.deadletter.replay.ReplayCandidate;
import io.tidemark.contracts.deadletter.v1.DeadLetter;
import io.tidemark.contracts.deadletter.v1.Replayed;
import io.tidemark.platform.replay.OffsetRange;
import io.tidemark.platform.replay.ReplayProperties;
import io.tidemark.platform.replay.ReplayRunner;
import io.tidemark.platform.shared.ProblemException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.springframework.util.unit.DataSize;

/** Records as the command reads and writes them. */
class KafkaReplayLogTest {

  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
  private static final ReplayProperties SETTINGS =
      new ReplayProperties(
          "",
          "points",
          "letters",
          "replays",
          Duration.ofSeconds(1),
          Duration.ofDays(30),
          100,
          DataSize.ofMegabytes(1),
          1_000);
  private static final TopicPartition LETTERS = new TopicPartition("letters", 0);
  private static final TopicPartition NOTES = new TopicPartition("replays", 0);

  private final MockProducer<byte[], byte[]> producer =
      new MockProducer<>(true, null, new ByteArraySerializer(), new ByteArraySerializer());
  private MockConsumer<byte[], byte[]> next;

  private KafkaReplayLog log() {
    return new KafkaReplayLog(
        SETTINGS, Clock.fixed(NOW, ZoneOffset.UTC), () -> next, () -> producer);
  }

  /** A topic with records from an offset on; the consumer is closed after its use. */
  private void topic(TopicPartition partition, long first, List<byte[][]> records) {
    next =
        new MockConsumer<>("earliest") {
          @Override
          public Map<TopicPartition, OffsetAndTimestamp> offsetsForTimes(
              Map<TopicPartition, Long> times) {
            Map<TopicPartition, OffsetAndTimestamp> found = new HashMap<>();
            times.forEach(
                (each, time) ->
                    found.put(
                        each,
                        time > NOW.toEpochMilli()
                            ? null
                            : new OffsetAndTimestamp(first + 1, time)));
            return found;
          }
        };
    Node node = new Node(0, "localhost", 9092);
    next.updatePartitions(
        partition.topic(),
        List.of(
            new PartitionInfo(partition.topic(), 0, node, new Node[] {node}, new Node[] {node})));
    next.updateBeginningOffsets(Map.of(partition, first));
    next.updateEndOffsets(Map.of(partition, first + records.size()));
    next.schedulePollTask(
        () -> {
          for (int i = 0; i < records.size(); i++) {
            next.addRecord(
                new ConsumerRecord<>(
                    partition.topic(), 0, first + i, records.get(i)[0], records.get(i)[1]));
          }
        });
  }

  private static byte[][] letter(String organization) {
    return new byte[][] {
      null, DeadLetter.newBuilder().setOrganizationId(organization).build().toByteArray()
    };
  }

  private static ReplayCandidate.Batch batch(String digits) {
    return new ReplayCandidate.Batch(
        digits.repeat(32), "org-a", "env-a", 1_000, new byte[] {1, 2}, 2);
  }

  @Test
  void lettersAreReadFromATimeOnAndUpToWhereTheyEnded() {
    topic(LETTERS, 5, List.of(letter("a"), letter("b"), letter("c")));
    assertThat(log().letters(NOW.minusSeconds(9))).containsExactly(new OffsetRange(0, 6, 8));
    topic(LETTERS, 5, List.of(letter("a"), letter("b"), letter("c")));
    assertThat(log().letters(NOW.plusSeconds(9)))
        .as("nothing was written since")
        .containsExactly(new OffsetRange(0, 8, 8));

    topic(
        LETTERS,
        5,
        List.of(letter("a"), new byte[][] {null, {-1}}, new byte[][] {null, null}, letter("d")));
    List<String> read = new ArrayList<>();
    List<Long> progress = new ArrayList<>();
    log()
        .read(
            // Of what the topic has forgotten there is nothing to read.
            List.of(new OffsetRange(0, 2, 8)),
            letter -> read.add(letter.getOrganizationId()),
            progress::add);
    assertThat(read).as("the last one came later").containsExactly("a");
    assertThat(progress.stream().mapToLong(Long::longValue).sum()).isEqualTo(3);
  }

  @Test
  void notesSayWhoWroteThem() {
    topic(
        NOTES,
        0,
        List.of(
            new byte[][] {
              "01".getBytes(UTF_8), Replayed.newBuilder().setReplayId("dlr-1").build().toByteArray()
            },
            new byte[][] {"02".getBytes(UTF_8), Replayed.getDefaultInstance().toByteArray()},
            new byte[][] {"03".getBytes(UTF_8), {-1}}));
    // The ends are asked over one consumer, the records over another.
    MockConsumer<byte[], byte[]> first = next;
    Map<String, String> notes = new HashMap<>();
    KafkaReplayLog log =
        new KafkaReplayLog(
            SETTINGS,
            Clock.fixed(NOW, ZoneOffset.UTC),
            new java.util.function.Supplier<>() {
              private int calls;

              @Override
              public org.apache.kafka.clients.consumer.Consumer<byte[], byte[]> get() {
                if (calls++ == 1) {
                  topic(
                      NOTES,
                      0,
                      List.of(
                          new byte[][] {
                            "01".getBytes(UTF_8),
                            Replayed.newBuilder().setReplayId("dlr-1").build().toByteArray()
                          },
                          new byte[][] {
                            "02".getBytes(UTF_8), Replayed.getDefaultInstance().toByteArray()
                          },
                          new byte[][] {"03".getBytes(UTF_8), {-1}}));
                  return next;
                }
                return first;
              }
            },
            () -> producer);
    log.notes(notes::put);
    assertThat(notes).containsExactlyInAnyOrderEntriesOf(Map.of("01", "dlr-1", "02", "", "03", ""));
  }

  @Test
  void aBatchAndItsNoteAreOneTransactionWithTheHeadersOfTheCommand() {
    try (ReplayLog.Writer writer = log().open()) {
      writer.write(batch("0a"), "dlr-1");
      assertThat(producer.history()).as("not committed yet").isEmpty();
      writer.commit();
    }
    assertThat(producer.history())
        .extracting(ProducerRecord::topic)
        .containsExactly("points", "replays");
    ProducerRecord<byte[], byte[]> points = producer.history().get(0);
    assertThat(points.value()).containsExactly(1, 2);
    assertThat(points.key()).hasSize(32);
    assertThat(header(points, "tidemark.organization_id")).isEqualTo("org-a");
    assertThat(header(points, "tidemark.environment_id")).isEqualTo("env-a");
    assertThat(header(points, "tidemark.batch_id")).isEqualTo("0a".repeat(32));
    assertThat(header(points, "tidemark.received_at_unix_ms")).isEqualTo("1000");
    assertThat(new String(producer.history().get(1).key(), UTF_8)).isEqualTo("0a".repeat(32));
    assertThat(producer.commitCount()).isEqualTo(1);
  }

  @Test
  void whatIsNotCommittedIsNotThere() {
    try (ReplayLog.Writer writer = log().open()) {
      writer.write(batch("0b"), "dlr-1");
    }
    assertThat(producer.history()).isEmpty();
  }

  @Test
  void transactionsAreBounded() {
    try (ReplayLog.Writer writer = log().open()) {
      for (int i = 0; i < KafkaReplayLog.BATCHES_PER_TRANSACTION; i++) {
        writer.write(batch(String.format("%02x", i % 256)), "dlr-1");
      }
      assertThat(producer.commitCount()).isEqualTo(1);
    }
  }

  @Test
  void theOneThatIsFencedStopsAndOtherFailuresAreTriedAgain() {
    ReplayLog.Writer writer = log().open();
    writer.write(batch("0c"), "dlr-1");
    producer.commitTransactionException = new ProducerFencedException("another took the id");
    assertThatThrownBy(writer::commit).isInstanceOf(ReplayRunner.ReplayFencedException.class);
    producer.commitTransactionException = new KafkaException("away");
    assertThatThrownBy(writer::commit).isInstanceOf(ProblemException.class);
  }

  private static String header(ProducerRecord<byte[], byte[]> record, String name) {
    return new String(record.headers().lastHeader(name).value(), UTF_8);
  }
}
