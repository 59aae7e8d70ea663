package io.tidemark.stack.engine;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.stack.Link;
import io.tidemark.stack.StackIdentity;
import io.tidemark.stack.StackSettings;
import io.tidemark.stack.process.ProcessSpec;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A standalone session cluster: JobManager with ZooKeeper high availability, one TaskManager, state
 * in folders of this machine or in an object store.
 */
final class Flink {
  /** What Flink needs of JDK 17, in every process it runs in. */
  static final List<String> MODULE_OPTIONS =
      List.of(
          "--add-exports=java.rmi/sun.rmi.registry=ALL-UNNAMED",
          "--add-exports=java.security.jgss/sun.security.krb5=ALL-UNNAMED",
          "--add-opens=java.base/java.lang=ALL-UNNAMED",
          "--add-opens=java.base/java.net=ALL-UNNAMED",
          "--add-opens=java.base/java.io=ALL-UNNAMED",
          "--add-opens=java.base/java.nio=ALL-UNNAMED",
          "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
          "--add-opens=java.base/java.lang.reflect=ALL-UNNAMED",
          "--add-opens=java.base/java.text=ALL-UNNAMED",
          "--add-opens=java.base/java.time=ALL-UNNAMED",
          "--add-opens=java.base/java.util=ALL-UNNAMED",
          "--add-opens=java.base/java.util.concurrent=ALL-UNNAMED",
          "--add-opens=java.base/java.util.concurrent.atomic=ALL-UNNAMED",
          "--add-opens=java.base/java.util.concurrent.locks=ALL-UNNAMED");

  private final StackSettings settings;
  private final StackIdentity identity;
  private final Security security;

  private static final List<String> BEFORE = List.of(Network.ID, "zookeeper", ObjectStore.ID);

  Flink(StackSettings settings, StackIdentity identity) {
    this.settings = settings;
    this.identity = identity;
    this.security = new Security(settings, identity);
  }

  ProcessSpec jobManager() {
    Map<String, Object> options = shared("flink-jobmanager");
    // No fixed RPC port here and on the TaskManager: a process that comes back at once at its old
    // address is quarantined by those who knew it there. ZooKeeper tells the new one.
    options.put("high-availability.jobmanager.port", 0);
    options.put("jobmanager.rpc.address", "127.0.0.1");
    options.put("jobmanager.bind-host", "127.0.0.1");
    options.put("rest.address", "127.0.0.1");
    options.put("rest.bind-address", "127.0.0.1");
    options.put("rest.port", settings.ports().of("flink-ui"));
    options.put("rest.bind-port", settings.ports().of("flink-ui"));
    options.put("blob.server.port", settings.ports().of("flink-blob"));
    options.put("web.upload.dir", data().resolve("uploads"));
    JavaCommand java = java("flink-jobmanager", 384, "jobmanager");
    // It computes nothing: what the second compiler would cost never comes back.
    java.option("-XX:MaxMetaspaceSize=256m").option("-XX:TieredStopAtLevel=1");
    return new ProcessSpec(
        "flink-jobmanager",
        java.run(
            "org.apache.flink.runtime.entrypoint.StandaloneSessionClusterEntrypoint",
            arguments("flink-jobmanager", options)),
        java.environment(),
        inputs(),
        BEFORE,
        Map.of(
            "flink-ui", settings.ports().of("flink-ui"),
            "flink-blob", settings.ports().of("flink-blob")),
        java.prepared(() -> prepare("flink-jobmanager")),
        () -> security.http().get(rest("/overview")).ok(),
        () -> {},
        Duration.ofSeconds(180),
        new ProcessSpec.Stop("TERM", Duration.ofSeconds(30)));
  }

