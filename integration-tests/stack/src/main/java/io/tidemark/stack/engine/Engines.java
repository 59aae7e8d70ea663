package io.tidemark.stack.engine;

import io.tidemark.stack.StackIdentity;
import io.tidemark.stack.StackSettings;
import io.tidemark.stack.process.ProcessSpec;
import java.util.ArrayList;
import java.util.List;

/** All processes of the stack, in the order people think of them. */
public final class Engines {
  private Engines() {}

  public static List<ProcessSpec> all(StackSettings settings, StackIdentity identity) {
    Postgres postgres = new Postgres(settings, identity.get("TIDEMARK_POSTGRES_PASSWORD"));
    Flink flink = new Flink(settings, identity);
    List<ProcessSpec> specs = new ArrayList<>();
    specs.add(postgres.spec());
    specs.add(new ZooKeeper(settings).spec());
    specs.add(new Kafka(settings, identity).spec());
    specs.add(flink.jobManager());
    specs.add(flink.taskManager());
    specs.addAll(new Druid(settings).specs());
    specs.add(new PlatformApi(settings, identity, postgres).spec());
    return List.copyOf(specs);
  }

  /** platform-api's command that verifies all audit logs; PostgreSQL has to run. */
  public static ProcessBuilder verifyAudit(StackSettings settings, StackIdentity identity) {
    Postgres postgres = new Postgres(settings, identity.get("TIDEMARK_POSTGRES_PASSWORD"));
    return new PlatformApi(settings, identity, postgres).verifyAudit();
  }

  /** Where the Iceberg catalog lives. */
  public static String catalogUrl(StackSettings settings) {
    return new Postgres(settings, "").url("iceberg");
  }

  public static String databaseUser() {
    return Postgres.USER;
  }
}
