package io.tidemark.stack.engine;

import io.tidemark.stack.FirstRegion;
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
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The control plane, gateway and Metrics API: one deployable. */
final class PlatformApi {
  /** Names of the public ports. */
  static final List<String> DOORS = List.of("platform-api", "otlp-http", "otlp-grpc", "kafka-door");

  private final StackSettings settings;
  private final StackIdentity identity;
  private final Security security;

  PlatformApi(StackSettings settings, StackIdentity identity) {
    this.settings = settings;
    this.identity = identity;
    this.security = new Security(settings, identity);
  }

  /** One process at the public ports, or several at ports of their own. */
  List<ProcessSpec> specs() {
    int processes = settings.platformProcesses();
    if (processes == 1) {
      return List.of(spec(""));
    }
    return IntStream.rangeClosed(1, processes).mapToObj(number -> spec("-" + number)).toList();
  }

  /**
   * @param number what its name and those of its ports end with
   */
  private ProcessSpec spec(String number) {
    String id = "platform-api" + number;
    Path built = builtJar();
    // A copy: the next build would overwrite the jar under a running JVM. Taken apart: the JVM
    // archives no classes of jars in a jar.
    Path folder = settings.data(id).resolve("application");
    Path jar = folder.resolve("platform-api.jar");
    JavaCommand java =
        JavaCommand.of(settings, id, 384)
            .compilesLate()
            .folder(jar)
            .archived(id, built)
            .environment("SERVER_ADDRESS", "127.0.0.1")
            .environment("SERVER_PORT", port(id))
            .environment("TIDEMARK_OTLP_HTTP_PORT", port("otlp-http" + number))
            .environment("TIDEMARK_OTLP_GRPC_PORT", port("otlp-grpc" + number))
            .environment("TIDEMARK_KAFKA_DOOR_PORT", port("kafka-door" + number))
            .environment("TIDEMARK_KAFKA_DOOR_ADVERTISED", settings.ports().address("kafka-door"))
            .environment("TIDEMARK_POSTGRES_URL", database("tidemark"))
            .environment("TIDEMARK_POSTGRES_USER", Postgres.OWNER)
            .environment(
                "TIDEMARK_POSTGRES_PASSWORD", identity.get("TIDEMARK_POSTGRES_OWNER_PASSWORD"))
            .environment(
                "TIDEMARK_POSTGRES_APPLICATION_PASSWORD",
                identity.get("TIDEMARK_POSTGRES_APPLICATION_PASSWORD"))
            .environment("TIDEMARK_KAFKA", settings.address(Link.PLATFORM_KAFKA))
            .environment("TIDEMARK_DRUID", security.url(Link.PLATFORM_BROKER))
            .environment("TIDEMARK_DRUID_COORDINATOR", security.url(Link.PLATFORM_COORDINATOR))
            .environment(
                "TIDEMARK_LAKE_CATALOG",
                new LakeCatalog(settings, identity).url(Link.PLATFORM_POSTGRES))
            .environment("TIDEMARK_LAKE_USER", Postgres.CATALOG_READER)
            .environment("TIDEMARK_LAKE_PASSWORD", identity.get("TIDEMARK_CATALOG_READER_PASSWORD"))
            .environment("TIDEMARK_LAKE_WAREHOUSE", settings.dataUri("iceberg", "warehouse"))
            .environment("TIDEMARK_API_KEY_PEPPER", identity.get("TIDEMARK_API_KEY_PEPPER"))
            .environment(
                "TIDEMARK_API_KEY_ACCEPTED_PEPPERS",
                identity.get("TIDEMARK_API_KEY_ACCEPTED_PEPPERS"))
            // Browsers keep the cookie of a session on localhost, not on 127.0.0.1.
            .environment(
                "TIDEMARK_PUBLIC_URL", settings.scheme() + "localhost:" + port("platform-api"))
            .environment("TIDEMARK_SIGN_IN_SECRET", identity.get("TIDEMARK_SIGN_IN_SECRET"))
            .environment(
                "TIDEMARK_SIGN_IN_ACCEPTED_SECRETS",
                identity.get("TIDEMARK_SIGN_IN_ACCEPTED_SECRETS"))
            .environment("TIDEMARK_BOOTSTRAP_SELF_KEY", identity.get("TIDEMARK_BOOTSTRAP_SELF_KEY"))
            .environment("TIDEMARK_BOOTSTRAP_DEMO_KEY", identity.get("TIDEMARK_BOOTSTRAP_DEMO_KEY"))
            .environment("TIDEMARK_SELF_TELEMETRY_URL", settings.otlpHttp() + "/v1/metrics")
            .environment(
                "TIDEMARK_SELF_TELEMETRY_AUTHORIZATION",
                StackIdentity.credentials(identity.get("TIDEMARK_BOOTSTRAP_SELF_KEY"))
                    .authorization());
    ObjectStore.environment(settings, identity, settings.address(Link.PLATFORM_STORE))
        .forEach(java::environment);
    settings.firstRegion().ifPresent(first -> queryOnly(java, first));
    List<Path> inputs = new ArrayList<>(List.of(built));
    if (security.isOn()) {
      Certificates certificates = security.certificates();
      Path kafka = security.client("platform-api");
      Map.of(
              "TIDEMARK_KAFKA_CLIENT", kafka,
              "TIDEMARK_DRUID_CERTIFICATE", certificates.certificate("platform-api"),
              "TIDEMARK_DRUID_PRIVATE_KEY", certificates.privateKey("platform-api"),
              "TIDEMARK_DRUID_TRUSTED", certificates.trusted("platform-api"))
          .forEach((name, file) -> java.environment(name, file.toString()));
      security.doors().forEach((name, file) -> java.environment(name, file.toString()));
      // Its own metrics go to the door of this or of another process.
      java.property("javax.net.ssl.trustStore", certificates.publicTrustStore())
          .property("javax.net.ssl.trustStoreType", "JKS");
      inputs.addAll(
          List.of(kafka, certificates.trusted("platform-api"), certificates.authority("doors")));
    }
    String settling = settings.environment().getOrDefault("TIDEMARK_REMOVAL_SETTLING", "");
    if (!settling.isBlank()) {
      java.environment("TIDEMARK_REMOVAL_SETTLING", settling);
    }
    String limit = settings.environment().getOrDefault("TIDEMARK_QUERY_REQUESTS_PER_MINUTE", "");
    if (!limit.isBlank()) {
      java.environment("TIDEMARK_QUERY_REQUESTS_PER_MINUTE", limit);
    }
    String webhooks = settings.environment().getOrDefault("TIDEMARK_WEBHOOK_ALLOWED_ADDRESSES", "");
    if (!webhooks.isBlank()) {
      java.environment("TIDEMARK_WEBHOOK_ALLOWED_ADDRESSES", webhooks);
    }
    String more = settings.environment().getOrDefault("TIDEMARK_BOOTSTRAP_EXTRA_KEYS", "");
    if (!more.isBlank()) {
      java.environment("TIDEMARK_BOOTSTRAP_EXTRA_KEYS", more);
    }
    if (!number.isEmpty() || security.isOn()) {
      publicAddresses().forEach(java::environment);
    }
    if (!number.isEmpty()) {
      Proxy.environment(settings).forEach(java::environment);
    }
    return new ProcessSpec(
        id,
        java.run("io.tidemark.platform.PlatformApplication", List.of()),
        java.environment(),
        inputs,
        List.of(Network.ID, "postgres", ObjectStore.ID),
        DOORS.stream()
            .map(door -> door + number)
            .collect(Collectors.toMap(door -> door, settings.ports()::of)),
        java.prepared(() -> prepare(id, built, folder)),
        () -> security.http().get(security.url(id) + "/readyz").ok(),
        () -> {},
        Duration.ofSeconds(300),
        // It takes longest to start and waits for the broker by itself; what it holds goes there.
        new ProcessSpec.Stop("TERM", Duration.ofSeconds(30), List.of("kafka")));
  }

