package io.tidemark.platform.notification;

import io.tidemark.platform.alerting.Incident;
import io.tidemark.platform.alerting.IncidentMatcher;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Which transitions of an integration share a message. Pure.
 *
 * @param by labels of incidents that must be the same; rule_id when empty
 * @param waitSeconds how long the first transition of a message waits for others; null as shipped
 * @param maxTransitions of one message, 1 for each by itself; null as shipped
 */
public record MessageGrouping(
    List<String> by, @Nullable Integer waitSeconds, @Nullable Integer maxTransitions) {

  private static final int SHIPPED_WAIT = 5;
  private static final int SHIPPED_TRANSITIONS = 50;
  private static final int MAX_WAIT = 300;
  private static final int MAX_TRANSITIONS = 100;
  private static final int MAX_LABELS = 16;
  private static final int LONGEST_NAME = 200;
  private static final String RULE = "rule_id";

  /** People read these. */
  private static final Set<String> GROUPED = Set.of("slack", "teams", "email");

  /** These group what they are told themselves, by incident. */
  private static final Set<String> NEVER_GROUPED = Set.of("health_plus", "pagerduty", "opsgenie");

  private static final MessageGrouping AS_SHIPPED = new MessageGrouping(List.of(), null, null);
  private static final MessageGrouping OFF = new MessageGrouping(List.of(), null, 1);

  public MessageGrouping {
    by = List.copyOf(by);
  }

  /** What an integration does that says nothing of it. */
  static MessageGrouping shipped(@Nullable String kind) {
    return kind != null && GROUPED.contains(kind) ? AS_SHIPPED : OFF;
  }

  /** One sentence a fault, naming the field. */
  void check(@Nullable String kind, List<String> faults) {
    if (kind != null && NEVER_GROUPED.contains(kind)) {
      faults.add(
          "group_messages must be absent for "
              + kind
              + ": it is told of each transition, and groups them itself.");
    }
    if (by.size() > MAX_LABELS || new HashSet<>(by).size() < by.size()) {
      faults.add("group_messages.by must be at most " + MAX_LABELS + " different labels.");
    }
    by.forEach(label -> IncidentMatcher.checkLabel("group_messages.by", label, faults));
    if (waitSeconds != null && (waitSeconds < 0 || waitSeconds > MAX_WAIT)) {
      faults.add("group_messages.wait_seconds must be 0 to " + MAX_WAIT + ".");
    }
    if (maxTransitions != null && (maxTransitions < 1 || maxTransitions > MAX_TRANSITIONS)) {
      faults.add("group_messages.max_transitions must be 1 to " + MAX_TRANSITIONS + ".");
    }
  }

  /** Whether each transition goes by itself. */
  boolean isOff() {
    return most() == 1;
  }

  /** The most transitions of a message. */
  int most() {
    return Objects.requireNonNullElse(maxTransitions, SHIPPED_TRANSITIONS);
  }

  /** How long the first transition of a message waits for others. */
  Duration patience() {
    return Duration.ofSeconds(Objects.requireNonNullElse(waitSeconds, SHIPPED_WAIT));
  }

  private List<String> labels() {
    return by.isEmpty() ? List.of(RULE) : by;
  }

  /** The same for incidents whose transitions share messages. */
  String key(Incident incident) {
    return labels().stream()
        .map(label -> label + "\u0001" + IncidentMatcher.value(label, incident))
        .collect(Collectors.joining("\u0002"));
  }

  /** What such incidents have in common, as people call it. */
  String name(Incident incident) {
    String name =
        labels().stream()
            .map(
                label ->
                    label.equals(RULE)
                        ? incident.ruleName()
                        : label + "=" + IncidentMatcher.value(label, incident))
            .collect(Collectors.joining(", "));
    return name.length() <= LONGEST_NAME ? name : name.substring(0, LONGEST_NAME);
  }
}
