package io.tidemark.stack.engine;

import io.tidemark.provision.DruidHandoff;
import io.tidemark.stack.Link;
import io.tidemark.stack.StackFailure;
import io.tidemark.stack.StackIdentity;
import io.tidemark.stack.StackSettings;
import io.tidemark.stack.process.ProcessSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Druid in six processes; each takes its behaviour from {@code infra/druid/<role>} and its place
 * from here.
 */
final class Druid {
  /**
   * After Kafka, for which the gateway waits: on few cores data is taken sooner that way, and
   * before data is taken Druid has nothing to serve.
   */
  private static final List<String> BEFORE = List.of(Network.ID, "zookeeper", "kafka");

  private static final Duration PATIENCE_FOR_TASKS = Duration.ofSeconds(5);

  private static final List<String> MODULE_OPTIONS =
      List.of(
          "--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED",
          "--add-exports=java.base/jdk.internal.ref=ALL-UNNAMED",
          "--add-opens=java.base/java.nio=ALL-UNNAMED",
          "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
          "--add-opens=java.base/jdk.internal.ref=ALL-UNNAMED",
          "--add-opens=java.base/java.io=ALL-UNNAMED",
          "--add-opens=java.base/java.lang=ALL-UNNAMED",
          "--add-opens=jdk.management/com.sun.management.internal=ALL-UNNAMED");

  private final StackSettings settings;
  private final Security security;

  Druid(StackSettings settings, StackIdentity identity) {
    this.settings = settings;
    this.security = new Security(settings, identity);
  }

  /** All but {@link #compaction}. */
  List<ProcessSpec> specs() {
    return List.of(
        spec("druid-coordinator", "coordinator-overlord", "coordinator", 256, 64, BEFORE),
        // These need nobody who leads, which takes its time after a kill.
        spec("druid-broker", "broker", "broker", 320, 160, BEFORE),
        spec("druid-historical", "historical", "historical", 256, 160, BEFORE),
        spec("druid-historical-hot", "historical-hot", "historical", 256, 160, BEFORE),
        spec("druid-indexer", "indexer", "indexer", 768, 256, List.of("druid-coordinator")));
  }

  /**
   * Compacts, for which no answer waits.
   *
   * @param before what starts first, on few cores
   */
  ProcessSpec compaction(List<String> before) {
    List<String> dependsOn = new ArrayList<>(before);
    dependsOn.add("druid-coordinator");
    return spec("druid-indexer-batch", "indexer-batch", "indexer", 448, 160, dependsOn);
  }

  private ProcessSpec spec(
      String id, String role, String main, int heapMiB, int directMiB, List<String> dependsOn) {
    int port = settings.ports().of(id);
    Path config = settings.infra("druid").resolve(role);
    JavaCommand java =
        JavaCommand.of(settings, id, heapMiB)
            .compilesLate()
            .option("-XX:MaxDirectMemorySize=" + directMiB + "m")
            .property("java.util.logging.manager", "org.apache.logging.log4j.jul.LogManager")
            .property("druid.host", "127.0.0.1")
            .property("druid.zk.service.host", settings.address(Link.DRUID_ZOOKEEPER))
            .property(
                "druid.storage.storageDirectory", settings.data("druid").resolve("deep-storage"))
            .property("druid.indexer.logs.directory", settings.data("druid").resolve("task-logs"))
            .property("druid.processing.tmpDir", settings.data(id).resolve("tmp"))
            .engine("druid")
            .archived("druid")
            .folder(settings.infra("druid/_common"))
            .folder(config);
    MODULE_OPTIONS.forEach(java::option);
    if (main.equals("indexer")) {
      // What tasks hold dies young: half of the heap is for it.
      java.option("-XX:NewRatio=1");
    }
    if (id.equals("druid-indexer-batch")) {
      java.lowPriority();
    }
    List<Path> inputs =
        new ArrayList<>(
            List.of(
                settings.infra("druid/_common/common.runtime.properties"),
                config.resolve("runtime.properties")));
    if (security.isOn()) {
      security.druidEnvironment().forEach(java::environment);
      security.druid(port).forEach(java::property);
      java.folder(encryptionJar());
      inputs.add(security.certificates().trusted("druid"));
    } else {
      java.property("druid.plaintextPort", port);
    }
    switch (main) {
      // It plans and computes nothing: what the second compiler would cost never comes back.
      case "coordinator" -> metadata(java.option("-XX:TieredStopAtLevel=1"));
      case "historical" -> java.property("druid.segmentCache.locations", cache(id));
      case "indexer" ->
          java.property("druid.indexer.task.baseDir", settings.data(id))
              .property("druid.segmentCache.locations", cache(id));
      default -> {
        // The broker keeps nothing on disk.
      }
    }
    Map<String, Integer> ports =
        main.equals("coordinator")
            ? Map.of(id, port, "druid-metadata", settings.ports().of("druid-metadata"))
            : Map.of(id, port);
    return new ProcessSpec(
        id,
        java.run("org.apache.druid.cli.Main", List.of("server", main)),
        java.environment(),
        inputs,
        dependsOn,
        ports,
        java.prepared(() -> prepare(id)),
        () -> isReady(id, main),
        () -> {
          if (id.equals("druid-indexer")) {
            assignPendingTasks();
          }
        },
        Duration.ofSeconds(300),
        new ProcessSpec.Stop("TERM", Duration.ofSeconds(45)));
  }

