package io.tidemark.platform.metricstore.iceberg;

import io.tidemark.platform.shared.ErrorCode;
import io.tidemark.platform.shared.ProblemException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import org.apache.iceberg.CatalogProperties;
import org.apache.iceberg.CatalogUtil;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.exceptions.NoSuchTableException;
import org.apache.iceberg.exceptions.NotFoundException;
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
 * The tables of the lake, and what failures of it mean to a caller. Its sessions in PostgreSQL are
 * read-only; nothing is created.
 */
public final class LakeCatalog implements AutoCloseable {

  /**
   * Where the lake is.
   *
   * @param catalog jdbc:postgresql://host:port/database
   * @param warehouse file: or s3: URI
   * @param s3Endpoint of an object store that is not Amazon's; empty for Amazon's. The AWS SDK
   *     finds region and credentials itself.
   * @param s3PathStyle whether that store names buckets in paths
   */
  public record CatalogLocation(
      String catalog,
      String user,
      String password,
      String warehouse,
      String namespace,
      String s3Endpoint,
      boolean s3PathStyle) {

    /** The files of the warehouse. */
    FileIO files() {
      if (!warehouse.startsWith("s3:")) {
        return new LocalFiles();
      }
      Map<String, String> properties = new HashMap<>();
      // Clients of S3 alone: the other factory wants the SDK's classes of every service.
      properties.put("s3.client-factory-impl", S3_CLIENTS);
      properties.put("http-client.type", "urlconnection");
      if (!s3Endpoint.isEmpty()) {
        properties.put("s3.endpoint", s3Endpoint);
        properties.put("s3.path-style-access", Boolean.toString(s3PathStyle));
      }
      return CatalogUtil.loadFileIO(S3, properties, null);
    }
  }

  private static final Logger LOG = LoggerFactory.getLogger(LakeCatalog.class);
  private static final String S3 = "org.apache.iceberg.aws.s3.S3FileIO";
  private static final String S3_CLIENTS =
      "org.apache.iceberg.aws.s3.DefaultS3FileIOAwsClientFactory";
  private static final Duration RETRY_AFTER = Duration.ofSeconds(5);

  /** As the lake job names it; part of every row of the catalog. */
  private static final String NAME = "tidemark";

  private final CatalogLocation place;
  private @Nullable JdbcCatalog catalog;

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
        | SdkClientException away) {
      throw away(away);
    } catch (RuntimeException failure) {
      if (failure instanceof SdkServiceException said && said.statusCode() >= 500) {
        throw away(said);
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

  private synchronized JdbcCatalog open() {
    if (catalog == null) {
      JdbcCatalog opened = new JdbcCatalog(ignored -> place.files(), null, false);
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
