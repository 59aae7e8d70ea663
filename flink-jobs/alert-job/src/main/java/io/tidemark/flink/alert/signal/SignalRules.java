package io.tidemark.flink.alert.signal;

import io.tidemark.flink.alert.match.SignalMinute;
import io.tidemark.flink.model.alert.AlertRule;
import io.tidemark.flink.model.alert.RuleVersions;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Rules by the signals that they look at. */
public final class SignalRules {

  private final Map<String, RuleVersions> rules = new HashMap<>();
  private final Map<String, Set<String>> bySignal = new HashMap<>();
  private long changes;

  /** Puts a rule in the place of what it was. */
  public void put(String key, RuleVersions versions) {
    remove(key);
    rules.put(key, versions);
    changes++;
    add(key, versions.latest(), versions.latestSignal());
    AlertRule previous = versions.previous();
    if (previous != null) {
      add(key, previous, versions.previousSignal());
    }
  }

  private void add(String key, AlertRule rule, String identity) {
    bySignal.computeIfAbsent(signal(rule, identity), ignored -> new LinkedHashSet<>()).add(key);
  }

  private static String signal(AlertRule rule, String identity) {
    return SignalMinute.key(rule.organizationId(), rule.environmentId(), identity);
  }

  public void remove(String key) {
    RuleVersions before = rules.remove(key);
    if (before != null) {
      changes++;
      remove(key, signal(before.latest(), before.latestSignal()));
      AlertRule previous = before.previous();
      if (previous != null) {
        remove(key, signal(previous, before.previousSignal()));
      }
    }
  }

  private void remove(String key, String signal) {
    Set<String> looking = bySignal.get(signal);
    if (looking != null && looking.remove(key) && looking.isEmpty()) {
      bySignal.remove(signal);
    }
  }

  /** How often a rule became another; who has seen as many has nothing to do. */
  long changes() {
    return changes;
  }

  @Nullable RuleVersions rule(String key) {
    return rules.get(key);
  }

  /** Keys of the rules of which a version looks at a signal. */
  public Collection<String> of(String signal) {
    return bySignal.getOrDefault(signal, Set.of());
  }
}
