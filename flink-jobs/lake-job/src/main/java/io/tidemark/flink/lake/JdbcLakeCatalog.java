package io.tidemark.flink.lake;

import java.util.Map;
import org.apache.iceberg.CatalogProperties;
import org.apache.iceberg.jdbc.JdbcCatalog;
import org.apache.iceberg.jdbc.JdbcClientPool;

/** In PostgreSQL. */
final class JdbcLakeCatalog extends JdbcCatalog implements LakeCatalog {

  JdbcLakeCatalog(String warehouse, Map<String, String> environment) {
    super(properties -> WarehouseFiles.open(warehouse, environment), TryOncePool::new, true);
  }

  /**
   * Has the driver of this class loader register itself. The DriverManager looks for drivers once
   * in the life of a process, which may have been for a job that is gone.
   */
  static void loadDriver() {
    try {
      Class.forName("org.postgresql.Driver");
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException("The PostgreSQL driver is not among the classes", e);
    }
  }

  /**
   * Never repeats a statement on a new connection. If the first attempt of a commit succeeded, its
   * acknowledgement was lost, and another writer committed meanwhile, a repeated attempt would move
   * the table back to its own snapshot and erase the other commit.
   */
  static final class TryOncePool extends JdbcClientPool {
    TryOncePool(Map<String, String> properties) {
      super(properties.get(CatalogProperties.URI), properties);
    }

    @Override
    protected boolean isConnectionException(Exception failure) {
      return false;
    }
  }
}
