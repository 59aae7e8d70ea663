package io.tidemark.flink.lake;

import java.util.ArrayList;
import java.util.List;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.SupportsNamespaces;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.exceptions.AlreadyExistsException;

/** Makes a catalog hold the tables of a file. Creates, compares, never alters. */
final class TableProvisioner {

  /** What was found or done for one table. */
  enum State {
    CREATED,
    UNCHANGED,
    DRIFTED
  }

  /**
   * @param table full name
   * @param state what was found or done
   * @param drift how the table differs, when it does
   */
  record Report(String table, State state, List<String> drift) {}

  private TableProvisioner() {}

  static <C extends Catalog & SupportsNamespaces> List<Report> provision(
      C catalog, TablesFile file) {
    Namespace namespace = Namespace.of(file.namespace());
    try {
      if (!catalog.namespaceExists(namespace)) {
        catalog.createNamespace(namespace);
      }
    } catch (AlreadyExistsException e) {
      // Another run created it in between: that is what was wanted.
    }
    List<Report> reports = new ArrayList<>();
    for (TableDefinition definition : file.tables()) {
      reports.add(provision(catalog, TableIdentifier.of(namespace, definition.name()), definition));
    }
    return reports;
  }

  private static Report provision(
      Catalog catalog, TableIdentifier identifier, TableDefinition definition) {
    if (!catalog.tableExists(identifier)) {
      try {
        catalog
            .buildTable(identifier, definition.schema())
            .withPartitionSpec(definition.partition())
            .withSortOrder(definition.order())
            .withProperties(definition.properties())
            .create();
        return new Report(identifier.toString(), State.CREATED, List.of());
      } catch (AlreadyExistsException e) {
        // Another run created it in between: compare like any existing table.
      }
    }
    Table table = catalog.loadTable(identifier);
    List<String> drift = definition.driftOf(table);
    return new Report(
        identifier.toString(), drift.isEmpty() ? State.UNCHANGED : State.DRIFTED, drift);
  }
}
