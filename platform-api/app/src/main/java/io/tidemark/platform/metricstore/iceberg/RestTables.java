package io.tidemark.platform.metricstore.iceberg;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import org.apache.iceberg.CatalogProperties;
import org.apache.iceberg.rest.RESTCatalog;
import org.apache.iceberg.rest.RESTClient;
import org.apache.iceberg.rest.RESTSessionCatalog;

/**
 * Tables behind Iceberg's REST protocol. Files are opened as those of any warehouse, with what the
 * catalog says of their store.
 */
final class RestTables extends RESTCatalog {

  private final LakeCatalog.CatalogLocation place;

  private RestTables(LakeCatalog.CatalogLocation place) {
    this.place = place;
  }

  static RestTables open(LakeCatalog.CatalogLocation place) {
    Map<String, String> properties = new HashMap<>();
    properties.put(CatalogProperties.URI, place.catalog());
    properties.put(CatalogProperties.WAREHOUSE_LOCATION, place.warehouse());
    if (!place.password().isEmpty()) {
      properties.put("credential", place.user() + ":" + place.password());
    }
    properties.put("rest.client.connection-timeout-ms", "3000");
    properties.put("rest.client.socket-timeout-ms", "10000");
    properties.put("rest.client.max-retries", "1");
    properties.putAll(place.properties());
    RestTables opened = new RestTables(place);
    opened.initialize(LakeCatalog.NAME, properties);
    return opened;
  }

  /** Called before the field is there; files are opened later. */
  @Override
  protected RESTSessionCatalog newSessionCatalog(
      Function<Map<String, String>, RESTClient> clientBuilder) {
    return new RESTSessionCatalog(clientBuilder, (context, given) -> place.files(given));
  }
}
