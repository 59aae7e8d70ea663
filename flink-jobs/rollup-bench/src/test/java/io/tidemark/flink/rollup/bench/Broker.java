package io.tidemark.flink.rollup.bench;

import java.io.IOException;
import java.io.Reader;
import java.io.Writer;
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
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;

/**
 * The engines' Kafka broker with the stack's own settings, in a process of its own: its CPU time is
 * in no figure.
 */
final class Broker implements AutoCloseable {

  static final int PARTITIONS = 4;

  private static final Duration PATIENCE = Duration.ofSeconds(180);
  private static final Duration PAUSE = Duration.ofMillis(50);

  private final Process process;
  private final String address;
  private final Admin admin;

  private Broker(Process process, String address) {
    this.process = process;
    this.address = address;
    this.admin = Admin.create(Map.of("bootstrap.servers", address));
  }

  /**
   * @param root folder of the repository
   * @param engines folder with the engines' classpath files
   * @param folder empty; for data and logs
   */
  static Broker start(Path root, Path engines, Path folder) throws Exception {
    String address = "127.0.0.1:" + freePort();
    String controller = "127.0.0.1:" + freePort();
    Properties settings = new Properties();
    try (Reader file = Files.newBufferedReader(root.resolve("infra/kafka/server.properties"))) {
      settings.load(file);
    }
    String listeners = "BROKER://" + address + ",CONTROLLER://" + controller;
    settings.setProperty("listeners", listeners);
    settings.setProperty("advertised.listeners", listeners);
    settings.setProperty("controller.quorum.bootstrap.servers", controller);
    settings.setProperty("log.dirs", folder.resolve("log").toString());
    Path config = folder.resolve("server.properties");
    try (Writer file = Files.newBufferedWriter(config)) {
      settings.store(file, null);
    }
    String classpath = Files.readString(engines.resolve("kafka.classpath")).strip();
    Process format =
        java(
            classpath,
            folder,
            "kafka.tools.StorageTool",
            List.of("format", "--standalone", "-t", Uuid.randomUuid().toString()),
            config);
    if (format.waitFor() != 0) {
      throw new IllegalStateException("Kafka's storage was not formatted; see " + folder);
    }
    Broker broker = new Broker(java(classpath, folder, "kafka.Kafka", List.of(), config), address);
    broker.awaitStart();
    return broker;
  }

  String address() {
    return address;
  }

  /** Returns when every partition answers: a producer that comes sooner may stumble. */
  void createTopics(List<String> names) throws Exception {
    admin
        .createTopics(
            names.stream().map(name -> new NewTopic(name, PARTITIONS, (short) 1)).toList())
        .all()
        .get(60, TimeUnit.SECONDS);
    Map<TopicPartition, OffsetSpec> partitions = new HashMap<>();
    for (String name : names) {
      for (int partition = 0; partition < PARTITIONS; partition++) {
        partitions.put(new TopicPartition(name, partition), OffsetSpec.latest());
      }
    }
    awaitAnswer(() -> admin.listOffsets(partitions).all());
  }

  void deleteTopics(List<String> names) throws Exception {
    admin.deleteTopics(names).all().get(60, TimeUnit.SECONDS);
  }

  /** Whether a completed checkpoint of a group has read so far. */
  boolean hasRead(String group, Map<TopicPartition, Long> ends) throws Exception {
    Map<TopicPartition, OffsetAndMetadata> read =
        admin.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata().get();
    for (Map.Entry<TopicPartition, Long> end : ends.entrySet()) {
      OffsetAndMetadata offset = read.get(end.getKey());
      if (end.getValue() > 0 && (offset == null || offset.offset() < end.getValue())) {
        return false;
      }
    }
    return true;
  }

  /** Forgets what a group has committed, so that its next job begins with the first record. */
  void forget(String group) throws Exception {
    admin.deleteConsumerGroups(List.of(group)).all().get(60, TimeUnit.SECONDS);
  }

  @Override
  public void close() {
    admin.close(Duration.ofSeconds(1));
    process.destroyForcibly();
  }

  private void awaitStart() throws Exception {
    awaitAnswer(() -> admin.describeCluster().nodes());
  }

  private void awaitAnswer(Supplier<KafkaFuture<?>> question) throws Exception {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (true) {
      try {
        question.get().get(5, TimeUnit.SECONDS);
        return;
      } catch (ExecutionException | TimeoutException e) {
        if (System.nanoTime() > deadline || !process.isAlive()) {
          throw new IllegalStateException("Kafka does not answer", e);
        }
        LockSupport.parkNanos(PAUSE.toNanos());
      }
    }
  }

  private static Process java(
      String classpath, Path folder, String main, List<String> arguments, Path config)
      throws IOException {
    boolean isServer = arguments.isEmpty();
    List<String> command = new ArrayList<>();
    command.add(ProcessHandle.current().info().command().orElse("java"));
    command.addAll(List.of("-Xmx768m", "-XX:+UseSerialGC", main));
    command.addAll(arguments);
    if (!isServer) {
      command.add("-c");
    }
    command.add(config.toString());
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("CLASSPATH", classpath);
    builder.redirectOutput(ProcessBuilder.Redirect.appendTo(folder.resolve("broker.log").toFile()));
    return builder.start();
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }
}
