package io.tidemark.platform.metricstore.iceberg;

import io.tidemark.platform.shared.ErrorCode;
import io.tidemark.platform.shared.ProblemException;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Map;
import java.util.function.Function;
import org.apache.iceberg.CatalogProperties;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.exceptions.NoSuchTableException;
import org.apache.iceberg.exceptions.NotFoundException;
import org.apache.iceberg.exceptions.RESTException;
import org.apache.iceberg.exceptions.ServiceFailureException;
import org.apache.iceberg.exceptions.ServiceUnavailableException;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.jdbc.JdbcCatalog;
import org.apache.iceberg.jdbc.UncheckedInterruptedException;
import org.apache.iceberg.jdbc.UncheckedSQLException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.core.exception.SdkServiceException;

/**
 * The tables of the lake, and what failures of it mean to a caller. Sessions in PostgreSQL are
 * read-only; nothing is created.
 */
public final class LakeCatalog implements AutoCloseable {

  /**
   * Where the lake is.
   *
   * @param catalog jdbc:postgresql://host:port/database, or the URL of a REST catalog
   * @param user of the database, or the client of the REST catalog; without password it needs none
   * @param properties further ones of a REST catalog
   * @param warehouse file:, s3:, gs: or abfss: URI
   */
  public record CatalogLocation(
      String catalog,
      String user,
      String password,
      Map<String, String> properties,
      String warehouse,
      String namespace,
      StoreAccess access) {

    public CatalogLocation {
      properties = Map.copyOf(properties);
    }

    /**
     * The files of the warehouse.
     *
     * @param given what the catalog says of their store
     */
    FileIO files(Map<String, String> given) {
      return WarehouseFiles.open(warehouse, access, given);
    }

    /** The tables of the catalog, which has to be closed. */
    Catalog tables() {
      return catalog.startsWith("http") ? RestTables.open(this) : jdbc();
    }

    private JdbcCatalog jdbc() {
      JdbcCatalog opened = new JdbcCatalog(ignored -> files(Map.of()), null, false);
      opened.initialize(
          NAME,
          Map.of(
              CatalogProperties.URI,
              catalog,
              CatalogProperties.WAREHOUSE_LOCATION,
              warehouse,
              "jdbc.user",
              user,
              "jdbc.password",
              password,
              "jdbc.schema-version",
              "V1",
              "jdbc.readOnly",
              "true",
              "jdbc.readOnlyMode",
              "always",
              "jdbc.connectTimeout",
              "3",
              "jdbc.socketTimeout",
              "10"));
      return opened;
    }
  }

  /**
   * What an object store wants to be told; credentials are found by its SDK.
   *
   * @param s3Endpoint of a store that speaks S3 and is not Amazon's; empty for Amazon's
   * @param s3PathStyle whether that store names buckets in paths
   * @param fileIo further properties of Iceberg's FileIO
   * @param bundles folder with the jars of Google's or Azure's store; may be empty
   */
  public record StoreAccess(
      String s3Endpoint, boolean s3PathStyle, Map<String, String> fileIo, String bundles) {

    public StoreAccess {
      fileIo = Map.copyOf(fileIo);
    }
  }

  private static final Logger LOG = LoggerFactory.getLogger(LakeCatalog.class);
  private static final Duration RETRY_AFTER = Duration.ofSeconds(5);

  /** As the lake job names it; part of every row of the catalog. */
  static final String NAME = "tidemark";

  private final CatalogLocation place;
  private @Nullable Catalog catalog;

  /** Nothing is connected before the first question. */
  public LakeCatalog(CatalogLocation place) {
    this.place = place;
  }

  /**
   * Reads from a table as it is now.
   *
   * @throws ProblemException {@code store_unavailable} or {@code store_failed}
   */
  <T> T read(String table, Function<Table, T> reading) {
    try {
      return reading.apply(open().loadTable(TableIdentifier.of(place.namespace(), table)));
    } catch (ProblemException said) {
      throw said;
    } catch (UncheckedSQLException | UncheckedInterruptedException away) {
      close();
      throw away(away);
    } catch (NoSuchTableException
        | NotFoundException
        | UncheckedIOException
        | ServiceFailureException
        | ServiceUnavailableException
        | SdkClientException away) {
      throw away(away);
    } catch (RuntimeException failure) {
      if (failure instanceof SdkServiceException said && said.statusCode() >= 500) {
        throw away(said);
      }
      // No answer at all: what answers has a type of its own.
      if (failure.getClass() == RESTException.class) {
        throw away(failure);
      }
      LOG.error("The lake's table {} cannot be read", table, failure);
      throw ProblemException.causedBy(
          failure,
          ErrorCode.STORE_FAILED,
          "The lake failed to answer. Try again; ask for a newer interval if it stays.");
    }
  }

  private static ProblemException away(RuntimeException cause) {
    LOG.warn("The lake cannot be reached: {}", cause.toString());
    return ProblemException.passing(
        cause,
        ErrorCode.STORE_UNAVAILABLE,
        "The lake, which keeps the older rows of this interval, cannot be reached now. Try again in"
            + " some seconds, or ask for a newer interval.",
        RETRY_AFTER);
  }

  private synchronized Catalog open() {
    if (catalog == null) {
      catalog = place.tables();
    }
    return catalog;
  }

  /** Lets the connections go; the next question makes new ones. */
  @Override
  public synchronized void close() {
    if (catalog instanceof Closeable connected) {
      try {
        connected.close();
      } catch (IOException | RuntimeException failure) {
        LOG.debug("Closing the lake's catalog failed", failure);
      }
      catalog = null;
    }
  }
}
