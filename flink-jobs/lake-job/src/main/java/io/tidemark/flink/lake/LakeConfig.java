package io.tidemark.flink.lake;

import io.tidemark.flink.io.Brokers;
import io.tidemark.flink.io.SourceCluster;
import io.tidemark.flink.lake.operator.LakeTable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;

/**
 * What differs between deployments of the job, given as {@code --key value} pairs. All but {@value
 * Brokers#CLIENT} and the source are required. State backend and restarts are the cluster's
 * configuration.
 *
 * @param brokers {@value #BOOTSTRAP_SERVERS}: Kafka, host:port, comma separated; and where clients
 *     have to say who they are, {@value Brokers#CLIENT}: a file
 * @param source where points, control records and orders of removals are read, if not there: of a
 *     second region
 * @param pointsTopic {@value #POINTS_TOPIC}: accepted batches
 * @param tenantsTopic {@value #TENANTS_TOPIC}: control records of tenants
 * @param minuteTopic {@value #MINUTE_TOPIC}: one-minute rows
 * @param splitMinuteTopic {@value #SPLIT_MINUTE_TOPIC}: one-minute rows of split metrics at full
 *     detail
 * @param hourTopic {@value #HOUR_TOPIC}: one-hour rows
 * @param dayTopic {@value #DAY_TOPIC}: one-day rows
 * @param removalsTopic {@value #REMOVALS_TOPIC}: rows that are to be removed
 * @param removalReportsTopic {@value #REMOVAL_REPORTS_TOPIC}: what was removed
 * @param catalogUri {@value #CATALOG_URI}: as {@link LakeCatalog#open} takes it
 * @param catalogUser {@value #CATALOG_USER}
 * @param warehouse {@value #WAREHOUSE}: file: or s3: URI
 * @param namespace {@value #NAMESPACE} of the tables
 * @param commitInterval {@value #COMMIT_INTERVAL}: between checkpoints, and so between snapshots
 * @param upkeepInterval {@value #UPKEEP_INTERVAL}: between looks at the small files of a table
 * @param keepSnapshots {@value #KEEP_SNAPSHOTS}: how long an old snapshot can be read
 * @param orphanAge {@value #ORPHAN_AGE}: files of no snapshot are removed when they are older;
 *     longer than the longest stop of the job
 */
