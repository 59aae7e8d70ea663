package io.tidemark.stack;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Where one stack lives and what it listens on.
 *
 * @param root the checkout: {@code infra/} and the built jars are found below it
 * @param home everything the stack writes: data, logs, pid files, engines' classpaths, secrets,
 *     stack.env
 * @param engines folder of the classpath files that {@code infra/engines} wrote
 * @param environment process environment the settings were read from
 */
public record StackSettings(
    Path root, Path home, Path engines, PortPlan ports, Map<String, String> environment) {
  /** The account of the store that speaks as Azure's. */
  public static final String AZURE_ACCOUNT = "tidemark";

  /** What URIs call that account. Nothing asks for its address: clients are told one. */
  public static final String AZURE_HOST = AZURE_ACCOUNT + ".dfs.core.windows.net";

  public StackSettings {
    environment = Map.copyOf(environment);
  }

  /**
   * Settings of {@code make up}: {@code TIDEMARK_HOME} or {@code <root>/.tidemark}, ports from the
   * environment.
   */
  public static StackSettings fromEnvironment(Path root, Map<String, String> environment) {
    Path checkout = root.toAbsolutePath().normalize();
    Path main = checkout.resolve(".tidemark");
    String home = environment.getOrDefault("TIDEMARK_HOME", "");
    return new StackSettings(
        checkout,
        home.isBlank() ? main : checkout.resolve(home).normalize(),
        main.resolve("engines"),
        PortPlan.fromEnvironment(environment),
        environment);
  }

  /** A stack of its own for a test run: same checkout and engines, own folder and ports. */
  public StackSettings at(Path otherHome, PortPlan otherPorts) {
    return new StackSettings(
        root, otherHome.toAbsolutePath().normalize(), engines, otherPorts, environment);
  }

  /** The same stack with further environment for platform-api, for tests that need more tenants. */
  public StackSettings with(String name, String value) {
    Map<String, String> more = new LinkedHashMap<>(environment);
    more.put(name, value);
    return new StackSettings(root, home, engines, ports, more);
  }

  /** What holds the lake and the state of jobs. */
  public enum Storage {
    /** Folders of this machine. */
    LOCAL,
    /** Buckets of an object store that speaks S3. */
    S3,
    /** The lake in a bucket of a store that speaks as Google's; the state of jobs in folders. */
    GCS,
    /** The lake in a container of a store that speaks as Azure's; the state of jobs in folders. */
    AZURE
  }

  /**
   * {@code TIDEMARK_STORAGE}: local, which is the default, s3, gcs or azure.
   *
   * @throws StackFailure for anything else
   */
  public Storage storage() {
    String wanted = environment.getOrDefault("TIDEMARK_STORAGE", "");
    return switch (wanted) {
      case "", "local" -> Storage.LOCAL;
      case "s3" -> Storage.S3;
      case "gcs" -> Storage.GCS;
      case "azure" -> Storage.AZURE;
      default ->
          throw new StackFailure(
              "TIDEMARK_STORAGE=" + wanted + " is none of local, s3, gcs and azure.");
    };
  }

  /** Where the lake's tables are found. */
  public enum Catalog {
    /** In PostgreSQL. */
    JDBC,
    /** At a server of Iceberg's REST protocol. */
    REST
  }

  /**
   * {@code TIDEMARK_CATALOG}: jdbc, which is the default, or rest.
   *
   * @throws StackFailure for anything else, and for rest where engines ask who comes: that server
   *     does not
   */
  public Catalog catalog() {
    String wanted = environment.getOrDefault("TIDEMARK_CATALOG", "");
    return switch (wanted) {
      case "", "jdbc" -> Catalog.JDBC;
      case "rest" -> {
        if (security() == Security.TLS) {
          throw new StackFailure(
              "TIDEMARK_CATALOG=rest and TIDEMARK_SECURITY=tls do not go together: the stack's"
                  + " catalog that speaks REST answers everybody.");
        }
        yield Catalog.REST;
      }
      default ->
          throw new StackFailure("TIDEMARK_CATALOG=" + wanted + " is neither jdbc nor rest.");
    };
  }

  /** How engines know each other, and what the public doors speak. */
  public enum Security {
    /** They let everybody in: on loopback, that is everybody on this machine. Doors are plain. */
    NONE,
    /**
     * By certificates and passwords, encrypted. Doors are encrypted; clients have keys, as ever.
     */
    TLS
  }

  /**
   * {@code TIDEMARK_SECURITY}: none, which is the default, or tls.
   *
   * @throws StackFailure for anything else
   */
  public Security security() {
    String wanted = environment.getOrDefault("TIDEMARK_SECURITY", "");
    return switch (wanted) {
      case "", "none" -> Security.NONE;
      case "tls" -> Security.TLS;
      default ->
          throw new StackFailure("TIDEMARK_SECURITY=" + wanted + " is neither none nor tls.");
    };
  }

  /** How addresses of Druid, Flink and the public doors begin. */
  public String scheme() {
    return security() == Security.TLS ? "https://" : "http://";
  }

  /** How components reach each other. */
  public enum Links {
    /** At the ports they listen on. */
    DIRECT,
    /** Each {@link Link} through a proxy, which makes no fault by itself. */
    PROXIED
  }

  /**
   * {@code TIDEMARK_LINKS}: direct, which is the default, or proxied.
   *
   * @throws StackFailure for anything else
   */
  public Links links() {
    String wanted = environment.getOrDefault("TIDEMARK_LINKS", "");
    return switch (wanted) {
      case "", "direct" -> Links.DIRECT;
      case "proxied" -> Links.PROXIED;
      default ->
          throw new StackFailure("TIDEMARK_LINKS=" + wanted + " is neither direct nor proxied.");
    };
  }

  /** Whose time components have. */
  public enum Clocks {
    /** The machine's. */
    MACHINE,
    /** Each JVM one of its own, which a test can step. */
    STEPPABLE
  }

  /**
   * {@code TIDEMARK_CLOCKS}: machine, which is the default, or steppable.
   *
   * @throws StackFailure for anything else
   */
  public Clocks clocks() {
    String wanted = environment.getOrDefault("TIDEMARK_CLOCKS", "");
    return switch (wanted) {
      case "", "machine" -> Clocks.MACHINE;
      case "steppable" -> Clocks.STEPPABLE;
      default ->
          throw new StackFailure(
              "TIDEMARK_CLOCKS=" + wanted + " is neither machine nor steppable.");
    };
  }

  /** host:port at which the client of a link reaches its server. */
  public String address(Link link) {
    return ports.address(links() == Links.PROXIED ? link.id() : link.server());
  }

  /**
   * {@code TIDEMARK_COMPILERS}: both, which is the default, or first. With the first alone, engines
   * start with less CPU and are slower under load: for stacks that live for minutes.
   *
   * @throws StackFailure for anything else
   */
  public boolean isFirstCompilerAlone() {
    String wanted = environment.getOrDefault("TIDEMARK_COMPILERS", "");
    return switch (wanted) {
      case "", "both" -> false;
      case "first" -> true;
      default ->
          throw new StackFailure("TIDEMARK_COMPILERS=" + wanted + " is neither both nor first.");
    };
  }

  /** More would not fit into the memory of one machine. */
  static final int MAX_PLATFORM_PROCESSES = 4;

  /**
   * {@code TIDEMARK_PLATFORM_PROCESSES}: how many processes of platform-api there are; more than
   * one stand behind a proxy.
   *
   * @throws StackFailure for anything but 1 to 4
   */
  public int platformProcesses() {
    return oneOf(
        "TIDEMARK_PLATFORM_PROCESSES",
        IntStream.rangeClosed(1, MAX_PLATFORM_PROCESSES).boxed().toList());
  }

  private int oneOf(String variable, List<Integer> allowed) {
    String wanted = environment.getOrDefault(variable, "");
    if (wanted.isBlank()) {
      return 1;
    }
    return allowed.stream()
        .filter(number -> wanted.equals(Integer.toString(number)))
        .findFirst()
        .orElseThrow(
            () -> new StackFailure(variable + "=" + wanted + " is none of " + allowed + "."));
  }

  /** As many as there are copies of a partition. */
  static final int MAX_BROKERS = 3;

  /**
   * {@code TIDEMARK_BROKERS}: how many brokers of Kafka there are; three hold three copies of each
   * partition, two of which are enough to go on.
   *
   * @throws StackFailure for anything but 1 and 3, and where links go through a proxy or engines
   *     ask who comes: neither knows a second broker
   */
  public int brokers() {
    int brokers = oneOf("TIDEMARK_BROKERS", List.of(1, MAX_BROKERS));
    if (brokers > 1 && (links() == Links.PROXIED || security() == Security.TLS)) {
      throw new StackFailure(
          "TIDEMARK_BROKERS="
              + brokers
              + " goes neither with TIDEMARK_LINKS=proxied nor with TIDEMARK_SECURITY=tls.");
    }
    return brokers;
  }

  /**
   * {@code TIDEMARK_FIRST_REGION}: the folder of another stack of this machine whose stream this
   * one reads as a second region.
   *
   * @throws StackFailure where engines ask who comes: the first region does not know this one
   */
  public Optional<FirstRegion> firstRegion() {
    String home = environment.getOrDefault("TIDEMARK_FIRST_REGION", "");
    if (home.isBlank()) {
      return Optional.empty();
    }
    if (security() == Security.TLS) {
      throw new StackFailure(
          "TIDEMARK_FIRST_REGION and TIDEMARK_SECURITY=tls do not go together: the first region"
              + " knows neither passwords nor certificates of this one.");
    }
    return Optional.of(new FirstRegion(root.resolve(home)));
  }

  /** {@code TIDEMARK_WITHOUT}: components that are not started, separated by commas. */
  public Set<String> without() {
    String named = environment.getOrDefault("TIDEMARK_WITHOUT", "");
    return named.isBlank() ? Set.of() : Set.of(named.trim().split("\\s*,\\s*"));
  }

  /** Where the processes of this stack send their own metrics. */
  public String otlpHttp() {
    return firstRegion()
        .map(first -> first.coordinate("TIDEMARK_OTLP_HTTP"))
        .orElse(scheme() + ports.address("otlp-http"));
  }

  /** The bucket of a component's shared data. */
  public static String bucket(String component) {
    return "tidemark-" + component;
  }

  public Path data(String component) {
    return home.resolve("data").resolve(component);
  }

  /**
   * URI of a folder that several processes share: below the component's data, or in its bucket.
   * Unlike {@link Path#toUri} it does not gain a slash once the folder exists, so commands stay the
   * same between starts.
   */
  public String dataUri(String component, String folder) {
    return switch (storage()) {
      case S3 -> "s3://" + bucket(component) + "/" + folder;
      case GCS -> lakeUri(component, "gs://" + bucket(component), folder);
      case AZURE -> lakeUri(component, "abfss://" + bucket(component) + "@" + AZURE_HOST, folder);
      case LOCAL -> folderUri(component, folder);
    };
  }

  /** Where the store holds the lake alone. */
  private String lakeUri(String component, String store, String folder) {
    return component.equals("iceberg") ? store + "/" + folder : folderUri(component, folder);
  }

  private String folderUri(String component, String folder) {
    return "file://" + data(component).resolve(folder);
  }

  /** Class data archives of this stack's processes. */
  public Path classArchives() {
    return home.resolve("archives");
  }

  /** A program that a target of the Makefile built or unpacked. */
  public Path tool(String name) {
    return engines.resolveSibling("tools").resolve(name);
  }

  public Path log(String component) {
    return home.resolve("logs").resolve(component + ".log");
  }

  public Path infra(String path) {
    return root.resolve("infra").resolve(path);
  }
}
