package io.tidemark.stack.provision;

import io.tidemark.stack.StackFailure;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Runs the provisioner that the lake job ships: it creates Iceberg tables that are missing, reports
 * drift, and lets a role read the catalog.
 */
final class LakeTables {
  private LakeTables() {}

  /** Returns what the provisioner printed: one line a table. */
  static String apply(Addresses addresses) throws IOException, InterruptedException {
    Path jar = addresses.root().resolve("flink-jobs/lake-job/target/lake-tables.jar");
    if (!Files.exists(jar)) {
      throw new StackFailure("The lake's table provisioner is not built yet. Run `make build`.");
    }
    ProcessBuilder builder =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx128m",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-jar",
            jar.toString(),
            "--catalog.uri",
            addresses.catalogUrl(),
            "--catalog.user",
            addresses.catalogUser(),
            "--warehouse",
            addresses.warehouse(),
            "--tables",
            addresses.infra("iceberg/tables.yaml").toString(),
            "--reader",
            addresses.infra("postgres/catalog-reader.sql").toString());
    builder.environment().putAll(addresses.objectStore());
    builder.environment().put("TIDEMARK_CATALOG_PASSWORD", addresses.catalogPassword());
    builder
        .environment()
        .put("TIDEMARK_CATALOG_READER_PASSWORD", addresses.catalogReaderPassword());
    Process process = builder.redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new StackFailure("Iceberg tables could not be provisioned:\n" + output);
    }
    return output;
  }
}
