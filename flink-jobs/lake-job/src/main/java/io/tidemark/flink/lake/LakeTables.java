package io.tidemark.flink.lake;

import java.io.IOException;
import java.io.PrintStream;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Command: creates the lake's tables, and the role that may only read them. One line per table.
 * Exit 0 when all tables are as described, 1 when the catalog failed, 2 for wrong arguments, 3 when
 * a table differs from the description.
 */
public final class LakeTables {

  static final int DONE = 0;
  static final int FAILED = 1;
  static final int WRONG_ARGUMENTS = 2;
  static final int DRIFTED = 3;

  private LakeTables() {}

  public static void main(String[] arguments) {
    System.exit(run(System.getenv(), System.out, System.err, arguments));
  }

  static int run(
      Map<String, String> environment, PrintStream out, PrintStream err, String... arguments) {
    LakeTablesConfig config;
    TablesFile file;
    try {
      config = LakeTablesConfig.parse(environment, arguments);
      file = TablesFile.read(config.tables());
    } catch (IllegalArgumentException e) {
      err.println(e.getMessage());
      return WRONG_ARGUMENTS;
    }
    LakeAccess access = config.access();
    try (LakeCatalog catalog = access.open()) {
      int exit = report(TableProvisioner.provision(catalog, file), out, err);
      if (config.reader().isPresent()) {
        new CatalogReaderRole(access.catalogUri(), access.catalogUser(), access.catalogPassword())
            .letRead(config.reader().get(), config.readerPassword());
      }
      return exit;
    } catch (IOException e) {
      err.println("Cannot read " + e.getMessage());
      return WRONG_ARGUMENTS;
    } catch (SQLException e) {
      err.println(
          "The role "
              + CatalogReaderRole.NAME
              + " cannot be given what it needs to read the catalog: "
              + e.getMessage()
              + ". Let a database administrator make it, as infra/postgres/README.md says.");
      return FAILED;
    } catch (RuntimeException e) {
      err.println(
          "The catalog at "
              + access.catalogUri()
              + " failed: "
              + rootMessage(e)
              + ". Check that the catalog is up, the user and its password, and that the warehouse can be reached.");
      return FAILED;
    }
  }

  private static int report(
      List<TableProvisioner.Report> reports, PrintStream out, PrintStream err) {
    boolean drifted = false;
    for (TableProvisioner.Report report : reports) {
      out.println(report.table() + " " + report.state().name().toLowerCase(Locale.ROOT));
      for (String difference : report.drift()) {
        drifted = true;
        err.println(report.table() + ": " + difference);
      }
    }
    if (drifted) {
      err.println(
          "Tables differ from their description; nothing was changed. Migrate them by hand.");
    }
    return drifted ? DRIFTED : DONE;
  }

  private static String rootMessage(Throwable failure) {
    Throwable cause = failure;
    while (cause.getCause() != null) {
      cause = cause.getCause();
    }
    return failure.getMessage() + " (" + cause.getMessage() + ")";
  }
}
