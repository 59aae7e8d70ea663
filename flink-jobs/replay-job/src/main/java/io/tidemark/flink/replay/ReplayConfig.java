package io.tidemark.flink.replay;

import io.tidemark.flink.lake.LakeCatalog;
import io.tidemark.flink.lake.WarehouseFiles;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What is replayed, from where, and what it is compared with.
 *
 * @param catalogUri {@code --catalog.uri}: as {@link LakeCatalog#open} takes it
 * @param catalogUser {@code --catalog.user}
 * @param catalogPassword environment variable {@value #PASSWORD}
 * @param warehouse {@code --warehouse}: file: or s3: URI
 * @param tenant {@code --tenant}: organisation
 * @param from {@code --from}: start of the window, a whole UTC minute
 * @param to {@code --to}: its end, exclusive
 * @param leadIn {@code --lead-in}: how much before the window is read for the references of
 *     cumulative series; the default is as long as the rollup job remembers them
 * @param target {@code --target}: folder; the rows go into a new folder named by the version
 * @param version {@code --version}: letters, digits, dash, underscore, dot
 * @param bootstrapServers {@code --kafka.bootstrap.servers}: where routes were published
 * @param routesTopic {@code --routes.topic}: which minutes of a metric were split
 * @param druid {@code --druid}: URL of the broker; compares Druid's rows too
 */
record ReplayConfig(
    String catalogUri,
    String catalogUser,
    String catalogPassword,
    String warehouse,
    String tenant,
    Instant from,
    Instant to,
    Duration leadIn,
    Path target,
    String version,
    String bootstrapServers,
    String routesTopic,
    @Nullable String druid) {

  static final String PASSWORD = "TIDEMARK_CATALOG_PASSWORD";
  static final Duration LEAD_IN = Duration.ofHours(24);

  private static final Pattern IDENTIFIER = Pattern.compile("[a-z0-9][a-z0-9-]{0,62}");
  private static final Pattern VERSION = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,99}");
  private static final Pattern DURATION = Pattern.compile("PT[0-9]+[HMS]");
  private static final Map<String, Pattern> KEYS = new LinkedHashMap<>();

  static {
    KEYS.put("catalog.uri", LakeCatalog.URI);
    KEYS.put("catalog.user", Pattern.compile(".+"));
    KEYS.put("warehouse", WarehouseFiles.WAREHOUSE);
    KEYS.put("tenant", IDENTIFIER);
    KEYS.put("from", Pattern.compile(".+Z"));
    KEYS.put("to", Pattern.compile(".+Z"));
    KEYS.put("target", Pattern.compile(".+"));
    KEYS.put("version", VERSION);
    KEYS.put("kafka.bootstrap.servers", Pattern.compile("[^ ]+:[0-9]+"));
    KEYS.put("routes.topic", Pattern.compile("[A-Za-z0-9._-]+"));
    KEYS.put("lead-in", DURATION);
    KEYS.put("druid", Pattern.compile("https?://.+"));
  }

  private static final List<String> OPTIONAL = List.of("lead-in", "druid");

  /**
   * @throws IllegalArgumentException naming every fault at once
   */
  static ReplayConfig parse(Map<String, String> environment, String... arguments) {
    List<String> faults = new ArrayList<>();
    Map<String, String> values = new LinkedHashMap<>();
    for (int i = 0; i < arguments.length; i += 2) {
      String key = arguments[i].startsWith("--") ? arguments[i].substring(2) : "";
      if (!KEYS.containsKey(key)) {
        faults.add(
            "'"
                + arguments[i]
                + "' is not known; known are --"
                + String.join(", --", KEYS.keySet()));
      } else if (i + 1 == arguments.length) {
        faults.add("--" + key + " has no value");
      } else {
        values.put(key, arguments[i + 1]);
      }
    }
    KEYS.forEach((key, pattern) -> check(values, key, pattern, faults));
    if (!environment.containsKey(PASSWORD)) {
      faults.add("the environment variable " + PASSWORD + " is not set");
    }
    Instant from = minute(values, "from", faults);
    Instant to = minute(values, "to", faults);
    if (faults.isEmpty() && !from.isBefore(to)) {
      faults.add("--from " + from + " is not before --to " + to);
    }
    if (!faults.isEmpty()) {
      throw new IllegalArgumentException(
          "The replay cannot start:\n  - " + String.join("\n  - ", faults));
    }
    return new ReplayConfig(
        checked(values, "catalog.uri"),
        checked(values, "catalog.user"),
        checked(environment, PASSWORD),
        checked(values, "warehouse"),
        checked(values, "tenant"),
        from,
        to,
        values.containsKey("lead-in") ? Duration.parse(values.get("lead-in")) : LEAD_IN,
        Path.of(values.get("target")),
        checked(values, "version"),
        checked(values, "kafka.bootstrap.servers"),
        checked(values, "routes.topic"),
        values.get("druid"));
  }

  /** What was found to be there when faults were collected. */
  private static String checked(Map<String, String> values, String key) {
    return Objects.requireNonNull(values.get(key), key);
  }

  /** Where the rows of this version go. */
  Path folder() {
    return target.resolve(version);
  }

  private static void check(
      Map<String, String> values, String key, Pattern pattern, List<String> faults) {
    String value = values.get(key);
    if (value == null) {
      if (!OPTIONAL.contains(key)) {
        faults.add("--" + key + " is missing");
      }
    } else if (!pattern.matcher(value).matches()) {
      faults.add("--" + key + " is '" + value + "', expected " + pattern);
    }
  }

  private static Instant minute(Map<String, String> values, String key, List<String> faults) {
    String value = values.getOrDefault(key, "");
    try {
      Instant instant = Instant.parse(value);
      if (instant.getEpochSecond() % 60 != 0 || instant.getNano() != 0) {
        faults.add("--" + key + " is '" + value + "', expected a whole minute");
      }
      return instant;
    } catch (DateTimeParseException e) {
      if (!value.isEmpty()) {
        faults.add("--" + key + " is '" + value + "', expected a time like 2026-03-01T00:00:00Z");
      }
      return Instant.EPOCH;
    }
  }

  /** Without the password. */
  @Override
  public String toString() {
    return "ReplayConfig[" + tenant + ", " + from + ", " + to + ", " + version + "]";
  }
}
