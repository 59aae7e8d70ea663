package io.tidemark.platform.query;

import io.tidemark.platform.metricstore.Lane;
import io.tidemark.platform.query.application.QueryConcurrencyLimiter;
import io.tidemark.platform.shared.ValidatedSettings;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.IntSupplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of the Metrics API.
 *
 * @param druid URL of the broker
 * @param druidCoordinator URL of coordinator and overlord; without it no answer says that it is
 *     complete
 * @param kafka bootstrap servers
 * @param timeout of one query
 * @param maxResult maximum number of rows that one answer is made of
 * @param openCells cells of open minutes in memory, about 1 kB each; 0 shows none
 * @param recent minutes that are kept in memory as well
 * @param recentRows most rows of them in memory, about 100 bytes each; 0 keeps none
 * @param slowFrom stored rows from which a query goes to the slow lane
 * @param maxRows stored rows that a query may read
 * @param maxLakeRows of these, rows of the lake
 * @param pageTokenSecret signs page tokens
 * @param requestsPerMinute of one address, and of one key
 * @param exportsPerHour of one resource and key
 * @param lake where rows are that Druid does not keep any more
 */
@ConfigurationProperties("tidemark.query")
record QueryProperties(
    String druid,
    String druidCoordinator,
    String kafka,
    @DefaultValue("20s") Duration timeout,
    @DefaultValue("100000") int maxResult,
    @DefaultValue("100000") int openCells,
    @DefaultValue("3h") Duration recent,
    @DefaultValue("400000") int recentRows,
    @DefaultValue("5000000") long slowFrom,
    @DefaultValue("100000000") long maxRows,
    @DefaultValue("10000000") long maxLakeRows,
    @DefaultValue("2s") Duration patience,
    @DefaultValue("6") int interactive,
    @DefaultValue("2") int export,
    @DefaultValue("2") int slow,
    String pageTokenSecret,
    @DefaultValue("6000") int requestsPerMinute,
    @DefaultValue("160") int exportsPerHour,
    Lake lake)
    implements ValidatedSettings {

  /**
   * Where older rows are.
   *
   * @param catalog address of Iceberg's catalog, JDBC or REST; without it, Druid is asked for
   *     everything
   * @param warehouse folder of the tables, file:, s3:, gs: or abfss: URI
   * @param s3Endpoint of an object store that speaks S3 and is not Amazon's
   * @param s3PathStyle whether that store names buckets in paths
   * @param fileIo further properties of Iceberg's FileIO: name=value, separated by commas
   * @param bundles folder with the jars of a store that is not built in
   * @param catalogProperties further ones of a REST catalog: name=value, separated by commas
   */
  record Lake(
      String catalog,
      String user,
      String password,
      String warehouse,
      @DefaultValue("telemetry") String namespace,
      @DefaultValue("") String s3Endpoint,
      @DefaultValue("true") boolean s3PathStyle,
      @DefaultValue("") String fileIo,
      @DefaultValue("") String bundles,
      @DefaultValue("") String catalogProperties) {

    /** By name, as Iceberg documents them. */
    static Map<String, String> pairs(String text) {
      return PAIR.matcher(text)
          .results()
          .collect(Collectors.toMap(one -> one.group(1), one -> one.group(2)));
    }

    boolean isThere() {
      return catalog != null && !catalog.isBlank();
    }
  }

  private static final Pattern PAIR = Pattern.compile("([a-zA-Z0-9._-]+)=([^,]+)(?:,\\s*|$)");

  /** A tenant's burst of 64 cheap queries waits; it is patience that bounds how long. */
  private static final int WAITING = 128;

  private static final String ADDRESS = "https?://[^\\s/]+/?";

  @Override
  public List<String> faults() {
    List<String> faults = new ArrayList<>();
    if (druid == null || !druid.matches(ADDRESS)) {
      faults.add("TIDEMARK_DRUID must be set to the URL of the broker, http://host:port");
    }
    if (hasCoordinator() && !druidCoordinator.matches(ADDRESS)) {
      faults.add("TIDEMARK_DRUID_COORDINATOR must be the URL of the coordinator, http://host:port");
    }
    if (hasLake()) {
      lakeFaults(faults);
    }
    if (timeout.compareTo(Duration.ofSeconds(1)) < 0) {
      faults.add("tidemark.query.timeout must be at least 1s");
    }
    if (maxResult < 1) {
      faults.add("tidemark.query.max-result must be at least 1");
    }
    if (openCells < 0) {
      faults.add("tidemark.query.open-cells must not be negative");
    }
    if (recent.compareTo(Duration.ofMinutes(1)) < 0 || recent.compareTo(Duration.ofDays(1)) > 0) {
      faults.add("tidemark.query.recent must be 1m to 1d");
    }
    if (recentRows < 0) {
      faults.add("tidemark.query.recent-rows must not be negative");
    }
    if (interactive < 2 || export < 2 || slow < 2) {
      faults.add(
          "tidemark.query.interactive, export and slow must be at least 2: one tenant has half of"
              + " a lane");
    }
    if (requestsPerMinute < 1 || exportsPerHour < 1) {
      faults.add("tidemark.query.requests-per-minute and exports-per-hour must be at least 1");
    }
    return faults;
  }

  private void lakeFaults(List<String> faults) {
    boolean isRest = lake.catalog().matches("https?://.+");
    if (!isRest && !lake.catalog().startsWith("jdbc:postgresql://")) {
      faults.add(
          "TIDEMARK_LAKE_CATALOG must be jdbc:postgresql://host:port/database, or the URL of a REST"
              + " catalog");
    }
    if (!isRest && (lake.user() == null || lake.user().isBlank())) {
      faults.add("TIDEMARK_LAKE_USER must be set to a user of the lake's catalog");
    }
    if (lake.warehouse() == null || !lake.warehouse().matches("(file:|s3://|gs://|abfss?://).+")) {
      faults.add(
          "TIDEMARK_LAKE_WAREHOUSE must be the file:, s3:, gs: or abfss: URI of the warehouse");
    }
    if (!PAIR.matcher(lake.fileIo()).replaceAll("").isBlank()) {
      faults.add("TIDEMARK_LAKE_FILE_IO must be name=value, separated by commas");
    }
    if (!PAIR.matcher(lake.catalogProperties()).replaceAll("").isBlank()) {
      faults.add("TIDEMARK_LAKE_CATALOG_PROPERTIES must be name=value, separated by commas");
    }
    if (!lake.s3Endpoint().isBlank() && !lake.s3Endpoint().matches(ADDRESS)) {
      faults.add("TIDEMARK_S3_ENDPOINT must be the URL of an object store, https://host:port");
    }
    if (!hasCoordinator()) {
      faults.add(
          "TIDEMARK_DRUID_COORDINATOR must be set where a lake is: its rules say how long Druid"
              + " keeps rows");
    }
  }

  boolean hasLake() {
    return lake != null && lake.isThere();
  }

  URI broker() {
    return URI.create(druid);
  }

  boolean hasCoordinator() {
    return druidCoordinator != null && !druidCoordinator.isBlank();
  }

  /** One tenant may use half of a lane. */
  QueryConcurrencyLimiter turns(IntSupplier processes) {
    return new QueryConcurrencyLimiter(
        Map.of(
            Lane.INTERACTIVE, size(interactive, Math.max(WAITING, 4 * interactive)),
            Lane.EXPORT, size(export, 4 * export),
            Lane.SLOW, size(slow, 4 * slow)),
        patience,
        processes);
  }

  private static QueryConcurrencyLimiter.Size size(int running, int waiting) {
    return new QueryConcurrencyLimiter.Size(running, running / 2, waiting);
  }
}
