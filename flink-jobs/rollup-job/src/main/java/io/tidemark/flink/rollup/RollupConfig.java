package io.tidemark.flink.rollup;

import io.tidemark.flink.io.Brokers;
import io.tidemark.flink.io.ExactlyOnce;
import io.tidemark.flink.io.SourceCluster;
import io.tidemark.flink.model.budget.OrganizationLimits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;

/**
 * What differs between deployments of the job, given as {@code --key value} pairs. All but {@value
 * Brokers#CLIENT} and the source are required. Checkpoints, state backend and restarts are the
 * cluster's configuration.
 *
 * @param brokers {@value #BOOTSTRAP_SERVERS}: Kafka, host:port, comma separated; and where clients
 *     have to say who they are, {@value Brokers#CLIENT}: a file
 * @param source where points and control records are read, if not there: of a second region
 * @param pointsTopic {@value #POINTS_TOPIC}: accepted batches
 * @param minuteTopic {@value #MINUTE_TOPIC}: one-minute rows
 * @param splitMinuteTopic {@value #SPLIT_MINUTE_TOPIC}: one-minute rows of split metrics at full
 *     detail
 * @param hourTopic {@value #HOUR_TOPIC}: one-hour rows
 * @param dayTopic {@value #DAY_TOPIC}: one-day rows
 * @param tenantsTopic {@value #TENANTS_TOPIC}: control records of tenants
 * @param metricsTopic {@value #METRICS_TOPIC}: control records of metrics
 * @param routesTopic {@value #ROUTES_TOPIC}: which minutes of a metric are split
 * @param budgetsTopic {@value #BUDGETS_TOPIC}: exceeded budgets
 * @param deadLettersTopic {@value #DEAD_LETTERS_TOPIC}: input set aside
 * @param watermarksTopic {@value #WATERMARKS_TOPIC}: how far rows are complete
 * @param usageTopic {@value #USAGE_TOPIC}: usage records, of points that were taken
 * @param incrementsTopic {@value #INCREMENTS_TOPIC}: what is billed of batches and rows
 * @param liveTopic {@value #LIVE_TOPIC}: open minutes
 * @param liveCellsPerSecond {@value #LIVE_CELLS}: how many cells of open minutes are sent at most;
 *     0 sends none
 * @param organizations {@value #ORGANIZATION_SERIES}, {@value #ORGANIZATION_LABEL_KEYS} and {@value
 *     #ENVIRONMENT_LABEL_KEYS}: what all environments of an organisation may have together
 * @param transactions {@value #TRANSACTIONAL_ID_PREFIX} and {@value #TRANSACTION_TIMEOUT} in
 *     milliseconds, at most the broker's transaction.max.timeout.ms
 * @param isMetered whether increments are counted and written; no argument, for benchmarks
 */
