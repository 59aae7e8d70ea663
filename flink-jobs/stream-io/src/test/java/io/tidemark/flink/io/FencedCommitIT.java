package io.tidemark.flink.io;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalLong;
import java.util.Properties;
import org.apache.flink.api.common.JobInfo;
import org.apache.flink.api.common.TaskInfo;
import org.apache.flink.api.common.TaskInfoImpl;
import org.apache.flink.api.connector.sink2.Committer;
import org.apache.flink.api.connector.sink2.CommitterInitContext;
import org.apache.flink.api.connector.sink2.SupportsCommitter;
import org.apache.flink.connector.base.DeliveryGuarantee;
import org.apache.flink.connector.kafka.sink.KafkaCommittable;
import org.apache.flink.connector.kafka.sink.KafkaSink;
import org.apache.flink.connector.kafka.sink.internal.FlinkKafkaInternalProducer;
import org.apache.flink.metrics.groups.SinkCommitterMetricGroup;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What a restored job makes of transactions that a real broker has ended before: a committed one is
 * no loss, an aborted one is.
 */
class FencedCommitIT {

  private static final ExactlyOnce TRANSACTIONS = new ExactlyOnce("job", Duration.ofMinutes(1));

  @TempDir private static Path folder;
  private static TestingBroker broker;

  @BeforeAll
  static void start() throws IOException {
    broker = new TestingBroker(folder);
  }

  @AfterAll
  static void stop() {
    broker.close();
  }

  @Test
  void aTransactionThatWasCommittedBeforeTheFailureIsNoFailure() throws Exception {
    broker.createTopic("before");
    KafkaCommittable restored;
    try (FlinkKafkaInternalProducer<String, String> producer = producer("job-sink-0-1")) {
      restored = written(producer, "before", "row");
      assertEquals("committed", commit(KafkaCommittable.of(producer)));
    }
    assertEquals(List.of("row"), broker.committed("before"));

    assertEquals("committed before", commit(restored));
    assertEquals("committed before", commit(restored));
    assertEquals(List.of("row"), broker.committed("before"));
  }

  @Test
  void theConnectorAloneCallsTheSameTransactionFailed() throws Exception {
    broker.createTopic("alone");
    KafkaSink<String> alone =
        KafkaSink.<String>builder()
            .setBootstrapServers(broker.address())
            .setRecordSerializer(new ValueOnly<>("alone", text -> text.getBytes(UTF_8)))
            .setDeliveryGuarantee(DeliveryGuarantee.EXACTLY_ONCE)
            .setTransactionalIdPrefix("job")
            .build();
    KafkaCommittable restored;
    try (FlinkKafkaInternalProducer<String, String> producer = producer("job-sink-0-2")) {
      restored = written(producer, "alone", "row");
      assertEquals("committed", commit(alone, List.of(KafkaCommittable.of(producer))).get(0));
    }

    assertEquals("failed: ProducerFencedException", commit(alone, List.of(restored)).get(0));
    assertEquals(List.of("row"), broker.committed("alone"));
  }

  @Test
  void whatTheFailureLeftOpenIsCommittedHoweverOftenTheJobIsRestored() throws Exception {
    broker.createTopic("open");
    KafkaCommittable restored = left("open", "job-sink-0-6", "row");

    assertEquals("committed", commit(restored));
    // A broker that still ends the transaction takes this for a stranger's, and is asked then.
    String again = commit(restored);
    assertTrue(again.startsWith("committed"), again);
    assertEquals(List.of("row"), broker.committed("open"));
  }

  /** A committer learns with one of its commits that its broker raises epochs. */
  @Test
  void whatOneCommitterEndedInTurnIsCommittedInAnyOrder() throws Exception {
    broker.createTopic("turns");
    List<KafkaCommittable> restored = new ArrayList<>();
    for (int number = 1; number <= 4; number++) {
      restored.add(left("turns", "job-sink-1-" + number, "row " + number));
    }
    try (FlinkKafkaInternalProducer<String, String> committer =
        newProducer("job-sink-1-1", Duration.ofMinutes(1))) {
      committer.partitionsFor("turns");
      for (KafkaCommittable each : restored) {
        committer.setTransactionId(each.getTransactionalId());
        committer.resumeTransaction(each.getProducerId(), each.getEpoch());
        committer.commitTransaction();
      }
    }

    for (int number = 0; number < restored.size(); number++) {
      List<String> said = commit(restored);
      assertTrue(said.stream().allMatch(each -> each.startsWith("committed")), said::toString);
      Collections.rotate(restored, 1);
    }
    assertEquals(List.of("row 1", "row 2", "row 3", "row 4"), broker.committed("turns"));
  }

  @Test
  void aTransactionThatTimedOutIsAFailureAlsoWhenItsIdIsUsedAgain() throws Exception {
    broker.createTopic("late");
    KafkaCommittable late = left("late", "job-sink-0-10", "row", Duration.ofSeconds(1));
    broker.awaitAbort("job-sink-0-10");

    assertFailed(commit(late));
    producer("job-sink-0-10").close();
    assertFailed(commit(late));
    assertEquals(List.of(), broker.committed("late"));
  }

