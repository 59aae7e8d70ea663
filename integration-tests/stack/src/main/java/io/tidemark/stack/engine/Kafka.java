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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;

/** One KRaft node: broker and controller. */
final class Kafka {
  private final StackSettings settings;
  private final StackIdentity identity;
  private final Security security;

  Kafka(StackSettings settings, StackIdentity identity) {
    this.settings = settings;
    this.identity = identity;
    this.security = new Security(settings, identity);
  }

  ProcessSpec spec() {
    Path config = config();
    JavaCommand java =
        JavaCommand.of(settings, "kafka", 512)
            .engine("kafka")
            .telemetry(
                "kafka",
                identity.get("TIDEMARK_KAFKA_CLUSTER_ID"),
                "kafka-broker",
                settings.infra("kafka/jmx-rules.yaml"),
                StackIdentity.credentials(identity.get("TIDEMARK_BOOTSTRAP_SELF_KEY"))
                    .authorization());
    return new ProcessSpec(
        "kafka",
        java.run("kafka.Kafka", List.of(config.toString())),
        java.environment(),
        inputs(),
        List.of(),
        ports(),
        this::prepare,
        this::isReady,
        // The gateway is not ready while its topic is missing, so topics come with the broker.
        () ->
            KafkaTopics.apply(
                settings.root(), settings.ports().address("kafka"), security.access()),
        Duration.ofSeconds(180),
        new ProcessSpec.Stop("TERM", Duration.ofSeconds(60)));
  }

  private Path config() {
    return settings.data("kafka").resolve("server.properties");
  }

  private void prepare() throws IOException, InterruptedException {
    Path data = settings.data("kafka");
    Folders.create(data.resolve("tmp"), data.resolve("log"));
    String broker = settings.ports().address("kafka");
    String controller = settings.ports().address("kafka-controller");
    Properties here = new Properties();
    String own = "BROKER://" + broker + ",CONTROLLER://" + controller;
    here.setProperty("listeners", own);
    here.setProperty("advertised.listeners", own);
    if (settings.links() == StackSettings.Links.PROXIED) {
      here.putAll(listenersOfLinks(own));
    }
    here.setProperty("controller.quorum.bootstrap.servers", controller);
    here.setProperty("log.dirs", data.resolve("log").toString());
    if (security.isOn()) {
      here.putAll(security.kafka());
    }
    // Before what holds passwords is in it.
    Files.deleteIfExists(config());
    Files.createFile(
        config(),
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    Folders.writeProperties(settings.infra("kafka/server.properties"), here, config());
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
                    "--standalone",
                    "-t",
                    identity.get("TIDEMARK_KAFKA_CLUSTER_ID"),
                    "-c",
                    config().toString())));
    format.environment().putAll(java.environment());
    Path log = data.resolve("format.log");
    if (format.redirectErrorStream(true).redirectOutput(log.toFile()).start().waitFor() != 0) {
      throw new StackFailure(
          "Kafka's storage could not be formatted; see " + log + "\n" + Files.readString(log));
    }
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

  private Map<String, Integer> ports() {
    Map<String, Integer> ports = new LinkedHashMap<>();
    ports.put("kafka", settings.ports().of("kafka"));
    ports.put("kafka-controller", settings.ports().of("kafka-controller"));
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
      inputs.add(security.certificates().certificate("kafka"));
    }
    return inputs;
  }

  private boolean isReady() throws Exception {
    Map<String, Object> client = security.access().kafka(settings.ports().address("kafka"));
    client.put("request.timeout.ms", "3000");
    client.put("default.api.timeout.ms", "4000");
    try (Admin admin = Admin.create(client)) {
      return !admin.describeCluster().nodes().get(4, TimeUnit.SECONDS).isEmpty();
    }
  }
}
