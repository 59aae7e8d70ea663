package io.tidemark.flink.usage;

import io.tidemark.flink.io.Brokers;
import io.tidemark.flink.io.ExactlyOnce;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;

/**
 * What differs between deployments of the job, given as {@code --key value} pairs. All but {@value
 * Brokers#CLIENT} are required. State backend and restarts are the cluster's configuration.
 *
 * @param brokers {@value #BOOTSTRAP_SERVERS}: Kafka, host:port, comma separated; and where clients
 *     have to say who they are, {@value Brokers#CLIENT}: a file
 * @param incrementsTopic {@value #INCREMENTS_TOPIC}: what the rollup job counted
 * @param usageTopic {@value #USAGE_TOPIC}: usage records
 * @param checkpointInterval {@value #CHECKPOINT_INTERVAL}: between checkpoints, and so between
 *     Kafka transactions
 * @param transactions {@value #TRANSACTIONAL_ID_PREFIX} and {@value #TRANSACTION_TIMEOUT} in
 *     milliseconds, at most the broker's transaction.max.timeout.ms
 */
public record UsageConfig(
    Brokers brokers,
    String incrementsTopic,
    String usageTopic,
    Duration checkpointInterval,
    ExactlyOnce transactions) {

  static final String BOOTSTRAP_SERVERS = "kafka.bootstrap.servers";
  static final String INCREMENTS_TOPIC = "increments.topic";
  static final String USAGE_TOPIC = "usage.topic";
  static final String CHECKPOINT_INTERVAL = "checkpoint.interval.ms";
  static final String TRANSACTIONAL_ID_PREFIX = "transactional-id-prefix";
  static final String TRANSACTION_TIMEOUT = "transaction.timeout.ms";

  /** What every argument looks like, and how that is told. */
  private record Form(Pattern pattern, String expected) {}

  private static final Map<String, Form> FORMS = forms();

  private static Map<String, Form> forms() {
    Form topic = new Form(Pattern.compile("[a-zA-Z0-9._-]{1,249}"), "a topic name");
    Form milliseconds = new Form(Pattern.compile("[1-9][0-9]{2,9}"), "milliseconds from 100");
    Map<String, Form> forms = new LinkedHashMap<>();
    forms.put(
        BOOTSTRAP_SERVERS,
        new Form(
            Pattern.compile("[^\\s,:]+:[0-9]{1,5}(,[^\\s,:]+:[0-9]{1,5})*"),
            "host:port, comma separated"));
    forms.put(INCREMENTS_TOPIC, topic);
    forms.put(USAGE_TOPIC, topic);
    forms.put(CHECKPOINT_INTERVAL, milliseconds);
    forms.put(
        TRANSACTIONAL_ID_PREFIX,
        new Form(
            Pattern.compile("[a-zA-Z0-9._-]{1,200}"), "letters, digits, dot, dash, underscore"));
    forms.put(TRANSACTION_TIMEOUT, milliseconds);
    forms.put(Brokers.CLIENT, new Form(Pattern.compile("/.+"), "the path of a file"));
    return forms;
  }

  /**
   * @throws IllegalArgumentException naming every fault of the arguments at once
   */
  public static UsageConfig parse(String... arguments) {
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
    if (!faults.isEmpty()) {
      throw new IllegalArgumentException(
          "The usage job cannot start:\n  - " + String.join("\n  - ", faults));
    }
    return new UsageConfig(
        Brokers.of(checked(values, BOOTSTRAP_SERVERS), values.getOrDefault(Brokers.CLIENT, "")),
        checked(values, INCREMENTS_TOPIC),
        checked(values, USAGE_TOPIC),
        milliseconds(checked(values, CHECKPOINT_INTERVAL)),
        new ExactlyOnce(
            checked(values, TRANSACTIONAL_ID_PREFIX),
            milliseconds(checked(values, TRANSACTION_TIMEOUT))));
  }

  /** What was found to be there when faults were collected. */
  private static String checked(Map<String, String> values, String key) {
    return Objects.requireNonNull(values.get(key), key);
  }

  private static Duration milliseconds(String value) {
    return Duration.ofMillis(Long.parseLong(value));
  }

  private static Map<String, String> pairs(String[] arguments, List<String> faults) {
    Map<String, String> values = new LinkedHashMap<>();
    for (int i = 0; i < arguments.length; i += 2) {
      String key = arguments[i].startsWith("--") ? arguments[i].substring(2) : "";
      if (!FORMS.containsKey(key)) {
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