record LakeConfig(
    Brokers brokers,
    SourceCluster source,
    String pointsTopic,
    String tenantsTopic,
    String minuteTopic,
    String splitMinuteTopic,
    String hourTopic,
    String dayTopic,
    String removalsTopic,
    String removalReportsTopic,
    String catalogUri,
    String catalogUser,
    String warehouse,
    String namespace,
    Duration commitInterval,
    Duration upkeepInterval,
    Duration keepSnapshots,
    Duration orphanAge) {

  static final String BOOTSTRAP_SERVERS = "kafka.bootstrap.servers";
  static final String POINTS_TOPIC = "points.topic";
  static final String TENANTS_TOPIC = "tenants.topic";
  static final String MINUTE_TOPIC = "rollup-1m.topic";
  static final String SPLIT_MINUTE_TOPIC = "rollup-1m-hc.topic";
  static final String HOUR_TOPIC = "rollup-1h.topic";
  static final String DAY_TOPIC = "rollup-1d.topic";
  static final String REMOVALS_TOPIC = "removals.topic";
  static final String REMOVAL_REPORTS_TOPIC = "removal-reports.topic";
  static final String CATALOG_URI = "catalog.uri";
  static final String CATALOG_USER = "catalog.user";
  static final String WAREHOUSE = "warehouse";
  static final String NAMESPACE = "namespace";
  static final String COMMIT_INTERVAL = "commit.interval.ms";
  static final String UPKEEP_INTERVAL = "upkeep.interval.ms";
  static final String KEEP_SNAPSHOTS = "snapshots.keep.ms";
  static final String ORPHAN_AGE = "orphans.keep.ms";

  private static final Pattern SERVERS =
      Pattern.compile("[^\\s,:]+:[0-9]{1,5}(,[^\\s,:]+:[0-9]{1,5})*");
  private static final Pattern TOPIC = Pattern.compile("[a-zA-Z0-9._-]{1,249}");
  private static final Pattern NAME = Pattern.compile("[a-zA-Z0-9_]{1,63}");

  /** What every argument looks like, and how that is told. */
  private record Form(Pattern pattern, String expected) {}

  private static final Map<String, Form> FORMS = forms();

  private static Map<String, Form> forms() {
    Form topic = new Form(TOPIC, "a topic name");
    Map<String, Form> forms = new LinkedHashMap<>();
    forms.put(BOOTSTRAP_SERVERS, new Form(SERVERS, "host:port, comma separated"));
    forms.put(POINTS_TOPIC, topic);
    forms.put(TENANTS_TOPIC, topic);
    forms.put(MINUTE_TOPIC, topic);
    forms.put(SPLIT_MINUTE_TOPIC, topic);
    forms.put(HOUR_TOPIC, topic);
    forms.put(DAY_TOPIC, topic);
    forms.put(REMOVALS_TOPIC, topic);
    forms.put(REMOVAL_REPORTS_TOPIC, topic);
    forms.put(CATALOG_URI, new Form(LakeCatalog.URI, LakeCatalog.EXPECTED));
    forms.put(CATALOG_USER, new Form(Pattern.compile(".+"), "a user of the catalog's database"));
    forms.put(WAREHOUSE, new Form(WarehouseFiles.WAREHOUSE, WarehouseFiles.EXPECTED));
    forms.put(NAMESPACE, new Form(NAME, "a namespace of the catalog"));
    Form milliseconds = new Form(Pattern.compile("[1-9][0-9]{2,10}"), "milliseconds from 100");
    forms.put(COMMIT_INTERVAL, milliseconds);
    forms.put(UPKEEP_INTERVAL, milliseconds);
    forms.put(KEEP_SNAPSHOTS, milliseconds);
    forms.put(ORPHAN_AGE, milliseconds);
    forms.put(Brokers.CLIENT, new Form(Pattern.compile("/.+"), "the path of a file"));
    return forms;
  }

  /**
   * @throws IllegalArgumentException naming every fault of the arguments at once
   */
  static LakeConfig parse(String... arguments) {
    List<String> faults = new ArrayList<>();
    Map<String, String> values = pairs(arguments, faults);
    FORMS.forEach(
        (key, form) -> {
          String value = values.get(key);
          if (value == null && key.equals(Brokers.CLIENT)) {
            return;
          }
          if (value == null) {
            faults.add("--" + key + " is missing: " + form.expected());
          } else if (!form.pattern().matcher(value).matches()) {
            faults.add("--" + key + " is '" + value + "', expected " + form.expected());
          }
        });
    SourceCluster.check(values, faults);
    if (!faults.isEmpty()) {
      throw new IllegalArgumentException(
          "The lake job cannot start:\n  - " + String.join("\n  - ", faults));
    }
    Brokers brokers =
        Brokers.of(checked(values, BOOTSTRAP_SERVERS), values.getOrDefault(Brokers.CLIENT, ""));
    return new LakeConfig(
        brokers,
        SourceCluster.of(values, brokers, LakeJob.CONSUMER_GROUP),
        checked(values, POINTS_TOPIC),
        checked(values, TENANTS_TOPIC),
        checked(values, MINUTE_TOPIC),
        checked(values, SPLIT_MINUTE_TOPIC),
        checked(values, HOUR_TOPIC),
        checked(values, DAY_TOPIC),
        checked(values, REMOVALS_TOPIC),
        checked(values, REMOVAL_REPORTS_TOPIC),
        checked(values, CATALOG_URI),
        checked(values, CATALOG_USER),
        checked(values, WAREHOUSE),
        checked(values, NAMESPACE),
        milliseconds(values, COMMIT_INTERVAL),
        milliseconds(values, UPKEEP_INTERVAL),
        milliseconds(values, KEEP_SNAPSHOTS),
        milliseconds(values, ORPHAN_AGE));
  }

  /** What was found to be there when faults were collected. */
  private static String checked(Map<String, String> values, String key) {
    return Objects.requireNonNull(values.get(key), key);
  }

  private static Duration milliseconds(Map<String, String> values, String key) {
    return Duration.ofMillis(Long.parseLong(values.get(key)));
  }

  LakeTable table(String name) {
    return new CatalogTable(catalogUri, catalogUser, warehouse, namespace, name);
  }

  private static Map<String, String> pairs(String[] arguments, List<String> faults) {
    Map<String, String> values = new LinkedHashMap<>();
    for (int i = 0; i < arguments.length; i += 2) {
      String key = arguments[i].startsWith("--") ? arguments[i].substring(2) : "";
      if (!FORMS.containsKey(key) && !SourceCluster.KEYS.contains(key)) {
        faults.add(
            "'"
                + arguments[i]
                + "' is not known; known are --"
                + String.join(", --", FORMS.keySet()));
      } else if (i + 1 == arguments.length) {
        faults.add("--" + key + " has no value");
      } else if (values.put(key, arguments[i + 1]) != null) {
        faults.add("--" + key + " is given twice");
      }
    }
    return values;
  }
}
