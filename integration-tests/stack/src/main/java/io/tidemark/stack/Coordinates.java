package io.tidemark.stack;

import io.tidemark.stack.StackIdentity.Credentials;
import io.tidemark.stack.engine.Engines;
import io.tidemark.stack.engine.Security;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/** What a person or a test needs to use the stack; written to {@code stack.env}, mode 0600. */
public final class Coordinates {
  /** PEM file of the authority that signs for the public doors; not there where they are plain. */
  static final String DOORS = "TIDEMARK_DOORS_AUTHORITY";

  private final StackSettings settings;
  private final StackIdentity identity;

  Coordinates(StackSettings settings, StackIdentity identity) {
    this.settings = settings;
    this.identity = identity;
  }

  public Path file() {
    return settings.home().resolve("stack.env");
  }

  void write() {
    EnvironmentFile.write(
        file(), "Where this stack answers; source it in a shell. Holds credentials.", values());
  }

  public String get(String name) {
    String value = values().get(name);
    if (value == null) {
      throw new IllegalArgumentException("no coordinate " + name);
    }
    return value;
  }

  /** A client that takes the stack's own doors. */
  JsonHttp http() {
    return new JsonHttp(Security.access(settings, identity).encryption());
  }

  public Map<String, String> values() {
    PortPlan ports = settings.ports();
    Credentials demo = StackIdentity.credentials(identity.get("TIDEMARK_BOOTSTRAP_DEMO_KEY"));
    Map<String, String> values = new LinkedHashMap<>();
    values.put("TIDEMARK_URL", Engines.url(settings, identity, "platform-api"));
    values.put("TIDEMARK_OTLP_HTTP", settings.otlpHttp());
    values.put("TIDEMARK_OTLP_GRPC", ports.address("otlp-grpc"));
    values.put("TIDEMARK_KAFKA_DOOR", ports.address("kafka-door"));
    values.put("TIDEMARK_KAFKA", ports.address("kafka"));
    values.put("TIDEMARK_DRUID", Engines.url(settings, identity, "druid-broker"));
    values.put("TIDEMARK_DRUID_COORDINATOR", Engines.url(settings, identity, "druid-coordinator"));
    values.put("TIDEMARK_FLINK", Engines.url(settings, identity, "flink-ui"));
    values.put("TIDEMARK_POSTGRES", "postgresql://" + ports.address("postgres") + "/tidemark");
    values.put("TIDEMARK_POSTGRES_USER", Engines.databaseUser());
    values.put("TIDEMARK_POSTGRES_PASSWORD", identity.get("TIDEMARK_POSTGRES_PASSWORD"));
    values.put(
        "TIDEMARK_ICEBERG_CATALOG", "postgresql://" + ports.address("postgres") + "/iceberg");
    values.put("TIDEMARK_ICEBERG_WAREHOUSE", settings.dataUri("iceberg", "warehouse"));
    values.putAll(Engines.objectStore(settings, identity));
    values.putAll(Engines.clients(settings, identity));
    values.put("TIDEMARK_ORGANIZATION", "org-demo");
    values.put("TIDEMARK_ENVIRONMENT", "env-demo");
    values.put("TIDEMARK_API_KEY", demo.id());
    values.put("TIDEMARK_API_SECRET", demo.secret());
    values.put("TIDEMARK_KAFKA_CLUSTER_ID", identity.get("TIDEMARK_KAFKA_CLUSTER_ID"));
    values.put("TIDEMARK_FLINK_CLUSTER_ID", identity.get("TIDEMARK_FLINK_CLUSTER_ID"));
    return values;
  }
}
