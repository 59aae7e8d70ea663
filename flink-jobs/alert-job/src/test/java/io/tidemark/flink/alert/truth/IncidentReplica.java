package io.tidemark.flink.alert.truth;

import static io.tidemark.flink.alert.TestAlerts.BEGINNING;
import static io.tidemark.flink.alert.TestAlerts.MINUTE;

import io.tidemark.flink.alert.truth.GroupTruth.Incident;
import io.tidemark.flink.model.alert.AlertTransition;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Incidents as a reader of transitions has them. What a reader could not apply is a fault. */
final class IncidentReplica {

  private final Map<String, Map<String, Incident>> byGroup = new HashMap<>();
  private final Set<String> identifiers = new HashSet<>();
  private final Map<String, Long> sequences = new HashMap<>();
  private final List<String> faults = new ArrayList<>();

  void apply(AlertTransition told, String group) {
    if (!identifiers.add(told.transitionId())) {
      faults.add("Told twice: " + told);
    }
    long expected = sequences.merge(group, 1L, Long::sum);
    if (told.sequence() != expected) {
      faults.add("Sequence is not " + expected + ": " + told);
    }
    Map<String, Incident> incidents = byGroup.computeIfAbsent(group, ignored -> new HashMap<>());
    Incident known = incidents.get(told.incidentId());
    Incident now =
        new Incident(
            minute(told.since()), told.until() == 0 ? GroupTruth.OPEN : minute(told.until()));
    switch (told.kind()) {
      case FIRED -> {
        if (known != null) {
          faults.add("Fired twice: " + told);
        }
        incidents.put(told.incidentId(), now);
      }
      case RESOLVED, CORRECTED -> {
        if (known == null) {
          faults.add("Never fired: " + told);
        }
        incidents.put(told.incidentId(), now);
      }
      case RETRACTED -> {
        if (incidents.remove(told.incidentId()) == null) {
          faults.add("Never fired: " + told);
        }
      }
      case CHANGED -> {
        // No incident's.
      }
    }
  }

  private static int minute(long time) {
    return (int) ((time - BEGINNING) / MINUTE);
  }

  List<String> faults() {
    return faults;
  }

  int identifiers() {
    return identifiers.size();
  }

  List<Incident> of(String group) {
    return byGroup.getOrDefault(group, Map.of()).values().stream()
        .sorted(Comparator.comparingInt(Incident::start))
        .toList();
  }
}
