package io.tidemark.platform.bench;

import java.io.IOException;
import java.io.Reader;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.Uuid;
import org.yaml.snakeyaml.Yaml;

/** The engines' Kafka broker with the stack's own settings and topics; its CPU is in no figure. */
final class Broker implements AutoCloseable {

  private final Receiver process;
  private final String address;

  private Broker(Receiver process, String address) {
    this.process = process;
    this.address = address;
  }

  static Broker start(Path root, Path engines, Path folder) throws Exception {
    String address = "127.0.0.1:" + Receiver.freePort();
    String controller = "127.0.0.1:" + Receiver.freePort();
    Path config = config(root, folder, address, controller);
    Map<String, String> classpath =
        Map.of("CLASSPATH", Files.readString(engines.resolve("kafka.classpath")).strip());
    ProcessBuilder format =
        new ProcessBuilder(
            java(
                "kafka.tools.StorageTool",
                "format",
                "--standalone",
                "-t",
                Uuid.randomUuid().toString(),
                "-c",
                config.toString()));
    format.environment().putAll(classpath);
    format.redirectErrorStream(true).redirectOutput(folder.resolve("format.log").toFile());
    if (format.start().waitFor() != 0) {
      throw new IllegalStateException("Kafka's storage was not formatted; see " + folder);
    }
    Receiver process =
        Receiver.start(
            "kafka",
            java("kafka.Kafka", config.toString()),
            classpath,
            folder.resolve("broker.log"),
            () -> answers(address));
    createTopics(root, address);
    return new Broker(process, address);
  }

  private static Path config(Path root, Path folder, String address, String controller)
      throws IOException {
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
    return config;
  }

  private static List<String> java(String main, String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(ProcessHandle.current().info().command().orElse("java"));
    command.addAll(List.of("-Xmx512m", "-XX:+UseSerialGC", main));
    command.addAll(List.of(arguments));
    return command;
  }

  private static boolean answers(String address) {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", address))) {
      return !admin.describeCluster().nodes().get(3, TimeUnit.SECONDS).isEmpty();
    } catch (ExecutionException | TimeoutException notYet) {
      return false;
    } catch (InterruptedException stop) {
      throw new IllegalStateException(stop);
    }
  }

  private static void createTopics(Path root, String address) throws Exception {
    Map<String, List<Map<String, Object>>> declared =
        new Yaml().load(Files.readString(root.resolve("infra/kafka/topics.yaml")));
    List<NewTopic> topics = new ArrayList<>();
    for (Map<String, Object> topic : declared.get("topics")) {
      @SuppressWarnings("unchecked")
      Map<String, String> settings = (Map<String, String>) topic.get("settings");
      topics.add(
          new NewTopic((String) topic.get("name"), (Integer) topic.get("partitions"), (short) 1)
              .configs(settings));
    }
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", address))) {
      admin.createTopics(topics).all().get(60, TimeUnit.SECONDS);
    }
  }

  String address() {
    return address;
  }

  @Override
  public void close() {
    process.close();
  }
}
