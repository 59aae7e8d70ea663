package io.tidemark.pipeline.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.pipeline.support.Await;
import io.tidemark.stack.StackSettings;
import java.io.IOException;
import java.io.Reader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A transaction that is committed while its partition has no leader is committed there once it has
 * one again, on brokers of the stack's version. Kafka 4.3.1 leaves it open for ever, and readers of
 * committed records stop before it.
 */
class LeaderlessPartitionIT {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final TopicPartition PARTITION = new TopicPartition("written", 0);

  /** Controller and coordinator of transactions. */
  private static final int COORDINATOR = 1;

  /** The only broker that has the partition. */
  private static final int LEADER = 2;

  private final StackSettings settings =
      StackSettings.fromEnvironment(Path.of(System.getProperty("tidemark.root")), Map.of());
  private final Map<Integer, Process> brokers = new HashMap<>();
  private final Map<Integer, Integer> ports = Map.of(COORDINATOR, freePort(), LEADER, freePort());
  private final String controller = "127.0.0.1:" + freePort();
  private final String cluster = Uuid.randomUuid().toString();
  private Admin admin;

  @TempDir Path folder;

  @BeforeEach
  void startCoordinator() throws Exception {
    format(COORDINATOR, "broker,controller", "--standalone");
    format(LEADER, "broker", "--no-initial-controllers");
    start(COORDINATOR);
    admin = Admin.create(client());
    Await.until("the coordinator", PATIENCE, this::nodes, nodes -> nodes.size() == 1);
  }

  @AfterEach
  void stop() {
    admin.close(Duration.ofSeconds(5));
    brokers.values().forEach(Process::destroyForcibly);
  }

  @Test
  void aCommitReachesThePartitionOnceItHasALeaderAgain() throws Exception {
    try (Producer<byte[], byte[]> producer =
        new KafkaProducer<>(client(), new ByteArraySerializer(), new ByteArraySerializer())) {
      // Makes the coordinator's topic while no other broker can lead it.
      producer.initTransactions();
      start(LEADER);
      Await.until("both brokers", PATIENCE, this::nodes, nodes -> nodes.size() == 2);
      admin
          .createTopics(List.of(new NewTopic(PARTITION.topic(), Map.of(0, List.of(LEADER)))))
          .all()
          .get();
      producer.beginTransaction();
      producer.send(new ProducerRecord<>(PARTITION.topic(), new byte[10])).get();

      brokers.get(LEADER).destroyForcibly().waitFor();
      Await.until(
          "the partition without a leader", PATIENCE, this::leader, node -> node.id() == -1);
      producer.commitTransaction();
      start(LEADER);

      // The record and the marker behind it.
      assertThat(
              Await.until(
                  "the end of the transaction", PATIENCE, this::stableOffset, last -> last > 0))
          .isEqualTo(2);
    }
  }

  private List<Node> nodes() throws Exception {
    return new ArrayList<>(admin.describeCluster().nodes().get());
  }

  private Node leader() throws Exception {
    Node leader =
        admin
            .describeTopics(List.of(PARTITION.topic()))
            .allTopicNames()
            .get()
            .get(PARTITION.topic())
            .partitions()
            .get(0)
            .leader();
    return leader == null ? Node.noNode() : leader;
  }

  private long stableOffset() throws ExecutionException, InterruptedException {
    return admin
        .listOffsets(
            Map.of(PARTITION, OffsetSpec.latest()),
            new ListOffsetsOptions(IsolationLevel.READ_COMMITTED))
        .partitionResult(PARTITION)
        .get()
        .offset();
  }

  private Map<String, Object> client() {
    return Map.of(
        "bootstrap.servers",
        "127.0.0.1:" + ports.get(COORDINATOR),
        "transactional.id",
        "leaderless-partition",
        // Beside other tests a minute may be too short.
        "transaction.timeout.ms",
        300_000);
  }

  private void format(int node, String roles, String quorum) throws Exception {
    Properties properties = new Properties();
    try (Reader ours = Files.newBufferedReader(settings.infra("kafka/server.properties"))) {
      properties.load(ours);
    }
    String listener = "BROKER://127.0.0.1:" + ports.get(node);
    properties.setProperty("process.roles", roles);
    properties.setProperty("node.id", Integer.toString(node));
    properties.setProperty(
        "listeners", roles.equals("broker") ? listener : listener + ",CONTROLLER://" + controller);
    properties.setProperty("advertised.listeners", listener);
    properties.setProperty("controller.quorum.bootstrap.servers", controller);
    properties.setProperty("log.dirs", folder.resolve(node + "-log").toString());
    try (var file = Files.newBufferedWriter(configuration(node))) {
      properties.store(file, null);
    }
    Process format =
        java(
            node,
            "kafka.tools.StorageTool",
            "format",
            quorum,
            "-t",
            cluster,
            "-c",
            configuration(node).toString());
    assertThat(format.waitFor()).as("see %s", log(node)).isZero();
  }

  private void start(int node) throws IOException {
    brokers.put(node, java(node, "kafka.Kafka", configuration(node).toString()));
  }

  private Process java(int node, String... arguments) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1"));
    command.addAll(List.of(arguments));
    ProcessBuilder process = new ProcessBuilder(command);
    process
        .environment()
        .put("CLASSPATH", Files.readString(settings.engines().resolve("kafka.classpath")).strip());
    return process
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(log(node).toFile()))
        .start();
  }

  private Path configuration(int node) {
    return folder.resolve(node + ".properties");
  }

  private Path log(int node) {
    return folder.resolve(node + ".log");
  }

  private static int freePort() {
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return free.getLocalPort();
    } catch (IOException failure) {
      throw new IllegalStateException("no free port", failure);
    }
  }
}
