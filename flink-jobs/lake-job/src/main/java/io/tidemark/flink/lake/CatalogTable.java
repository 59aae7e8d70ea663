package io.tidemark.flink.lake;

import io.tidemark.flink.lake.operator.LakeTable;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.TableIdentifier;

/**
 * A table of the lake's catalog. The password is not part of the job: every Flink process has it in
 * its environment.
 *
 * @param uri of the catalog, as {@link LakeCatalog#open} takes it
 * @param warehouse its URI
 */
record CatalogTable(String uri, String user, String warehouse, String namespace, String table)
    implements LakeTable {

  @Override
  public String name() {
    return namespace + "." + table;
  }

  @Override
  public Opened open() {
    String password = System.getenv(LakeAccess.PASSWORD);
    LakeCatalog catalog = LakeCatalog.open(uri, user, password == null ? "" : password, warehouse);
    Table loaded = catalog.loadTable(TableIdentifier.of(namespace, table));
    return new Opened(loaded, catalog);
  }
}