public record RollupConfig(
    Brokers brokers,
    SourceCluster source,
    String pointsTopic,
    String minuteTopic,
    String splitMinuteTopic,
    String hourTopic,
    String dayTopic,
    String tenantsTopic,
    String metricsTopic,
    String routesTopic,
    String budgetsTopic,
    String deadLettersTopic,
    String watermarksTopic,
    String usageTopic,
    String incrementsTopic,
    String liveTopic,
    int liveCellsPerSecond,
    OrganizationLimits organizations,
    ExactlyOnce transactions,
    boolean isMetered) {

  static final String BOOTSTRAP_SERVERS = "kafka.bootstrap.servers";
  static final String POINTS_TOPIC = "points.topic";
  static final String MINUTE_TOPIC = "rollup-1m.topic";
  static final String SPLIT_MINUTE_TOPIC = "rollup-1m-hc.topic";
  static final String HOUR_TOPIC = "rollup-1h.topic";
  static final String DAY_TOPIC = "rollup-1d.topic";
  static final String TENANTS_TOPIC = "tenants.topic";
  static final String METRICS_TOPIC = "metrics.topic";
  static final String ROUTES_TOPIC = "routes.topic";
  static final String BUDGETS_TOPIC = "budgets.topic";
  static final String DEAD_LETTERS_TOPIC = "dead-letters.topic";
  static final String WATERMARKS_TOPIC = "watermarks.topic";
  static final String USAGE_TOPIC = "usage.topic";
  static final String INCREMENTS_TOPIC = "increments.topic";
  static final String LIVE_TOPIC = "live.topic";
  static final String LIVE_CELLS = "live.cells-per-second";
  static final String ORGANIZATION_SERIES = "organization.series";
  static final String ORGANIZATION_LABEL_KEYS = "organization.label-keys";
  static final String ENVIRONMENT_LABEL_KEYS = "environment.label-keys";
  static final String TRANSACTIONAL_ID_PREFIX = "transactional-id-prefix";
  static final String TRANSACTION_TIMEOUT = "transaction.timeout.ms";

  private static final List<String> KEYS =
      List.of(
          BOOTSTRAP_SERVERS,
          POINTS_TOPIC,
          MINUTE_TOPIC,
          SPLIT_MINUTE_TOPIC,
          HOUR_TOPIC,
          DAY_TOPIC,
          TENANTS_TOPIC,
          METRICS_TOPIC,
          ROUTES_TOPIC,
          BUDGETS_TOPIC,
          DEAD_LETTERS_TOPIC,
          WATERMARKS_TOPIC,
          USAGE_TOPIC,
          INCREMENTS_TOPIC,
          LIVE_TOPIC,
          LIVE_CELLS,
          ORGANIZATION_SERIES,
          ORGANIZATION_LABEL_KEYS,
          ENVIRONMENT_LABEL_KEYS,
          TRANSACTIONAL_ID_PREFIX,
          TRANSACTION_TIMEOUT,
          Brokers.CLIENT);

  private static final Pattern SERVERS =
      Pattern.compile("[^\\s,:]+:[0-9]{1,5}(,[^\\s,:]+:[0-9]{1,5})*");
  private static final Pattern TOPIC = Pattern.compile("[a-zA-Z0-9._-]{1,249}");
  private static final Pattern PREFIX = Pattern.compile("[a-zA-Z0-9._-]{1,200}");
  private static final Pattern CELLS = Pattern.compile("0|[1-9][0-9]{0,8}");
  private static final Pattern NUMBER = Pattern.compile("[1-9][0-9]{0,8}");
  private static final Pattern MILLISECONDS = Pattern.compile("[1-9][0-9]{0,9}");

  /**
   * @throws IllegalArgumentException naming every fault of the arguments at once
   */
  public static RollupConfig parse(String... arguments) {
    List<String> faults = new ArrayList<>();
    Map<String, String> values = pairs(arguments, faults);
    check(values, BOOTSTRAP_SERVERS, SERVERS, "host:port, comma separated", faults);
    check(values, POINTS_TOPIC, TOPIC, "a topic name", faults);
    check(values, MINUTE_TOPIC, TOPIC, "a topic name", faults);
    check(values, SPLIT_MINUTE_TOPIC, TOPIC, "a topic name", faults);
    check(values, HOUR_TOPIC, TOPIC, "a topic name", faults);
    check(values, DAY_TOPIC, TOPIC, "a topic name", faults);
    check(values, TENANTS_TOPIC, TOPIC, "a topic name", faults);
    check(values, METRICS_TOPIC, TOPIC, "a topic name", faults);
    check(values, ROUTES_TOPIC, TOPIC, "a topic name", faults);
    check(values, BUDGETS_TOPIC, TOPIC, "a topic name", faults);
    check(values, DEAD_LETTERS_TOPIC, TOPIC, "a topic name", faults);
    check(values, WATERMARKS_TOPIC, TOPIC, "a topic name", faults);
    check(values, USAGE_TOPIC, TOPIC, "a topic name", faults);
    check(values, INCREMENTS_TOPIC, TOPIC, "a topic name", faults);
    check(values, LIVE_TOPIC, TOPIC, "a topic name", faults);
    check(values, LIVE_CELLS, CELLS, "0, or up to nine digits", faults);
    check(values, ORGANIZATION_SERIES, NUMBER, "1 to 999999999", faults);
    check(values, ORGANIZATION_LABEL_KEYS, NUMBER, "1 to 999999999", faults);
    check(values, ENVIRONMENT_LABEL_KEYS, NUMBER, "1 to 999999999", faults);
    if (faults.isEmpty()
        && Integer.parseInt(values.get(ORGANIZATION_LABEL_KEYS))
            < Integer.parseInt(values.get(ENVIRONMENT_LABEL_KEYS))) {
      faults.add("--" + ORGANIZATION_LABEL_KEYS + " is less than --" + ENVIRONMENT_LABEL_KEYS);
    }
    check(
        values, TRANSACTIONAL_ID_PREFIX, PREFIX, "letters, digits, dot, dash, underscore", faults);
    check(values, TRANSACTION_TIMEOUT, MILLISECONDS, "a positive number of milliseconds", faults);
    SourceCluster.check(values, faults);
    if (!faults.isEmpty()) {
      throw new IllegalArgumentException(
          "The rollup job cannot start:\n  - " + String.join("\n  - ", faults));
    }
    Brokers brokers =
        Brokers.of(checked(values, BOOTSTRAP_SERVERS), values.getOrDefault(Brokers.CLIENT, ""));
    return new RollupConfig(
        brokers,
        SourceCluster.of(values, brokers, RollupJob.CONSUMER_GROUP),
        checked(values, POINTS_TOPIC),
        checked(values, MINUTE_TOPIC),
        checked(values, SPLIT_MINUTE_TOPIC),
        checked(values, HOUR_TOPIC),
        checked(values, DAY_TOPIC),
        checked(values, TENANTS_TOPIC),
        checked(values, METRICS_TOPIC),
        checked(values, ROUTES_TOPIC),
        checked(values, BUDGETS_TOPIC),
        checked(values, DEAD_LETTERS_TOPIC),
        checked(values, WATERMARKS_TOPIC),
        checked(values, USAGE_TOPIC),
        checked(values, INCREMENTS_TOPIC),
        checked(values, LIVE_TOPIC),
        Integer.parseInt(values.get(LIVE_CELLS)),
        new OrganizationLimits(
            Long.parseLong(values.get(ORGANIZATION_SERIES)),
            Integer.parseInt(values.get(ORGANIZATION_LABEL_KEYS)),
            Integer.parseInt(values.get(ENVIRONMENT_LABEL_KEYS))),
        new ExactlyOnce(
            checked(values, TRANSACTIONAL_ID_PREFIX),
            Duration.ofMillis(Long.parseLong(values.get(TRANSACTION_TIMEOUT)))),
        true);
  }

  /** What was found to be there when faults were collected. */
  private static String checked(Map<String, String> values, String key) {
    return Objects.requireNonNull(values.get(key), key);
  }

  /** The same job without what metering costs, to measure that. */
  public RollupConfig withoutMetering() {
    return new RollupConfig(
        brokers,
        source,
        pointsTopic,
        minuteTopic,
        splitMinuteTopic,
        hourTopic,
        dayTopic,
        tenantsTopic,
        metricsTopic,
        routesTopic,
        budgetsTopic,
        deadLettersTopic,
        watermarksTopic,
        usageTopic,
        incrementsTopic,
        liveTopic,
        liveCellsPerSecond,
        organizations,
        transactions,
        false);
  }

  private static Map<String, String> pairs(String[] arguments, List<String> faults) {
    Map<String, String> values = new LinkedHashMap<>();
    for (int i = 0; i < arguments.length; i += 2) {
      String key = arguments[i].startsWith("--") ? arguments[i].substring(2) : "";
      if (!KEYS.contains(key) && !SourceCluster.KEYS.contains(key)) {
        faults.add("'" + arguments[i] + "' is not known; known are --" + String.join(", --", KEYS));
      } else if (i + 1 == arguments.length) {
        faults.add("--" + key + " has no value");
      } else if (values.put(key, arguments[i + 1]) != null) {
        faults.add("--" + key + " is given twice");
      }
    }
    return values;
  }

  private static void check(
      Map<String, String> values,
      String key,
      Pattern pattern,
      String expected,
      List<String> faults) {
    String value = values.get(key);
    if (value == null) {
      faults.add("--" + key + " is missing: " + expected);
    } else if (!pattern.matcher(value).matches()) {
      faults.add("--" + key + " is '" + value + "', expected " + expected);
    }
  }
}
