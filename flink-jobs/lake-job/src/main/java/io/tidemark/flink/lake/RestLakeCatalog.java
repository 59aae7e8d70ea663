package io.tidemark.flink.lake;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.function.Function;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.rest.RESTCatalog;
import org.apache.iceberg.rest.RESTClient;
import org.apache.iceberg.rest.RESTSessionCatalog;

/**
 * Behind Iceberg's REST protocol. Files are opened as those of any warehouse, with what the catalog
 * says of their store.
 */
final class RestLakeCatalog extends RESTCatalog implements LakeCatalog {

  private final String warehouse;
  private final Map<String, String> environment;

  RestLakeCatalog(String warehouse, Map<String, String> environment) {
    this.warehouse = warehouse;
    this.environment = environment;
  }

  /** Called before the fields are there; files are opened later. */
  @Override
  protected RESTSessionCatalog newSessionCatalog(
      Function<Map<String, String>, RESTClient> clientBuilder) {
    return new RESTSessionCatalog(clientBuilder, (context, given) -> files(given));
  }

  private FileIO files(Map<String, String> given) {
    return WarehouseFiles.open(warehouse, environment, given);
  }

  @Override
  public void close() {
    try {
      super.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
