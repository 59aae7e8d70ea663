package io.tidemark.platform.alerting;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;

/**
 * An inhibition as people write it. Pure.
 *
 * @param source fits the incident that must be open
 * @param target fits incidents that nobody is told of meanwhile
 * @param equal labels of which both have the same value
 */
public record InhibitionDefinition(
    String name, List<IncidentMatcher> source, List<IncidentMatcher> target, List<String> equal) {

  private static final int LONGEST_NAME = 120;

  public InhibitionDefinition {
    source = List.copyOf(source);
    target = List.copyOf(target);
    equal = List.copyOf(equal);
  }

  /** One sentence a fault, naming the field. */
  List<String> faults() {
    List<String> faults = new ArrayList<>();
    if (name == null
        || name.isBlank()
        || name.length() > LONGEST_NAME
        || name.codePoints().anyMatch(Character::isISOControl)) {
      faults.add("name must be 1 to " + LONGEST_NAME + " characters.");
    }
    IncidentMatcher.check("source", source, faults);
    IncidentMatcher.check("target", target, faults);
    if (equal.size() > IncidentMatcher.MAX || new HashSet<>(equal).size() < equal.size()) {
      faults.add("equal must be at most " + IncidentMatcher.MAX + " different labels.");
    }
    equal.forEach(label -> IncidentMatcher.checkLabel("equal", label, faults));
    return faults;
  }

  /** Whether an open incident can inhibit it; one that both sides fit cannot be inhibited. */
  boolean isTarget(Incident incident) {
    return IncidentMatcher.allFit(target, incident) && !IncidentMatcher.allFit(source, incident);
  }

  boolean fitsSource(Incident open) {
    return IncidentMatcher.allFit(source, open);
  }

  /** Whether an incident that fits the source inhibits the target. */
  boolean hasEqualLabels(Incident open, Incident ofTarget) {
    return equal.stream()
        .allMatch(
            label ->
                IncidentMatcher.value(label, open).equals(IncidentMatcher.value(label, ofTarget)));
  }
}
