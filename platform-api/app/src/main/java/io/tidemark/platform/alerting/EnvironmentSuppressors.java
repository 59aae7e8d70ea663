package io.tidemark.platform.alerting;

import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Silences and inhibitions of an environment at one moment, and its open incidents as a batch
 * changes them. Pure; used by one thread.
 */
final class EnvironmentSuppressors {

  private final List<Silence> active;
  private final List<Inhibition> inhibitions;
  private final Supplier<List<Incident>> stored;

  /** Incidents that inhibit, by inhibition and identifier; once a target was asked for. */
  private final Map<String, Map<String, Incident>> sources = new HashMap<>();

  /** Incidents as the batch left them, by identifier. */
  private final Map<String, Incident> changed = new HashMap<>();

  private @Nullable List<Incident> open;

  /**
   * @param silences of the environment, oldest first
   * @param inhibitions of the environment, in their order
   * @param stored open incidents of the environment; read once, when an inhibition needs them
   */
  EnvironmentSuppressors(
      List<Silence> silences,
      List<Inhibition> inhibitions,
      Supplier<List<Incident>> stored,
      Instant now) {
    this.active = silences.stream().filter(silence -> silence.definition().isActive(now)).toList();
    this.inhibitions = List.copyOf(inhibitions);
    this.stored = stored;
  }

  /** The silence or inhibition that suppresses the incident; silences first. */
  Optional<String> of(Incident incident) {
    return active.stream()
        .filter(silence -> silence.definition().fits(incident))
        .map(Silence::id)
        .findFirst()
        .or(() -> inhibition(incident));
  }

  /** The incident is like this from now on. */
  void put(Incident incident) {
    changed.put(incident.id(), incident);
    inhibitions.stream()
        .filter(inhibition -> sources.containsKey(inhibition.id()))
        .forEach(
            inhibition ->
                put(inhibition, Objects.requireNonNull(sources.get(inhibition.id())), incident));
  }

  private Optional<String> inhibition(Incident target) {
    return inhibitions.stream()
        .filter(inhibition -> inhibition.definition().isTarget(target))
        .filter(inhibition -> hasSource(inhibition, target))
        .map(Inhibition::id)
        .findFirst();
  }

  private boolean hasSource(Inhibition inhibition, Incident target) {
    return sources.computeIfAbsent(inhibition.id(), key -> sources(inhibition)).values().stream()
        .anyMatch(
            source ->
                !source.id().equals(target.id())
                    && inhibition.definition().hasEqualLabels(source, target));
  }

  private Map<String, Incident> sources(Inhibition inhibition) {
    if (open == null) {
      open = stored.get();
    }
    Map<String, Incident> incidents = new HashMap<>();
    open.forEach(incident -> put(inhibition, incidents, incident));
    changed.values().forEach(incident -> put(inhibition, incidents, incident));
    return incidents;
  }

  private static void put(
      Inhibition inhibition, Map<String, Incident> incidents, Incident incident) {
    if (incident.isOpen() && inhibition.definition().fitsSource(incident)) {
      incidents.put(incident.id(), incident);
    } else {
      incidents.remove(incident.id());
    }
  }
}
