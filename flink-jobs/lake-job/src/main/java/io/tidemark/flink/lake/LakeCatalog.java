package io.tidemark.flink.lake;

import java.util.Map;
import org.apache.iceberg.CatalogProperties;
import org.apache.iceberg.jdbc.JdbcCatalog;
import org.apache.iceberg.jdbc.JdbcClientPool;

/** Iceberg's JDBC catalog in PostgreSQL, with commits that are tried once. */
public final class LakeCatalog {

  /** Stored in every catalog row; other engines must use the same name. */
  public static final String NAME = "tidemark";

  private LakeCatalog() {}

  /**
   * @param uri jdbc:postgresql://host:port/database
   * @param warehouse file: or s3: URI under which the tables' folders lie
   */
  public static JdbcCatalog open(String uri, String user, String password, String warehouse) {
    loadDriver();
    JdbcCatalog catalog =
        new JdbcCatalog(
            properties -> WarehouseFiles.open(warehouse, System.getenv()), TryOncePool::new, true);
    catalog.initialize(
        NAME,
        Map.of(
            CatalogProperties.URI,
            uri,
            CatalogProperties.WAREHOUSE_LOCATION,
            warehouse,
            "jdbc.user",
            user,
            "jdbc.password",
            password,
            "jdbc.schema-version",
            "V1"));
    return catalog;
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
