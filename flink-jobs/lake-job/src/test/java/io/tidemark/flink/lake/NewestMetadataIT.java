package io.tidemark.flink.lake;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A catalog that was set back finds what its tables became meanwhile. */
class NewestMetadataIT {

  private static final String TABLE = "raw_points";

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  @TempDir Path folder;
  private TestingLake lake;

  @BeforeEach
  void create() throws Exception {
    lake = TestingLake.in(folder.resolve("warehouse"));
  }

  @AfterEach
  void close() {
    lake.close();
  }

  private int run() {
    out.reset();
    return NewestMetadata.run(
        Map.of(LakeAccess.PASSWORD, ""),
        new PrintStream(out, true, UTF_8),
        new PrintStream(err, true, UTF_8),
        "--catalog.uri",
        lake.uri(),
        "--catalog.user",
        TestingLake.USER,
        "--warehouse",
        lake.warehouse());
  }

  private String location() throws SQLException {
    try (Connection catalog = DriverManager.getConnection(lake.uri(), TestingLake.USER, "");
        PreparedStatement look =
            catalog.prepareStatement(
                "SELECT metadata_location FROM iceberg_tables WHERE table_name = ?")) {
      look.setString(1, TABLE);
      try (ResultSet row = look.executeQuery()) {
        assertTrue(row.next());
        return row.getString(1);
      }
    }
  }

  private void setBackTo(String location) throws SQLException {
    try (Connection catalog = DriverManager.getConnection(lake.uri(), TestingLake.USER, "");
        PreparedStatement point =
            catalog.prepareStatement(
                "UPDATE iceberg_tables SET metadata_location = ? WHERE table_name = ?")) {
      point.setString(1, location);
      point.setString(2, TABLE);
      assertEquals(1, point.executeUpdate());
    }
  }

  private void change(int times) {
    for (int change = 0; change < times; change++) {
      lake.table(TABLE).updateProperties().set("change", Integer.toString(change)).commit();
    }
  }

  @Test
  void aTableIsWhatItsNewestFileSaysAndThatIsToldOnce() throws Exception {
    change(9);
    String before = location();
    // From nine to two digits: the order is of numbers, not of names.
    change(3);
    String newest = location();
    setBackTo(before);

    assertEquals(LakeTables.DONE, run(), () -> err.toString(UTF_8));

    assertEquals(newest, location());
    assertEquals("2", lake.table(TABLE).properties().get("change"));
    String name = newest.substring(newest.lastIndexOf('/') + 1);
    assertEquals(TABLE + " is as of " + name, out.toString(UTF_8).strip());
    assertEquals(LakeTables.DONE, run());
    assertEquals("", out.toString(UTF_8));
  }

  @Test
  void aFileOfAnotherTableIsRefused() throws Exception {
    String present = location();
    Path others = Path.of(URI.create(lake.table("rollup_1m").location() + "/metadata"));
    try (var files = Files.list(others)) {
      Path other = files.findFirst().orElseThrow();
      Path stray =
          Path.of(URI.create(present))
              .resolveSibling("00042-00000000-0000-0000-0000-000000000000.metadata.json");
      Files.copy(other, stray);
    }

    assertEquals(LakeTables.FAILED, run());

    assertEquals(present, location());
    assertTrue(err.toString(UTF_8).contains("is of another table than"), err.toString(UTF_8));
    assertTrue(err.toString(UTF_8).contains("by hand"), err.toString(UTF_8));
  }

  @Test
  void whatIsMissingIsSaid() {
    assertEquals(
        LakeTables.WRONG_ARGUMENTS,
        NewestMetadata.run(
            Map.of(), new PrintStream(out, true, UTF_8), new PrintStream(err, true, UTF_8)));
    assertTrue(err.toString(UTF_8).contains("--warehouse is missing"), err.toString(UTF_8));
  }
}
