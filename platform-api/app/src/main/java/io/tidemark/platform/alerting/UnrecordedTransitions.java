package io.tidemark.platform.alerting;

import io.tidemark.platform.alerting.GroupChanges.Group;
import io.tidemark.platform.shared.TenantId;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Transitions that could not be recorded, and the groups whose later transitions wait for them.
 * Pure; used by one thread.
 *
 * <p>A transition is tried in up to {@link #MAX_ATTEMPTS} polls. Then it is given up, so that it
 * keeps no other from being recorded.
 */
final class UnrecordedTransitions {

  static final int MAX_ATTEMPTS = 5;

  private record TenantGroup(TenantId organization, Group group) {

    static TenantGroup of(AlertTransition transition) {
      return new TenantGroup(transition.organization(), Group.of(transition));
    }
  }

  private Map<String, Integer> before = Map.of();
  private final Map<String, Integer> attempts = new HashMap<>();
  private final Set<TenantGroup> waiting = new HashSet<>();

  /** Begins a poll: no group waits. Transitions that failed in the poll before are remembered. */
  void begin() {
    before = Map.copyOf(attempts);
    attempts.clear();
    waiting.clear();
  }

  /** Those that wait for no other. */
  List<AlertTransition> ready(List<AlertTransition> transitions) {
    return transitions.stream()
        .filter(transition -> !waiting.contains(TenantGroup.of(transition)))
        .toList();
  }

  /** Counts a failure; true when the transition is given up, else its group waits. */
  boolean isGivenUpAfter(AlertTransition failed) {
    String id = failed.organization() + "/" + failed.id();
    int made = before.getOrDefault(id, 0) + 1;
    if (made >= MAX_ATTEMPTS) {
      return true;
    }
    attempts.put(id, made);
    waiting.add(TenantGroup.of(failed));
    return false;
  }

  /** How many of this poll failed and have to be read again. */
  int count() {
    return attempts.size();
  }
}
