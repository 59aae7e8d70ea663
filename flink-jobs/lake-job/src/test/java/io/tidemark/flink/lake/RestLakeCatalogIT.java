package io.tidemark.flink.lake;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import org.apache.iceberg.catalog.TableIdentifier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RestLakeCatalogIT {

  @TempDir Path warehouse;

  @Test
  void tablesAreMadeOnceAndAreThoseOfTheCatalogBehind() throws Exception {
    try (TestingRestCatalog rest = new TestingRestCatalog(warehouse);
        LakeCatalog catalog = rest.open()) {
      String created = provision(rest.uri());
      assertEquals(
          "telemetry.raw_points created\ntelemetry.rollup_1m created\n"
              + "telemetry.rollup_1m_hc created\ntelemetry.rollup_1h created\ntelemetry.rollup_1d created\n",
          created);
      assertEquals(created.replace("created", "unchanged"), provision(rest.uri()));

      TableIdentifier minutes = TableIdentifier.of("telemetry", "rollup_1m");
      assertEquals(rest.behind().loadTable(minutes).uuid(), catalog.loadTable(minutes).uuid());
    }
  }

  private String provision(String uri) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int exit =
        LakeTables.run(
            Map.of(LakeAccess.PASSWORD, ""),
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8),
            "--catalog.uri",
            uri,
            "--catalog.user",
            "lake",
            "--warehouse",
            warehouse.toUri().toString(),
            "--tables",
            "../../infra/iceberg/tables.yaml");
    assertEquals(LakeTables.DONE, exit, err.toString(StandardCharsets.UTF_8));
    return out.toString(StandardCharsets.UTF_8);
  }
}