  ProcessSpec taskManager() {
    Map<String, Object> options = shared("flink-taskmanager");
    options.put("taskmanager.host", "127.0.0.1");
    options.put("taskmanager.bind-host", "127.0.0.1");
    options.put("taskmanager.rpc.port", 0);
    options.put("taskmanager.data.port", settings.ports().of("flink-taskmanager-data"));
    // No start script computes these for a process started by hand: all of them, in agreement with
    // -Xmx below.
    options.put("taskmanager.cpu.cores", "2.0");
    options.put("taskmanager.memory.framework.heap.size", "128m");
    options.put("taskmanager.memory.task.heap.size", "1408m");
    options.put("taskmanager.memory.framework.off-heap.size", "128m");
    options.put("taskmanager.memory.task.off-heap.size", "0m");
    options.put("taskmanager.memory.network.min", "64m");
    options.put("taskmanager.memory.network.max", "64m");
    options.put("taskmanager.memory.managed.size", "384m");
    options.put("taskmanager.memory.jvm-metaspace.size", "384m");
    options.put("taskmanager.memory.jvm-overhead.min", "192m");
    options.put("taskmanager.memory.jvm-overhead.max", "192m");
    JavaCommand java = java("flink-taskmanager", 1536, "taskmanager");
    java.option("-XX:MaxMetaspaceSize=384m").option("-XX:MaxDirectMemorySize=192m");
    return new ProcessSpec(
        "flink-taskmanager",
        java.run(
            "org.apache.flink.runtime.taskexecutor.TaskManagerRunner",
            arguments("flink-taskmanager", options)),
        java.environment(),
        inputs(),
        // Beside the JobManager, which waits for the end of a killed one's session before it leads.
        BEFORE,
        Map.of("flink-taskmanager-data", settings.ports().of("flink-taskmanager-data")),
        java.prepared(() -> prepare("flink-taskmanager")),
        this::taskManagerServes,
        () -> {},
        Duration.ofSeconds(180),
        new ProcessSpec.Stop("TERM", Duration.ofSeconds(30)));
  }

  /**
   * A TaskManager that was killed stays listed until its heartbeat is missed, but its address is
   * dead.
   */
  private boolean taskManagerServes() throws IOException, InterruptedException {
    for (JsonNode listed : security.http().get(rest("/taskmanagers")).body().path("taskmanagers")) {
      String[] address = listed.path("path").asText().replaceAll(".*@([^/]+)/.*", "$1").split(":");
      if (address.length == 2 && answers(address[0], Integer.parseInt(address[1]))) {
        return true;
      }
    }
    return false;
  }

  private static boolean answers(String host, int port) {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(host, port), 1000);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  private String rest(String path) {
    return security.url("flink-ui") + path;
  }

  private Path data() {
    return settings.data("flink");
  }

  private boolean isOnObjectStore() {
    return settings.storage() == StackSettings.Storage.S3;
  }

  private List<Path> inputs() {
    List<Path> inputs =
        new ArrayList<>(
            List.of(settings.infra("flink/config.yaml"), settings.infra("flink/jmx-rules.yaml")));
    if (security.isOn()) {
      inputs.add(security.certificates().trusted("flink"));
      inputs.add(security.certificates().authority("doors"));
      inputs.add(security.certificates().certificate("flink"));
      inputs.add(security.certificates().certificate("flink-internal"));
    }
    return inputs;
  }

  private JavaCommand java(String component, int heapMiB, String role) {
    JavaCommand java =
        JavaCommand.of(settings, component, heapMiB).engine("flink").archived("flink");
    MODULE_OPTIONS.forEach(java::option);
    // Two actor systems a process each look a hundred times a second for what is due, by default.
    java.property("pekko.scheduler.tick-duration", "100ms");
    objectStore().forEach(java::environment);
    security.telemetryEnvironment().forEach(java::environment);
    if (isOnObjectStore()) {
      java.environment("FLINK_PLUGINS_DIR", settings.data(component).resolve("plugins").toString());
    }
    return java.telemetry(
            "flink",
            identity.get("TIDEMARK_FLINK_CLUSTER_ID"),
            "",
            settings.infra("flink/jmx-rules.yaml"),
            StackIdentity.credentials(identity.get("TIDEMARK_BOOTSTRAP_SELF_KEY")).authorization())
        // The lake job commits to the catalog.
        .environment("TIDEMARK_CATALOG_PASSWORD", identity.get("TIDEMARK_CATALOG_PASSWORD"))
        .environment(
            "OTEL_RESOURCE_ATTRIBUTES",
            "tidemark.resource.type=flink,tidemark.resource.id="
                + identity.get("TIDEMARK_FLINK_CLUSTER_ID")
                + ",flink.role="
                + role);
  }

