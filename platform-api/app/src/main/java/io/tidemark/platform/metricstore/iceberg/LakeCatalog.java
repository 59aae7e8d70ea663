package io.tidemark.platform.metricstore.iceberg;

import io.tidemark.platform.shared.ErrorCode;
import io.tidemark.platform.shared.ProblemException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Map;
import java.util.function.Function;
import org.apache.iceberg.CatalogProperties;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.exceptions.NoSuchTableException;
import org.apache.iceberg.exceptions.NotFoundException;
import org.apache.iceberg.jdbc.JdbcCatalog;
import org.apache.iceberg.jdbc.UncheckedInterruptedException;
import org.apache.iceberg.jdbc.UncheckedSQLException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The tables of the lake, and what failures of it mean to a caller. Its sessions in PostgreSQL are
 * read-only; nothing is created.
 */
public final class LakeCatalog implements AutoCloseable {

  /**
   * Where the lake is.
   *
   * @param catalog jdbc:postgresql://host:port/database
   * @param warehouse file: URI
   */
  public record Place(
      String catalog, String user, String password, String warehouse, String namespace) {}

  private static final Logger LOG = LoggerFactory.getLogger(LakeCatalog.class);
  private static final Duration RETRY_AFTER = Duration.ofSeconds(5);

  /** As the lake job names it; part of every row of the catalog. */
  private static final String NAME = "tidemark";

  private final Place place;
  private JdbcCatalog catalog;

  /** Nothing is connected before the first question. */
  public LakeCatalog(Place place) {
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
    } catch (NoSuchTableException | NotFoundException | UncheckedIOException away) {
      throw away(away);
    } catch (RuntimeException failure) {
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

  private synchronized JdbcCatalog open() {
    if (catalog == null) {
      JdbcCatalog opened = new JdbcCatalog(ignored -> new LocalFiles(), null, false);
      opened.initialize(
          NAME,
          Map.of(
              CatalogProperties.URI,
              place.catalog(),
              CatalogProperties.WAREHOUSE_LOCATION,
              place.warehouse(),
              "jdbc.user",
              place.user(),
              "jdbc.password",
              place.password(),
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
      catalog = opened;
    }
    return catalog;
  }

  /** Lets the connections go; the next question makes new ones. */
  @Override
  public synchronized void close() {
    if (catalog != null) {
      try {
        catalog.close();
      } catch (RuntimeException failure) {
        LOG.debug("Closing the lake's catalog failed", failure);
      }
      catalog = null;
    }
  }
}
