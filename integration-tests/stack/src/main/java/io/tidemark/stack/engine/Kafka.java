package io.tidemark.stack.engine;

import io.tidemark.provision.KafkaTopics;
import io.tidemark.stack.Link;
import io.tidemark.stack.StackFailure;
import io.tidemark.stack.StackIdentity;
import io.tidemark.stack.StackSettings;
import io.tidemark.stack.process.ProcessSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.Node;

/** KRaft nodes, each broker and controller: one, or three that hold three copies of everything. */
final class Kafka {
  private final StackSettings settings;
  private final StackIdentity identity;
  private final Security security;

  Kafka(StackSettings settings, StackIdentity identity) {
    this.settings = settings;
    this.identity = identity;
    this.security = new Security(settings, identity);
  }

  List<ProcessSpec> specs() {
    return IntStream.rangeClosed(1, settings.brokers()).mapToObj(this::spec).toList();
  }

  private static String id(int node) {
    return node == 1 ? "kafka" : "kafka-" + node;
  }

  private static String controller(int node) {
    return node == 1 ? "kafka-controller" : id(node) + "-controller";
  }

  private ProcessSpec spec(int node) {
    Path config = config(node);
    JavaCommand java =
        JavaCommand.of(settings, id(node), 512)
            .engine("kafka")
            .archived("kafka")
            .telemetry(
                "kafka",
                identity.get("TIDEMARK_KAFKA_CLUSTER_ID"),
                "kafka-broker",
                settings.infra("kafka/jmx-rules.yaml"),
                StackIdentity.credentials(identity.get("TIDEMARK_BOOTSTRAP_SELF_KEY"))
                    .authorization());
    security.telemetryEnvironment().forEach(java::environment);
    return new ProcessSpec(
        id(node),
        java.run("kafka.Kafka", List.of(config.toString())),
        java.environment(),
        inputs(),
        List.of(),
        ports(node),
        java.prepared(() -> prepare(node)),
        () -> isReady(node),
        // The gateway is not ready while its topic is missing, so topics come with the broker.
        () -> {
          if (node == 1) {
            KafkaTopics.apply(
                settings.root(), settings.ports().address("kafka"), security.access());
          }
        },
        Duration.ofSeconds(180),
        new ProcessSpec.Stop("TERM", Duration.ofSeconds(60)));
  }

  private Path config(int node) {
    return settings.data(id(node)).resolve("server.properties");
  }

