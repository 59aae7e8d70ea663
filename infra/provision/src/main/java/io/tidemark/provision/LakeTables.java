package io.tidemark.provision;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Creates Iceberg tables that are missing, reports drift, and lets a role read the catalog. */
final class LakeTables {
  private LakeTables() {}

  static StepReport apply(Addresses addresses) throws IOException, InterruptedException {
    List<String> arguments =
        new ArrayList<>(
            List.of("--tables", addresses.files().path("iceberg/tables.yaml").toString()));
    // A catalog that is no database has rights of its own.
    if (addresses.isCatalogInPostgres()) {
      arguments.addAll(
          List.of("--reader", addresses.files().path("postgres/catalog-reader.sql").toString()));
    }
    ProcessBuilder command =
        LakeProgram.command(addresses, "LakeTables", LakeProgram.SHORT, arguments);
    command
        .environment()
        .put("TIDEMARK_CATALOG_READER_PASSWORD", addresses.catalogReaderPassword());
    return report(LakeProgram.run(command, "Iceberg tables could not be provisioned:"));
  }

  /** The provisioner prints a line for each table, which ends with what became of it. */
  static StepReport report(List<String> lines) {
    int created = (int) lines.stream().filter(line -> line.endsWith(" created")).count();
    return created == 0
        ? new StepReport(lines.size() + " as declared", List.of())
        : StepReport.of(created, List.of());
  }
}
