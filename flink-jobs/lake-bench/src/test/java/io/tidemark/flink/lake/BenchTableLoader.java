package io.tidemark.flink.lake;

import java.io.IOException;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.flink.TableLoader;
import org.jspecify.annotations.Nullable;

/** The same catalog, for Flink's sink. */
final class BenchTableLoader implements TableLoader {
  private static final long serialVersionUID = 1L;

  private final String uri;
  private final String warehouse;
  private final String namespace;
  private transient @Nullable LakeCatalog catalog;

  BenchTableLoader(String uri, String warehouse, String namespace) {
    this.uri = uri;
    this.warehouse = warehouse;
    this.namespace = namespace;
  }

  @Override
  public void open() {
    catalog = LakeCatalog.open(uri, "postgres", "", warehouse);
  }

  @Override
  public boolean isOpen() {
    return catalog != null;
  }

  @Override
  public Table loadTable() {
    return java.util.Objects.requireNonNull(catalog)
        .loadTable(TableIdentifier.of(namespace, "raw_points"));
  }

  @Override
  @SuppressWarnings({"checkstyle:NoClone", "checkstyle:SuperClone"})
  public TableLoader clone() {
    return new BenchTableLoader(uri, warehouse, namespace);
  }

  @Override
  public void close() throws IOException {
    LakeCatalog opened = catalog;
    catalog = null;
    if (opened != null) {
      opened.close();
    }
  }
}
