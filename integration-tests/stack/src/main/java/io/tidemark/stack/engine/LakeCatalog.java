package io.tidemark.stack.engine;

import io.tidemark.provision.Addresses.LockDatabase;
import io.tidemark.stack.JsonHttp;
import io.tidemark.stack.Link;
import io.tidemark.stack.StackFailure;
import io.tidemark.stack.StackIdentity;
import io.tidemark.stack.StackSettings;
import io.tidemark.stack.process.ProcessSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Where the lake's tables are found: in a database of PostgreSQL, or at Iceberg's own server of its
 * REST protocol, which keeps them in the same database.
 */
final class LakeCatalog {
  static final String ID = "lake-catalog";

  private final StackSettings settings;
  private final StackIdentity identity;

  LakeCatalog(StackSettings settings, StackIdentity identity) {
    this.settings = settings;
    this.identity = identity;
  }

  /**
   * What those who write to the lake are told.
   *
   * @param link by which they reach PostgreSQL
   */
  String url(Link link) {
    return settings.catalog() == StackSettings.Catalog.REST ? restUrl() : database(link);
  }

  /** The database behind the server, which by itself keeps no second provisioning out. */
  Optional<LockDatabase> lock() {
    return settings.catalog() == StackSettings.Catalog.REST
        ? Optional.of(
            new LockDatabase(
                database(Link.FLINK_POSTGRES),
                Postgres.LAKE,
                identity.get("TIDEMARK_CATALOG_PASSWORD")))
        : Optional.empty();
  }

  private String restUrl() {
    return "http://" + settings.ports().address(ID);
  }

  private String database(Link link) {
    return Postgres.url(settings, identity, settings.address(link), "iceberg");
  }

  ProcessSpec spec() {
    Path tables = settings.root().resolve("flink-jobs/lake-job/target/lake-tables.jar");
    if (!Files.isRegularFile(settings.engines().resolve(ID + ".classpath"))) {
      throw new StackFailure(
          "The catalog that speaks REST is not there yet. Run `make lake-catalog`, or unset"
              + " TIDEMARK_CATALOG.");
    }
    Path program = settings.infra("engines/lake-catalog/LakeCatalogServer.java");
    JavaCommand java =
        JavaCommand.of(settings, ID, 128)
            .option("-XX:TieredStopAtLevel=1")
            .folder(tables)
            .engine(ID)
            .environment("TIDEMARK_CATALOG_PASSWORD", identity.get("TIDEMARK_CATALOG_PASSWORD"));
    return new ProcessSpec(
        ID,
        java.run(
            program.toString(),
            List.of(
                "127.0.0.1",
                Integer.toString(settings.ports().of(ID)),
                database(Link.FLINK_POSTGRES),
                Postgres.LAKE,
                settings.dataUri("iceberg", "warehouse"))),
        java.environment(),
        List.of(program, tables),
        List.of("postgres"),
        Map.of(ID, settings.ports().of(ID)),
        () -> Folders.create(settings.data(ID).resolve("tmp")),
        this::isReady,
        () -> {},
        Duration.ofSeconds(60),
        new ProcessSpec.Stop("TERM", Duration.ofSeconds(10)));
  }

  private boolean isReady() throws IOException, InterruptedException {
    return new JsonHttp().get(restUrl() + "/v1/config").ok();
  }
}
