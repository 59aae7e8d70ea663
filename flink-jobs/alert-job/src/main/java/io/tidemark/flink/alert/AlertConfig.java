package io.tidemark.flink.alert;

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
 * @param rulesTopic {@value #RULES_TOPIC}: control records of alert rules
 * @param minuteTopic {@value #MINUTE_TOPIC}: one-minute rows
 * @param splitMinuteTopic {@value #SPLIT_MINUTE_TOPIC}: one-minute rows of split metrics at full
 *     detail
 * @param liveTopic {@value #LIVE_TOPIC}: minutes that are not complete yet
 * @param watermarksTopic {@value #WATERMARKS_TOPIC}: how far rows are complete
 * @param transitionsTopic {@value #TRANSITIONS_TOPIC}: what became of alerts
 * @param evaluationsTopic {@value #EVALUATIONS_TOPIC}: how far rules are decided
 * @param usageTopic {@value #USAGE_TOPIC}: usage records, of evaluations
 * @param checkpointInterval {@value #CHECKPOINT_INTERVAL}: how long a transition waits to be seen
 * @param transactionalIdPrefix {@value #TRANSACTIONAL_ID_PREFIX}: unique in the Kafka cluster
 * @param transactionTimeout {@value #TRANSACTION_TIMEOUT}: longer than any outage to survive
 */
record AlertConfig(
    Brokers brokers,
    String rulesTopic,
    String minuteTopic,
    String splitMinuteTopic,
    String liveTopic,
    String watermarksTopic,
    String transitionsTopic,
    String evaluationsTopic,
    String usageTopic,
    Duration checkpointInterval,
    String transactionalIdPrefix,
    Duration transactionTimeout) {

  static final String BOOTSTRAP_SERVERS = "kafka.bootstrap.servers";
  static final String RULES_TOPIC = "rules.topic";
  static final String MINUTE_TOPIC = "rollup-1m.topic";
  static final String SPLIT_MINUTE_TOPIC = "rollup-1m-hc.topic";
  static final String LIVE_TOPIC = "live.topic";
  static final String WATERMARKS_TOPIC = "watermarks.topic";
  static final String TRANSITIONS_TOPIC = "transitions.topic";
  static final String EVALUATIONS_TOPIC = "evaluations.topic";
  static final String USAGE_TOPIC = "usage.topic";
  static final String CHECKPOINT_INTERVAL = "checkpoint.interval.ms";
  static final String TRANSACTIONAL_ID_PREFIX = "transactional-id-prefix";
  static final String TRANSACTION_TIMEOUT = "transaction.timeout.ms";

  private static final Pattern SERVERS =
      Pattern.compile("[^\\s,:]+:[0-9]{1,5}(,[^\\s,:]+:[0-9]{1,5})*");
  private static final Pattern TOPIC = Pattern.compile("[a-zA-Z0-9._-]{1,249}");

  /** What every argument looks like, and how that is told. */
  private record Form(Pattern pattern, String expected) {}

  private static final Map<String, Form> FORMS = forms();

  private static Map<String, Form> forms() {
    Form topic = new Form(TOPIC, "a topic name");
    Form milliseconds = new Form(Pattern.compile("[1-9][0-9]{2,10}"), "milliseconds from 100");
    Map<String, Form> forms = new LinkedHashMap<>();
    forms.put(BOOTSTRAP_SERVERS, new Form(SERVERS, "host:port, comma separated"));
    forms.put(RULES_TOPIC, topic);
    forms.put(MINUTE_TOPIC, topic);
    forms.put(SPLIT_MINUTE_TOPIC, topic);
    forms.put(LIVE_TOPIC, topic);
    forms.put(WATERMARKS_TOPIC, topic);
    forms.put(TRANSITIONS_TOPIC, topic);
    forms.put(EVALUATIONS_TOPIC, topic);
    forms.put(USAGE_TOPIC, topic);
    forms.put(CHECKPOINT_INTERVAL, milliseconds);
    forms.put(TRANSACTIONAL_ID_PREFIX, topic);
    forms.put(TRANSACTION_TIMEOUT, milliseconds);
    forms.put(Brokers.CLIENT, new Form(Pattern.compile("/.+"), "the path of a file"));
    return forms;
  }

  /**
   * @throws IllegalArgumentException naming every fault of the arguments at once
   */
  static AlertConfig parse(String... arguments) {
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
          "The alert job cannot start:\n  - " + String.join("\n  - ", faults));
    }
    return new AlertConfig(
        Brokers.of(checked(values, BOOTSTRAP_SERVERS), values.getOrDefault(Brokers.CLIENT, "")),
        checked(values, RULES_TOPIC),
        checked(values, MINUTE_TOPIC),
        checked(values, SPLIT_MINUTE_TOPIC),
        checked(values, LIVE_TOPIC),
        checked(values, WATERMARKS_TOPIC),
        checked(values, TRANSITIONS_TOPIC),
        checked(values, EVALUATIONS_TOPIC),
        checked(values, USAGE_TOPIC),
        milliseconds(values, CHECKPOINT_INTERVAL),
        checked(values, TRANSACTIONAL_ID_PREFIX),
        milliseconds(values, TRANSACTION_TIMEOUT));
  }

  /** What was found to be there when faults were collected. */
  private static String checked(Map<String, String> values, String key) {
    return Objects.requireNonNull(values.get(key), key);
  }

  ExactlyOnce transactions() {
    return new ExactlyOnce(transactionalIdPrefix, transactionTimeout);
  }

  private static Duration milliseconds(Map<String, String> values, String key) {
    return Duration.ofMillis(Long.parseLong(values.get(key)));
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
