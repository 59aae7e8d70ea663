package io.tidemark.provision;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is open is named once it is old enough, what was committed is not. */
class BrokerTransactionsTest {
  @TempDir Path folder;

  @Test
  void transactionsThatNobodyEndsAreNamed() throws Exception {
    try (TestingBroker broker = new TestingBroker(folder)) {
      Map<String, Object> client =
          Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, broker.address());
      try (Admin admin = Admin.create(client)) {
        admin.createTopics(List.of(new NewTopic("rows", 1, (short) 1))).all().get();
      }
      BrokerTransactions transactions = new BrokerTransactions(client);
      try (KafkaProducer<byte[], byte[]> unused = begun(broker, "rollup-b");
          KafkaProducer<byte[], byte[]> also = begun(broker, "rollup-a");
          KafkaProducer<byte[], byte[]> ended = begun(broker, "lake-a")) {
        ended.commitTransaction();
        await(transactions, List.of("rollup-a", "rollup-b"));
        assertThat(transactions.openLongerThan(Duration.ofMinutes(2))).isEmpty();
        also.abortTransaction();
        await(transactions, List.of("rollup-b"));
      }
    }
  }

  /** An end is written to the partitions after its producer has its answer. */
  private static void await(BrokerTransactions transactions, List<String> ids) throws Exception {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    List<String> open = transactions.openLongerThan(Duration.ZERO);
    while (!open.equals(ids) && System.nanoTime() < deadline) {
      open = transactions.openLongerThan(Duration.ZERO);
    }
    assertThat(open).isEqualTo(ids);
  }

  /** With a record in its transaction that the broker has. */
  private static KafkaProducer<byte[], byte[]> begun(TestingBroker broker, String id)
      throws Exception {
    KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(
            Map.of(
                ProducerConfig.BOOTSTRAP_SERVERS_CONFIG,
                broker.address(),
                ProducerConfig.TRANSACTIONAL_ID_CONFIG,
                id),
            new ByteArraySerializer(),
            new ByteArraySerializer());
    producer.initTransactions();
    producer.beginTransaction();
    producer.send(new ProducerRecord<>("rows", new byte[1])).get();
    return producer;
  }
}
