package io.tidemark.stack.engine;

import io.tidemark.provision.Addresses.LockDatabase;
import io.tidemark.stack.Link;
import io.tidemark.stack.StackIdentity;
import io.tidemark.stack.StackSettings;
import io.tidemark.stack.process.ProcessSpec;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** All processes of the stack, in the order people think of them. */
public final class Engines {
  private Engines() {}

  public static List<ProcessSpec> all(StackSettings settings, StackIdentity identity) {
    Flink flink = new Flink(settings, identity);
    List<ProcessSpec> specs = new ArrayList<>();
    if (settings.links() == StackSettings.Links.PROXIED) {
      specs.add(new Network(settings).spec());
    }
    specs.add(new Postgres(settings, identity).spec());
    switch (settings.storage()) {
      case S3 -> specs.add(new ObjectStore(settings, identity).spec());
      case GCS -> specs.add(new GoogleStore(settings).spec());
      case AZURE -> specs.add(new AzureStore(settings, identity, Clock.systemUTC()).spec());
      case LOCAL -> {}
    }
    if (settings.catalog() == StackSettings.Catalog.REST) {
      specs.add(new LakeCatalog(settings, identity).spec());
    }
    specs.add(new ZooKeeper(settings).spec());
    specs.addAll(new Kafka(settings, identity).specs());
    specs.add(flink.jobManager());
    specs.add(flink.taskManager());
    Druid druid = new Druid(settings, identity);
    specs.addAll(druid.specs());
    List<ProcessSpec> platform = new PlatformApi(settings, identity).specs();
    specs.addAll(platform);
    specs.add(druid.compaction(platform.stream().map(ProcessSpec::id).toList()));
    if (platform.size() > 1) {
      specs.add(new Proxy(settings, identity, platform).spec());
    }
    if (settings.clocks() == StackSettings.Clocks.STEPPABLE) {
      specs.replaceAll(new Clocks(settings)::on);
    }
    Set<String> without = settings.without();
    return specs.stream().filter(spec -> !without.contains(spec.id())).toList();
  }

  /** platform-api's command that verifies all audit logs; PostgreSQL has to run. */
  public static ProcessBuilder verifyAudit(StackSettings settings, StackIdentity identity) {
    return new PlatformApi(settings, identity).verifyAudit();
  }

  /** Where jobs find the Iceberg catalog. */
  public static String catalogUrl(StackSettings settings, StackIdentity identity) {
    return new LakeCatalog(settings, identity).url(Link.FLINK_POSTGRES);
  }

  /** Base URL of Druid or Flink at a port. */
  public static String url(StackSettings settings, StackIdentity identity, String port) {
    return new Security(settings, identity).url(port);
  }

  /**
   * Variables for people's own clients: by which those of PostgreSQL take the stack's server and no
   * other, who signs for the public doors, and the file of what commands show to Kafka.
   */
  public static Map<String, String> clients(StackSettings settings, StackIdentity identity) {
    Security security = new Security(settings, identity);
    return security.isOn()
        ? Map.of(
            "TIDEMARK_DOORS_AUTHORITY",
            security.certificates().authority("doors").toString(),
            "TIDEMARK_KAFKA_CLIENT",
            security.client("replay").toString(),
            "PGSSLMODE",
            "verify-full",
            "PGSSLROOTCERT",
            security.certificates().authority("postgres").toString())
        : Map.of();
  }

  /** Variables by which processes reach the object store; empty without one. */
  public static Map<String, String> objectStore(StackSettings settings, StackIdentity identity) {
    return ObjectStore.environment(settings, identity, settings.ports().address(ObjectStore.ID));
  }

  public static String databaseUser() {
    return Postgres.USER;
  }

  /** What keeps a second provisioning out, where the catalog does not. */
  public static Optional<LockDatabase> lock(StackSettings settings, StackIdentity identity) {
    return new LakeCatalog(settings, identity).lock();
  }

  /** Who owns the Iceberg catalog. */
  public static String catalogUser() {
    return Postgres.LAKE;
  }
}
