package io.tidemark.provision;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where the engines answer.
 *
 * @param root checkout, for {@code infra/} and the jars
 * @param kafka bootstrap servers
 * @param druidCoordinator base URL of coordinator and overlord
 * @param flink base URL of the JobManager
 * @param flinkState folder in which the runs of jobs are noted
 * @param flinkStorage URI below which the cluster keeps {@code checkpoints} and {@code savepoints}
 * @param catalogUrl JDBC URL of the Iceberg catalog, or the URL of one that speaks REST
 * @param catalogReaderPassword of the role that may only read it
 * @param warehouse URI of the Iceberg warehouse
 * @param objectStore variables by which processes reach the object store; empty without one
 * @param access what is shown to engines that do not let everybody in
 * @param sharedStream what a second region reads; empty in the first
 * @param lock database that lets one run at a time work; empty for that of the catalog
 */
public record Addresses(
    Path root,
    String kafka,
    String druidCoordinator,
    String flink,
    Path flinkState,
    String flinkStorage,
    String catalogUrl,
    String catalogUser,
    String catalogPassword,
    String catalogReaderPassword,
    String warehouse,
    Map<String, String> objectStore,
    EngineAccess access,
    Optional<SharedStream> sharedStream,
    Optional<LockDatabase> lock) {

  /** A database of PostgreSQL. */
  public record LockDatabase(String url, String user, String password) {}

  /** Of the first region, or the only one. */
  public Addresses(
      Path root,
      String kafka,
      String druidCoordinator,
      String flink,
      Path flinkState,
      String flinkStorage,
      String catalogUrl,
      String catalogUser,
      String catalogPassword,
      String catalogReaderPassword,
      String warehouse,
      Map<String, String> objectStore,
      EngineAccess access) {
    this(
        root,
        kafka,
        druidCoordinator,
        flink,
        flinkState,
        flinkStorage,
        catalogUrl,
        catalogUser,
        catalogPassword,
        catalogReaderPassword,
        warehouse,
        objectStore,
        access,
        Optional.empty(),
        Optional.empty());
  }

  /** Whether PostgreSQL holds the lake's catalog, and not a server that speaks REST. */
  boolean isCatalogInPostgres() {
    return catalogUrl.startsWith("jdbc:");
  }

  LockDatabase lockDatabase() {
    return lock.orElse(new LockDatabase(catalogUrl, catalogUser, catalogPassword));
  }

  /** Where the cluster keeps its state if that is no folder of this machine. */
  private static final String STORAGE = "TIDEMARK_FLINK_STORAGE";

  private static final Pattern PLACEHOLDER = Pattern.compile("\\$\\{([A-Z0-9_]+)}");

  /** What only those who submit jobs need. */
  private static final Set<String> OF_JOBS = Set.of("TIDEMARK_FLINK", "TIDEMARK_FLINK_STATE");

  /** What a catalog that speaks REST may do without. */
  private static final Set<String> OF_DATABASES =
      Set.of("TIDEMARK_CATALOG_PASSWORD", "TIDEMARK_CATALOG_READER_PASSWORD");

  /**
   * Reads the addresses as containers get them. The error names all that are missing.
   *
   * @param steps what is to be provisioned with them
   */
  public static Addresses fromEnvironment(
      Path root, Map<String, String> environment, Set<Provisioning.Step> steps) {
    List<String> missing = new ArrayList<>();
    for (String name :
        List.of(
            "TIDEMARK_KAFKA",
            "TIDEMARK_DRUID_COORDINATOR",
            "TIDEMARK_FLINK",
            "TIDEMARK_FLINK_STATE",
            "TIDEMARK_CATALOG_URL",
            "TIDEMARK_CATALOG_USER",
            "TIDEMARK_CATALOG_PASSWORD",
            "TIDEMARK_CATALOG_READER_PASSWORD",
            "TIDEMARK_ICEBERG_WAREHOUSE")) {
      boolean needed =
          (steps.contains(Provisioning.Step.JOBS) || !OF_JOBS.contains(name))
              && !(isRest(environment) && OF_DATABASES.contains(name));
      if (needed && environment.getOrDefault(name, "").isBlank()) {
        missing.add(name);
      }
    }
    if (!missing.isEmpty()) {
      throw ProvisionFailure.input(
          "provision needs these environment variables: "
              + String.join(", ", missing)
              + ". --help says what each is.");
    }
    requireHttp(environment, "TIDEMARK_DRUID_COORDINATOR", "TIDEMARK_FLINK");
    Path state = Path.of(environment.getOrDefault("TIDEMARK_FLINK_STATE", ""));
    return new Addresses(
        root,
        given(environment, "TIDEMARK_KAFKA"),
        given(environment, "TIDEMARK_DRUID_COORDINATOR"),
        environment.getOrDefault("TIDEMARK_FLINK", ""),
        state,
        environment.getOrDefault(STORAGE, "file://" + state.toAbsolutePath()),
        given(environment, "TIDEMARK_CATALOG_URL"),
        given(environment, "TIDEMARK_CATALOG_USER"),
        environment.getOrDefault("TIDEMARK_CATALOG_PASSWORD", ""),
        environment.getOrDefault("TIDEMARK_CATALOG_READER_PASSWORD", ""),
        given(environment, "TIDEMARK_ICEBERG_WAREHOUSE"),
        // A process of the environment's own inherits what is needed.
        environment,
        EngineAccess.fromEnvironment(environment),
        sharedStream(environment),
        lock(environment));
  }

  private static boolean isRest(Map<String, String> environment) {
    return environment.getOrDefault("TIDEMARK_CATALOG_URL", "").startsWith("http");
  }

  private static Optional<LockDatabase> lock(Map<String, String> environment) {
    String url = environment.getOrDefault("TIDEMARK_LOCK_URL", "");
    if (!url.isBlank()) {
      return Optional.of(
          new LockDatabase(
              url,
              environment.getOrDefault("TIDEMARK_LOCK_USER", ""),
              environment.getOrDefault("TIDEMARK_LOCK_PASSWORD", "")));
    }
    if (isRest(environment)) {
      throw ProvisionFailure.input(
          "TIDEMARK_CATALOG_URL is a catalog that speaks REST, which keeps no second run out. Name a"
              + " database of PostgreSQL that does: TIDEMARK_LOCK_URL, TIDEMARK_LOCK_USER and"
              + " TIDEMARK_LOCK_PASSWORD.");
    }
    return Optional.empty();
  }

  private static Optional<SharedStream> sharedStream(Map<String, String> environment) {
    String kafka = environment.getOrDefault("TIDEMARK_SOURCE_KAFKA", "");
    String region = environment.getOrDefault("TIDEMARK_REGION", "");
    if (kafka.isBlank() != region.isBlank()) {
      throw ProvisionFailure.input(
          "TIDEMARK_SOURCE_KAFKA and TIDEMARK_REGION are given together, in a second region.");
    }
    return kafka.isBlank() ? Optional.empty() : Optional.of(new SharedStream(kafka, region));
  }

  /** Of a variable that is not missing. */
  private static String given(Map<String, String> environment, String name) {
    return Objects.requireNonNull(environment.get(name), name);
  }

  private static void requireHttp(Map<String, String> environment, String... names) {
    for (String name : names) {
      String address = environment.getOrDefault(name, "");
      if (!address.isBlank() && !address.matches("https?://[^/]+.*")) {
        throw ProvisionFailure.input(
            name + "=" + address + " is no base URL. Write it as http://host:port.");
      }
    }
  }

  /**
   * Fills placeholders like {@code ${TIDEMARK_KAFKA}} in a file of {@code infra/}; an unknown one
   * is an error, never left in place.
   *
   * @param file below {@code infra/}, for the error
   */
  String fill(String file, String text) {
    Map<String, String> known =
        Map.of(
            "TIDEMARK_KAFKA", kafka,
            "TIDEMARK_CATALOG_URL", catalogUrl,
            "TIDEMARK_CATALOG_USER", catalogUser,
            "TIDEMARK_ICEBERG_WAREHOUSE", warehouse);
    Matcher found = PLACEHOLDER.matcher(text);
    StringBuilder filled = new StringBuilder();
    while (found.find()) {
      String value = known.get(found.group(1));
      if (value == null) {
        throw ProvisionFailure.input(
            "infra/"
                + file
                + " has the placeholder ${"
                + found.group(1)
                + "}, which nothing fills in. Known: "
                + String.join(", ", new TreeSet<>(known.keySet()))
                + ".");
      }
      found.appendReplacement(filled, Matcher.quoteReplacement(value));
    }
    found.appendTail(filled);
    return filled.toString();
  }

  /** What is declared. */
  InfraFiles files() {
    return new InfraFiles(root);
  }
}
