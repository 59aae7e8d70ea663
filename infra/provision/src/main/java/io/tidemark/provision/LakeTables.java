package io.tidemark.provision;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs the provisioner that the lake job ships: it creates Iceberg tables that are missing, reports
 * drift, and lets a role read the catalog.
 */
final class LakeTables {
  private LakeTables() {}

  static StepReport apply(Addresses addresses) throws IOException, InterruptedException {
    Path jar = addresses.root().resolve("flink-jobs/lake-job/target/lake-tables.jar");
    if (!Files.exists(jar)) {
      throw ProvisionFailure.input(
          "There is no "
              + jar
              + ", which makes the lake's tables. Run `make build`, or use an image of `make images`.");
    }
    List<String> command =
        new ArrayList<>(
            List.of(
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
                addresses.files().path("iceberg/tables.yaml").toString()));
    // A catalog that is no database has rights of its own.
    if (addresses.isCatalogInPostgres()) {
      command.addAll(
          List.of("--reader", addresses.files().path("postgres/catalog-reader.sql").toString()));
    }
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().putAll(addresses.objectStore());
    builder.environment().put("TIDEMARK_CATALOG_PASSWORD", addresses.catalogPassword());
    builder
        .environment()
        .put("TIDEMARK_CATALOG_READER_PASSWORD", addresses.catalogReaderPassword());
    Process process = builder.redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw ProvisionFailure.engine("Iceberg tables could not be provisioned:\n" + output);
    }
    return report(output.lines().toList());
  }

  /** The provisioner prints a line for each table, which ends with what became of it. */
  static StepReport report(List<String> lines) {
    int created = (int) lines.stream().filter(line -> line.endsWith(" created")).count();
    return created == 0
        ? new StepReport(lines.size() + " as declared", List.of())
        : StepReport.of(created, List.of());
  }
}