  @Test
  void anAbortedTransactionIsAFailure() throws Exception {
    broker.createTopic("aborted");
    KafkaCommittable checkpointed = left("aborted", "job-sink-0-3", "row");
    // Whoever begins with the same id ends what was open; a timeout does the same.
    producer("job-sink-0-3").close();

    assertFailed(commit(checkpointed));
    assertEquals(List.of(), broker.committed("aborted"));
  }

  @Test
  void anotherCommittedTransactionOfTheSameIdDoesNotStandForALostOne() throws Exception {
    broker.createTopic("again");
    KafkaCommittable lost = left("again", "job-sink-0-4", "lost");
    KafkaCommittable later = left("again", "job-sink-0-4", "later");

    assertEquals("committed", commit(later));
    assertFailed(commit(lost));
    assertEquals(List.of("later"), broker.committed("again"));
  }

  @Test
  void aTransactionThatTheBrokerHasForgottenIsAFailure() throws Exception {
    KafkaCommittable unknown = new KafkaCommittable(7, (short) 0, "job-sink-0-5", null);

    assertFailed(commit(unknown));
  }

  /** What an empty coordinator says for a moment must not be taken for the last word. */
  @Test
  void aTransactionThatIsOpenIsSaidToBeOpen() throws Exception {
    broker.createTopic("said-open");
    KafkaCommittable open = left("said-open", "job-sink-0-7", "row");
    KafkaCommittable other =
        new KafkaCommittable(open.getProducerId() + 1, (short) 0, "job-sink-0-7", null);
    try (TransactionCoordinatorLookup lookup =
        new TransactionCoordinatorLookup(
            Brokers.at(broker.address()).settings(), Duration.ofSeconds(1))) {
      assertEquals(TransactionOutcome.State.OPEN, lookup.of(open));
      assertEquals(TransactionOutcome.State.LOST, lookup.of(other));
      assertEquals("committed", commit(open));
      assertEquals(TransactionOutcome.State.COMMITTED, lookup.of(open));
      assertEquals(
          TransactionOutcome.State.FORGOTTEN,
          lookup.of(new KafkaCommittable(7, (short) 0, "job-sink-0-8", null)));
    }
  }

  private static void assertFailed(String said) {
    assertTrue(said.startsWith("failed: "), said);
  }

  /** A transaction as a checkpoint holds it: open, with one record that the broker has. */
  private static KafkaCommittable written(
      FlinkKafkaInternalProducer<String, String> producer, String topic, String value)
      throws Exception {
    producer.beginTransaction();
    producer.send(new ProducerRecord<>(topic, value)).get();
    producer.precommitTransaction();
    return new KafkaCommittable(
        producer.getProducerId(), producer.getEpoch(), producer.getTransactionalId(), null);
  }

  /** The same, left open by a job that was killed. */
  private static KafkaCommittable left(String topic, String id, String value) throws Exception {
    return left(topic, id, value, Duration.ofMinutes(1));
  }

  private static KafkaCommittable left(String topic, String id, String value, Duration timeout)
      throws Exception {
    try (FlinkKafkaInternalProducer<String, String> producer = newProducer(id, timeout)) {
      producer.initTransactions();
      return written(producer, topic, value);
    }
  }

  private static FlinkKafkaInternalProducer<String, String> producer(String id) {
    FlinkKafkaInternalProducer<String, String> producer = newProducer(id, Duration.ofMinutes(1));
    producer.initTransactions();
    return producer;
  }

  private static FlinkKafkaInternalProducer<String, String> newProducer(
      String id, Duration timeout) {
    Properties settings = new Properties();
    settings.put("transaction.timeout.ms", Math.toIntExact(timeout.toMillis()));
    settings.put("bootstrap.servers", broker.address());
    settings.put("key.serializer", StringSerializer.class.getName());
    settings.put("value.serializer", StringSerializer.class.getName());
    return new FlinkKafkaInternalProducer<>(settings, id);
  }

  private static String commit(KafkaCommittable transaction) throws Exception {
    return commit(List.of(transaction)).get(0);
  }

  private static List<String> commit(List<KafkaCommittable> transactions) throws Exception {
    return commit(
        (SupportsCommitter<KafkaCommittable>)
            ExactlyOnceSinks.sink(
                Brokers.at(broker.address()),
                TRANSACTIONS,
                "sink",
                1000,
                new ValueOnly<String>("any", text -> text.getBytes(UTF_8))),
        transactions);
  }

  private static List<String> commit(
      SupportsCommitter<KafkaCommittable> sink, List<KafkaCommittable> transactions)
      throws Exception {
    List<TestingCommitRequest> requests =
        transactions.stream().map(TestingCommitRequest::new).toList();
    try (Committer<KafkaCommittable> committer = sink.createCommitter(new FirstSubtask())) {
      committer.commit(List.copyOf(requests));
    }
    return requests.stream().map(TestingCommitRequest::said).toList();
  }

  private static final class FirstSubtask implements CommitterInitContext {
    @Override
    public SinkCommitterMetricGroup metricGroup() {
      throw new UnsupportedOperationException();
    }

    @Override
    public OptionalLong getRestoredCheckpointId() {
      return OptionalLong.empty();
    }

    @Override
    public JobInfo getJobInfo() {
      throw new UnsupportedOperationException();
    }

    @Override
    public TaskInfo getTaskInfo() {
      return new TaskInfoImpl("sink", 1, 0, 1, 0);
    }
  }
}
