package io.tidemark.platform.shared;

import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/** What a process of platform-api does; one process may do everything. */
public enum ProcessRole {
  /** Takes points: OTLP, remote write, the Kafka door. */
  INGEST,
  /** Answers questions about points: Metrics API, PromQL. */
  QUERY,
  /** Control and billing API, console, and the work behind them. */
  CONTROL,
  /** Turns alerts into incidents and brings messages to people. */
  NOTIFY;

  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * Roles of a list with commas; all of them where it is empty. Words that are none are left out.
   */
  public static Set<ProcessRole> named(String list) {
    if (list == null || list.isBlank()) {
      return Collections.unmodifiableSet(EnumSet.allOf(ProcessRole.class));
    }
    Set<ProcessRole> named = EnumSet.noneOf(ProcessRole.class);
    for (String word : list.split(",")) {
      for (ProcessRole role : values()) {
        if (role.word().equals(word.strip())) {
          named.add(role);
        }
      }
    }
    return Collections.unmodifiableSet(named);
  }

  static String words() {
    return Arrays.stream(values()).map(ProcessRole::word).collect(Collectors.joining(", "));
  }
}
