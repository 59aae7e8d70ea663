package io.tidemark.flink.lake;

import java.io.PrintStream;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.iceberg.TableMetadataParser;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.io.FileInfo;
import org.apache.iceberg.io.SupportsPrefixOperations;

/**
 * Command: points a catalog in PostgreSQL, which was restored to an earlier moment, to the newest
 * metadata file of each table again. Those lie beside the rows and were not lost. Nothing that
 * writes to the lake may run. One line per table that moved; again, none moves. Exit 0 when done, 1
 * when the catalog or the store failed, 2 for wrong arguments.
 */
public final class NewestMetadata {

  private static final Pattern METADATA =
      Pattern.compile("(\\d+)-[0-9a-f-]{36}(?:\\.gz)?\\.metadata\\.json");

  private static final String BY_HAND =
      "Point the catalog to the right file by hand: docs/operations/restore-postgresql.md.";

  private final SupportsPrefixOperations files;

  private NewestMetadata(SupportsPrefixOperations files) {
    this.files = files;
  }

  public static void main(String[] arguments) {
    System.exit(run(System.getenv(), System.out, System.err, arguments));
  }

  static int run(
      Map<String, String> environment, PrintStream out, PrintStream err, String... arguments) {
    List<String> faults = new ArrayList<>();
    LakeAccess access =
        LakeAccess.of(LakeAccess.values(List.of(), faults, arguments), environment, faults);
    if (!faults.isEmpty()) {
      err.println(
          "Tables cannot be pointed to their newest:\n  - " + String.join("\n  - ", faults));
      return LakeTables.WRONG_ARGUMENTS;
    }
    try (FileIO files = WarehouseFiles.open(access.warehouse(), environment);
        Connection catalog =
            DriverManager.getConnection(
                access.catalogUri(), access.catalogUser(), access.catalogPassword())) {
      if (!(files instanceof SupportsPrefixOperations listed)) {
        err.println("The files of " + access.warehouse() + " cannot be listed. " + BY_HAND);
        return LakeTables.FAILED;
      }
      new NewestMetadata(listed).follow(catalog, out::println);
      return LakeTables.DONE;
    } catch (SQLException | RuntimeException e) {
      err.println(e.getMessage() + ". What was said before is done. " + BY_HAND);
      return LakeTables.FAILED;
    }
  }

  /**
   * @param told takes a line for each table that moved
   */
  private void follow(Connection catalog, Consumer<String> told) throws SQLException {
    try (Statement look = catalog.createStatement();
        ResultSet tables =
            look.executeQuery(
                "SELECT table_namespace, table_name, metadata_location FROM iceberg_tables"
                    + " WHERE metadata_location IS NOT NULL");
        PreparedStatement point =
            catalog.prepareStatement(
                "UPDATE iceberg_tables SET metadata_location = ?, previous_metadata_location = ?"
                    + " WHERE table_namespace = ? AND table_name = ? AND metadata_location = ?")) {
      while (tables.next()) {
        String present = tables.getString(3);
        Optional<String> newest = newest(present);
        if (newest.isPresent()) {
          point.setString(1, newest.get());
          point.setString(2, present);
          point.setString(3, tables.getString(1));
          point.setString(4, tables.getString(2));
          point.setString(5, present);
          point.executeUpdate();
          told.accept(tables.getString(2) + " is as of " + name(newest.get()));
        }
      }
    }
  }

  /** The metadata file with the greatest number beside this one, if it is a later one. */
  private Optional<String> newest(String present) {
    String folder = present.substring(0, present.lastIndexOf('/') + 1);
    String newest = name(present);
    for (FileInfo file : files.listPrefix(folder)) {
      String name = name(file.location());
      if (number(name) > number(newest)) {
        newest = name;
      }
    }
    if (newest.equals(name(present))) {
      return Optional.empty();
    }
    String location = folder + newest;
    if (!identity(location).equals(identity(present))) {
      throw new IllegalStateException(location + " is of another table than " + present);
    }
    return Optional.of(location);
  }

  private static String name(String location) {
    return location.substring(location.lastIndexOf('/') + 1);
  }

  /** Files that are no metadata have a number below all. */
  private static long number(String name) {
    Matcher matcher = METADATA.matcher(name);
    return matcher.matches() ? Long.parseLong(matcher.group(1)) : -1;
  }

  private String identity(String location) {
    return TableMetadataParser.read(files, location).uuid();
  }
}