  private Path encryptionJar() {
    Path jar = settings.infra("druid-encryption/target/druid-encryption.jar");
    if (!Files.exists(jar)) {
      throw new StackFailure("Druid's encryption is not built yet. Run `make build`.");
    }
    return jar;
  }

  private void metadata(JavaCommand java) {
    int port = settings.ports().of("druid-metadata");
    java.property("druid.metadata.storage.connector.host", "127.0.0.1")
        .property("druid.metadata.storage.connector.port", port)
        .property(
            "druid.metadata.storage.connector.connectURI",
            "jdbc:derby://127.0.0.1:"
                + port
                + "/"
                + settings.data("druid").resolve("metadata")
                + ";create=true")
        .property(
            "derby.stream.error.file", settings.data("druid-coordinator").resolve("derby.log"));
  }

  private String cache(String id) {
    return "[{\"path\":\""
        + settings.data(id).resolve("segment-cache")
        + "\",\"maxSize\":\"20GiB\"}]";
  }

  private void prepare(String id) throws IOException, InterruptedException {
    if (id.equals("druid-indexer")) {
      // Folders of its tasks must not be found again: ADR 0062. All of it is a cache.
      DeletedTree.delete(settings.data(id));
      endLostTasks();
    }
    new EphemeralNodes(settings.ports().of("zookeeper")).removeOfDruid(settings.ports().of(id));
    Folders.create(
        settings.data(id).resolve("tmp"),
        settings.data(id).resolve("segment-cache"),
        settings.data("druid").resolve("deep-storage"),
        settings.data("druid").resolve("task-logs"));
  }

  /** No other process runs streaming tasks, and this one does not run yet. */
  private void endLostTasks() throws InterruptedException {
    try {
      handoff().endLost();
    } catch (IOException away) {
      // The overlord gives them to this process once it is back; they take longer.
    }
  }

  private void assignPendingTasks() throws InterruptedException {
    try {
      handoff().assignPending(PATIENCE_FOR_TASKS);
    } catch (IOException away) {
      // The overlord looks for a worker again within a minute.
    }
  }

  private DruidHandoff handoff() {
    return new DruidHandoff(security.url("druid-coordinator"), security.access());
  }

  private boolean isReady(String id, String main) throws IOException, InterruptedException {
    String own = security.url(id);
    String coordinator = security.url("druid-coordinator");
    if (!security.http().get(own + "/status/health").text().trim().equals("true")) {
      return false;
    }
    return switch (main) {
      case "coordinator" ->
          security.http().get(own + "/druid/coordinator/v1/isLeader").ok()
              && security.http().get(own + "/druid/indexer/v1/isLeader").ok();
      case "broker" -> security.http().get(own + "/druid/broker/v1/readiness").ok();
      case "historical" -> security.http().get(own + "/druid/historical/v1/readiness").ok();
      case "indexer" ->
          security
              .http()
              .get(coordinator + "/druid/indexer/v1/workers")
              .text()
              .contains("127.0.0.1:" + settings.ports().of(id));
      default -> throw new IllegalArgumentException("no Druid role " + main);
    };
  }
}