  private Map<String, Object> shared(String component) {
    Map<String, Object> options = new LinkedHashMap<>();
    options.put("high-availability.zookeeper.quorum", settings.address(Link.FLINK_ZOOKEEPER));
    options.put("high-availability.zookeeper.path.root", "/flink");
    options.put("high-availability.cluster-id", "/tidemark");
    options.put("high-availability.storageDir", settings.dataUri("flink", "high-availability"));
    options.put("execution.checkpointing.dir", settings.dataUri("flink", "checkpoints"));
    options.put("execution.checkpointing.savepoint-dir", settings.dataUri("flink", "savepoints"));
    options.put("io.tmp.dirs", settings.data(component).resolve("tmp"));
    return options;
  }

  private List<String> arguments(String component, Map<String, Object> options) {
    Path configuration =
        hasSecrets() ? settings.data(component).resolve("conf") : settings.infra("flink");
    List<String> arguments = new ArrayList<>(List.of("--configDir", configuration.toString()));
    options.forEach(
        (name, value) -> {
          arguments.add("-D");
          arguments.add(name + "=" + value);
        });
    return arguments;
  }

  private void prepare(String component) throws IOException, InterruptedException {
    if (component.equals("flink-jobmanager")) {
      new EphemeralNodes(settings.ports().of("zookeeper")).removeOfFlink();
    }
    Folders.create(
        settings.data(component).resolve("tmp"),
        data().resolve("uploads"),
        data().resolve("checkpoints"),
        data().resolve("savepoints"),
        data().resolve("high-availability"));
    if (isOnObjectStore()) {
      installObjectStore(component);
    }
    if (hasSecrets()) {
      writeConfiguration(component);
    }
  }

  private boolean hasSecrets() {
    return isOnObjectStore() || security.isOn();
  }

  private void installObjectStore(String component) throws IOException {
    Path plugin = settings.data(component).resolve("plugins/s3");
    Folders.create(plugin);
    Path jar = JavaCommand.jars(settings, "flink-s3").get(0);
    Path installed = plugin.resolve(jar.getFileName());
    if (!Files.exists(installed)) {
      Files.createSymbolicLink(installed, jar);
    }
  }

  /**
   * A configuration that holds credentials: command lines can be read by everybody on the machine,
   * the file by its owner only.
   */
  private void writeConfiguration(String component) throws IOException {
    Path configuration = settings.data(component).resolve("conf");
    Folders.create(configuration);
    String text =
        Files.readString(settings.infra("flink/config.yaml")) + "# Added for this machine.\n";
    if (isOnObjectStore()) {
      text += objectStoreSettings();
    }
    if (security.isOn()) {
      text += encryption();
    }
    Folders.writePrivate(configuration.resolve("config.yaml"), text);
  }

  private Map<String, String> objectStore() {
    return ObjectStore.environment(settings, identity, settings.address(Link.FLINK_STORE));
  }

  private String objectStoreSettings() {
    Map<String, String> store = objectStore();
    return """
        s3:
          endpoint: %s
          path-style-access: true
          access-key: %s
          secret-key: %s
        """
        .formatted(
            store.get("TIDEMARK_S3_ENDPOINT"),
            store.get("AWS_ACCESS_KEY_ID"),
            store.get("AWS_SECRET_ACCESS_KEY"));
  }

  /** Its processes know each other by one certificate; the REST interface knows the lifecycle. */
  private String encryption() {
    Certificates certificates = security.certificates();
    StringBuilder text =
        new StringBuilder("security:\n  ssl:\n    protocol: TLSv1.2\n")
            .append(
                "    algorithms: TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256,TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384\n");
    Map.of("internal", "flink-internal", "rest", "flink")
        .forEach(
            (door, name) ->
                text.append(
                    """
                        %s:
                          enabled: true
                          keystore: %s
                          keystore-type: PKCS12
                          keystore-password: %s
                          key-password: %s
                          truststore: %s
                          truststore-type: PKCS12
                          truststore-password: %s
                    """
                            .formatted(
                                door,
                                certificates.keyStore(name),
                                certificates.password(),
                                certificates.password(),
                                certificates.trustStore(name),
                                certificates.password())
                        + (door.equals("rest") ? "      authentication-enabled: true\n" : "")));
    return text.toString();
  }
}
