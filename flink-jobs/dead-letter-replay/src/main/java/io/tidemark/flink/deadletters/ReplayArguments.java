package io.tidemark.flink.deadletters;

import io.tidemark.contracts.deadletter.replay.Selection;
import io.tidemark.contracts.deadletter.v1.Reason;
import io.tidemark.flink.io.Brokers;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * The command's {@code --key value} pairs. Selections that are absent or empty select all.
 *
 * @param brokers {@code --kafka.bootstrap.servers}, and {@code --kafka.client}: a file with what is
 *     shown to them
 * @param deadLettersTopic {@code --dead-letters.topic}
 * @param pointsTopic {@code --points.topic}
 * @param replaysTopic {@code --replays.topic}
 * @param selection {@code --organization}, {@code --reason}, {@code --from}, {@code --to}
 * @param isExecuted {@code --execute 1}; otherwise only counts
 */
record ReplayArguments(
    Brokers brokers,
    String deadLettersTopic,
    String pointsTopic,
    String replaysTopic,
    Selection selection,
    boolean isExecuted) {

  private static final List<String> REQUIRED =
      List.of("kafka.bootstrap.servers", "dead-letters.topic", "points.topic", "replays.topic");
  private static final List<String> OPTIONAL =
      List.of("organization", "reason", "from", "to", "execute", Brokers.CLIENT);

  /**
   * @throws IllegalArgumentException naming every fault at once
   */
  static ReplayArguments parse(String... arguments) {
    List<String> faults = new ArrayList<>();
    Map<String, String> values = new HashMap<>();
    for (int i = 0; i < arguments.length; i += 2) {
      String key = arguments[i].startsWith("--") ? arguments[i].substring(2) : "";
      if (!REQUIRED.contains(key) && !OPTIONAL.contains(key)) {
        faults.add("'" + arguments[i] + "' is not known");
      } else if (i + 1 == arguments.length) {
        faults.add("--" + key + " has no value");
      } else {
        values.put(key, arguments[i + 1]);
      }
    }
    for (String key : REQUIRED) {
      if (values.getOrDefault(key, "").isEmpty()) {
        faults.add("--" + key + " is missing");
      }
    }
    Set<Reason> reasons = reasons(values.getOrDefault("reason", ""), faults);
    long from = time("from", values, Long.MIN_VALUE, faults);
    long to = time("to", values, Long.MAX_VALUE, faults);
    if (!faults.isEmpty()) {
      throw new IllegalArgumentException(
          "Nothing was replayed:\n  - " + String.join("\n  - ", faults));
    }
    return new ReplayArguments(
        Brokers.of(
            checked(values, "kafka.bootstrap.servers"), values.getOrDefault(Brokers.CLIENT, "")),
        checked(values, "dead-letters.topic"),
        checked(values, "points.topic"),
        checked(values, "replays.topic"),
        new Selection(values.getOrDefault("organization", ""), "", reasons, from, to),
        values.getOrDefault("execute", "").equals("1"));
  }

  /** What was found to be there when faults were collected. */
  private static String checked(Map<String, String> values, String key) {
    return Objects.requireNonNull(values.get(key), key);
  }

  private static Set<Reason> reasons(String list, List<String> faults) {
    Set<Reason> reasons = EnumSet.noneOf(Reason.class);
    for (String name : list.isEmpty() ? new String[0] : list.split(",", -1)) {
      try {
        reasons.add(Reason.valueOf("REASON_" + name.trim()));
      } catch (IllegalArgumentException e) {
        faults.add("'" + name + "' is no reason; see vocabulary/rejection-reasons.yaml");
      }
    }
    return reasons;
  }

  private static long time(
      String key, Map<String, String> values, long absent, List<String> faults) {
    String text = values.getOrDefault(key, "");
    if (text.isEmpty()) {
      return absent;
    }
    try {
      return Instant.parse(text).toEpochMilli();
    } catch (DateTimeParseException e) {
      faults.add("--" + key + " is '" + text + "', expected a time like 2026-03-01T00:00:00Z");
      return absent;
    }
  }
}