  /**
   * A second region answers queries and removes what the first one deletes, and nothing else: the
   * control plane is the first one's, and so are its tenants and keys.
   */
  private static void queryOnly(JavaCommand java, FirstRegion first) {
    java.environment("TIDEMARK_REGION", FirstRegion.READER);
    java.environment("TIDEMARK_ROLES", "query")
        .environment("TIDEMARK_POSTGRES_URL", "jdbc:" + first.coordinate("TIDEMARK_POSTGRES"));
  }

  ProcessBuilder verifyAudit() {
    JavaCommand java =
        JavaCommand.of(settings, "verify-audit", 256)
            .environment("TIDEMARK_POSTGRES_URL", database("tidemark"))
            .environment(
                "TIDEMARK_POSTGRES_APPLICATION_PASSWORD",
                identity.get("TIDEMARK_POSTGRES_APPLICATION_PASSWORD"));
    ProcessBuilder builder =
        new ProcessBuilder(java.run("-jar", List.of(builtJar().toString(), "verify-audit")));
    builder.environment().putAll(java.environment());
    return builder;
  }

  private Path builtJar() {
    Path jar = settings.root().resolve("platform-api/app/target/platform-api.jar");
    if (!Files.exists(jar)) {
      throw new StackFailure("platform-api is not built yet. Run `make build`.");
    }
    return jar;
  }

  /** Takes the jar apart, unless that was done with exactly this one. */
  private void prepare(String id, Path built, Path folder)
      throws IOException, InterruptedException {
    Folders.create(settings.data(id).resolve("tmp"));
    Path mark = folder.resolve("taken-from");
    String from = built + " " + Files.size(built) + " " + Files.getLastModifiedTime(built);
    if (Files.exists(mark) && Files.readString(mark).equals(from)) {
      return;
    }
    DeletedTree.delete(folder);
    Path log = settings.data(id).resolve("extract.log");
    int code =
        new ProcessBuilder(
                JavaCommand.java().toString(),
                "-Xmx128m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Djarmode=tools",
                "-jar",
                built.toString(),
                "extract",
                "--destination",
                folder.toString())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start()
            .waitFor();
    if (code != 0) {
      throw new StackFailure(
          built + " could not be taken apart; see " + log + "\n" + Files.readString(log));
    }
    Files.writeString(mark, from);
  }

  private String database(String name) {
    return Postgres.url(settings, identity, settings.address(Link.PLATFORM_POSTGRES), name);
  }

  /** What clients connect to, where that is not the process itself or not in plain. */
  private Map<String, String> publicAddresses() {
    String http = settings.scheme() + "localhost:" + port("otlp-http");
    return Map.of(
        "TIDEMARK_PUBLIC_OTLP_HTTP_URL", http + "/v1/metrics",
        "TIDEMARK_PUBLIC_REMOTE_WRITE_URL", http + "/api/v1/write",
        "TIDEMARK_PUBLIC_OTLP_GRPC_ADDRESS", "localhost:" + port("otlp-grpc"),
        "TIDEMARK_PUBLIC_KAFKA_BOOTSTRAP", "localhost:" + port("kafka-door"));
  }

  private String port(String name) {
    return Integer.toString(settings.ports().of(name));
  }
}
