package io.tidemark.flink.io;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.Writer;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import kafka.tools.StorageTool;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TransactionState;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.utils.Time;

/** A Kafka broker of the connector's version, in this process, that is gone after the test. */
final class TestingBroker implements AutoCloseable {

  private final KafkaRaftServer server;
  private final String address;
  private final Admin admin;

  /**
   * @param folder empty
   */
  TestingBroker(Path folder) throws IOException {
    address = "127.0.0.1:" + freePort();
    String controller = "127.0.0.1:" + freePort();
    String listeners = "BROKER://" + address + ",CONTROLLER://" + controller;
    Properties settings = new Properties();
    settings.put("process.roles", "broker,controller");
    settings.put("node.id", "1");
    settings.put("controller.listener.names", "CONTROLLER");
    settings.put("inter.broker.listener.name", "BROKER");
    settings.put("listener.security.protocol.map", "CONTROLLER:PLAINTEXT,BROKER:PLAINTEXT");
    settings.put("listeners", listeners);
    settings.put("advertised.listeners", listeners);
    settings.put("controller.quorum.bootstrap.servers", controller);
    settings.put("log.dirs", folder.resolve("log").toString());
    settings.put("transaction.state.log.replication.factor", "1");
    settings.put("transaction.state.log.min.isr", "1");
    settings.put("transaction.state.log.num.partitions", "1");
    settings.put("transaction.abort.timed.out.transaction.cleanup.interval.ms", "200");
    settings.put("offsets.topic.replication.factor", "1");
    Path file = folder.resolve("server.properties");
    try (Writer writer = Files.newBufferedWriter(file)) {
      settings.store(writer, null);
    }
    StorageTool.execute(
        new String[] {
          "format", "--standalone", "-t", Uuid.randomUuid().toString(), "-c", file.toString()
        },
        new PrintStream(OutputStream.nullOutputStream()));
    server = new KafkaRaftServer(new KafkaConfig(settings, false), Time.SYSTEM);
    server.startup();
    admin = Admin.create(Map.of("bootstrap.servers", address));
  }

  String address() {
    return address;
  }

  void createTopic(String name) throws Exception {
    admin.createTopics(List.of(new NewTopic(name, 1, (short) 1))).all().get(30, TimeUnit.SECONDS);
  }

  /** Returns when the broker has aborted what its producer left open for too long. */
  void awaitAbort(String transactionalId) throws Exception {
    while (admin
            .describeTransactions(List.of(transactionalId))
            .description(transactionalId)
            .get()
            .state()
        != TransactionState.COMPLETE_ABORT) {
      Thread.onSpinWait();
    }
  }

  /** What a reader of committed records finds in a topic, from its beginning to its end. */
  List<String> committed(String topic) {
    TopicPartition partition = new TopicPartition(topic, 0);
    Map<String, Object> settings =
        Map.of("bootstrap.servers", address, "isolation.level", "read_committed");
    List<String> values = new ArrayList<>();
    try (KafkaConsumer<String, String> consumer =
        new KafkaConsumer<>(settings, new StringDeserializer(), new StringDeserializer())) {
      consumer.assign(List.of(partition));
      consumer.seekToBeginning(List.of(partition));
      long end = consumer.endOffsets(List.of(partition)).get(partition);
      while (consumer.position(partition) < end) {
        for (ConsumerRecord<String, String> one : consumer.poll(Duration.ofMillis(200))) {
          values.add(one.value());
        }
      }
    }
    return values;
  }

  @Override
  public void close() {
    admin.close(Duration.ofSeconds(1));
    server.shutdown();
    server.awaitShutdown();
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }
}
