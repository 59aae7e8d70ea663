package io.tidemark.flink.lake;

import java.io.Closeable;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.apache.iceberg.CatalogProperties;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.catalog.SupportsNamespaces;

/**
 * Iceberg's JDBC catalog in PostgreSQL, whose commits are tried once, or a catalog that speaks
 * Iceberg's REST protocol.
 */
public interface LakeCatalog extends Catalog, SupportsNamespaces, Closeable {

  /** Stored in every row of a JDBC catalog; other engines must use the same name. */
  String NAME = "tidemark";

  /** Further properties of Iceberg's REST catalog: name=value, separated by commas. */
  String PROPERTIES = "TIDEMARK_LAKE_CATALOG_PROPERTIES";

  /** What {@link #open} takes. */
  Pattern URI = Pattern.compile("jdbc:postgresql:.+|https?://.+");

  /** How that is told. */
  String EXPECTED = "jdbc:postgresql://host:port/database or the http: URL of a REST catalog";

  /**
   * @param uri jdbc:postgresql://host:port/database, or the URL of a REST catalog
   * @param user of the database, or the client of the REST catalog; without password it needs none
   * @param warehouse URI under which the tables' folders lie
   */
  static LakeCatalog open(String uri, String user, String password, String warehouse) {
    return open(uri, user, password, warehouse, System.getenv());
  }

  /**
   * @param environment where {@link WarehouseFiles} and {@link #PROPERTIES} find what they need
   */
  static LakeCatalog open(
      String uri, String user, String password, String warehouse, Map<String, String> environment) {
    Map<String, String> properties = new LinkedHashMap<>();
    properties.put(CatalogProperties.URI, uri);
    properties.put(CatalogProperties.WAREHOUSE_LOCATION, warehouse);
    if (uri.startsWith("http")) {
      if (!password.isEmpty()) {
        properties.put("credential", user + ":" + password);
      }
      properties.putAll(WarehouseFiles.pairs(PROPERTIES, environment));
      LakeCatalog catalog = new RestLakeCatalog(warehouse, environment);
      catalog.initialize(NAME, properties);
      return catalog;
    }
    JdbcLakeCatalog.loadDriver();
    properties.put("jdbc.user", user);
    properties.put("jdbc.password", password);
    properties.put("jdbc.schema-version", "V1");
    LakeCatalog catalog = new JdbcLakeCatalog(warehouse, environment);
    catalog.initialize(NAME, properties);
    return catalog;
  }

  @Override
  void close();
}