  private void prepare(int node) throws IOException, InterruptedException {
    Path data = settings.data(id(node));
    Path config = config(node);
    Folders.create(data.resolve("tmp"), data.resolve("log"));
    String broker = settings.ports().address(id(node));
    String controller = settings.ports().address(controller(node));
    Properties here = new Properties();
    String own = "BROKER://" + broker + ",CONTROLLER://" + controller;
    here.setProperty("listeners", own);
    here.setProperty("advertised.listeners", own);
    if (settings.links() == StackSettings.Links.PROXIED) {
      here.putAll(listenersOfLinks(own));
    }
    here.setProperty("controller.quorum.bootstrap.servers", controller);
    if (settings.brokers() > 1) {
      here.putAll(replicated(node));
    }
    here.setProperty("log.dirs", data.resolve("log").toString());
    if (security.isOn()) {
      here.putAll(security.kafka(listeners(settings)));
    }
    // Before what holds passwords is in it.
    Files.deleteIfExists(config);
    Files.createFile(
        config, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    Folders.writeProperties(settings.infra("kafka/server.properties"), here, config);
    if (Files.exists(data.resolve("log/meta.properties"))) {
      return;
    }
    JavaCommand java =
        JavaCommand.of(settings, "kafka", 128).option("-XX:TieredStopAtLevel=1").engine("kafka");
    ProcessBuilder format =
        new ProcessBuilder(
            java.run(
                "kafka.tools.StorageTool",
                List.of(
                    "format",
                    node == 1 ? "--standalone" : "--no-initial-controllers",
                    "-t",
                    identity.get("TIDEMARK_KAFKA_CLUSTER_ID"),
                    "-c",
                    config.toString())));
    format.environment().putAll(java.environment());
    Path log = data.resolve("format.log");
    if (format.redirectErrorStream(true).redirectOutput(log.toFile()).start().waitFor() != 0) {
      throw new StackFailure(
          "Kafka's storage could not be formatted; see " + log + "\n" + Files.readString(log));
    }
  }

  /** Node 1 begins the quorum; the others join it, and join again after the loss of a disk. */
  private Map<String, String> replicated(int node) {
    String copies = Integer.toString(settings.brokers());
    String inSync = Integer.toString(settings.brokers() - 1);
    return Map.of(
        "node.id", Integer.toString(node),
        "controller.quorum.auto.join.enable", "true",
        "controller.quorum.bootstrap.servers",
            IntStream.rangeClosed(1, settings.brokers())
                .mapToObj(each -> settings.ports().address(controller(each)))
                .collect(Collectors.joining(",")),
        "default.replication.factor", copies,
        "min.insync.replicas", inSync,
        "offsets.topic.replication.factor", copies,
        "transaction.state.log.replication.factor", copies,
        "transaction.state.log.min.isr", inSync,
        "share.coordinator.state.topic.replication.factor", copies,
        "share.coordinator.state.topic.min.isr", inSync);
  }

  /** Names of the listeners for clients and brokers. */
  static List<String> listeners(StackSettings settings) {
    List<String> names = new ArrayList<>(List.of("BROKER"));
    if (settings.links() == StackSettings.Links.PROXIED) {
      Link.to("kafka").forEach(link -> names.add(link.name()));
    }
    return names;
  }

  /** A client is sent back through the link it came by. */
  private Map<String, String> listenersOfLinks(String own) {
    StringBuilder listeners = new StringBuilder(own);
    StringBuilder advertised = new StringBuilder(own);
    StringBuilder protocols = new StringBuilder("CONTROLLER:PLAINTEXT,BROKER:PLAINTEXT");
    for (Link link : Link.to("kafka")) {
      String name = link.name();
      listeners
          .append(",%s://".formatted(name))
          .append(settings.ports().address(link.serverPort()));
      advertised.append(",%s://".formatted(name)).append(settings.ports().address(link.id()));
      protocols.append(",%s:PLAINTEXT".formatted(name));
    }
    return Map.of(
        "listeners", listeners.toString(),
        "advertised.listeners", advertised.toString(),
        "listener.security.protocol.map", protocols.toString());
  }

  private Map<String, Integer> ports(int node) {
    Map<String, Integer> ports = new LinkedHashMap<>();
    ports.put(id(node), settings.ports().of(id(node)));
    ports.put(controller(node), settings.ports().of(controller(node)));
    if (settings.links() == StackSettings.Links.PROXIED) {
      Link.to("kafka")
          .forEach(link -> ports.put(link.serverPort(), settings.ports().of(link.serverPort())));
    }
    return ports;
  }

  private List<Path> inputs() {
    List<Path> inputs =
        new ArrayList<>(
            List.of(
                settings.infra("kafka/server.properties"), settings.infra("kafka/jmx-rules.yaml")));
    if (security.isOn()) {
      inputs.add(security.certificates().authority("kafka"));
      inputs.add(security.certificates().authority("doors"));
    }
    return inputs;
  }

  /** The first is ready when all are there: topics need as many brokers as they have copies. */
  private boolean isReady(int node) throws Exception {
    Map<String, Object> client = security.access().kafka(settings.ports().address(id(node)));
    client.put("request.timeout.ms", "3000");
    client.put("default.api.timeout.ms", "4000");
    try (Admin admin = Admin.create(client)) {
      Collection<Node> nodes = admin.describeCluster().nodes().get(4, TimeUnit.SECONDS);
      return node == 1
          ? nodes.size() == settings.brokers()
          : nodes.stream().anyMatch(each -> each.id() == node);
    }
  }
}
