package io.tidemark.pipeline.alerts;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.pipeline.alerts.AlertFaultRule.Comparison;
import io.tidemark.pipeline.alerts.AlertStream.Point;
import io.tidemark.pipeline.alerts.AlertStream.Wave;
import io.tidemark.pipeline.alerts.AlertTruth.Incident;
import io.tidemark.pipeline.alerts.TransitionRecord.Kind;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Compares what was told of alerts with a computation from the acknowledged points: the topic of
 * transitions, and incidents as the control API has them.
 */
final class AlertVerdict {
  /** So many minutes later every difference that late points make has shown itself. */
  private static final long SHOWN_AFTER = 30;

  /**
   * A rule of the run.
   *
   * @param comparisons in the order in which they are in force
   */
  public record RuleInForce(AlertFaultRule rule, String id, List<Comparison> comparisons) {}

  /**
   * An incident as it was told.
   *
   * @param early an open minute raised it and no complete one has confirmed it
   */
  private record ReportedIncident(Incident incident, boolean early) {}

  private final long begin;
  private final long horizon;
  private final List<Point> inTime;
  private final List<Wave> waves;
  private final List<String> missed = new ArrayList<>();
  private final List<String> doubled = new ArrayList<>();
  private final List<String> flaps = new ArrayList<>();
  private final List<String> revisions = new ArrayList<>();
  private int groups;
  private int incidents;
  private int revised;
  private int hadTo;
  private int early;

  /**
   * @param begin the first minute with points
   * @param horizon minutes before it are decided
   * @param waves points that were not in time, in their order
   */
  AlertVerdict(long begin, long horizon, List<Point> inTime, List<Wave> waves) {
    this.begin = begin;
    this.horizon = horizon;
    this.inTime = inTime;
    this.waves = waves;
  }

  List<String> missed() {
    return missed;
  }

  List<String> doubled() {
    return doubled;
  }

  List<String> flaps() {
    return flaps;
  }

  /** Corrected or retracted where nothing was another, or not where something was. */
  List<String> revisions() {
    return revisions;
  }

  int groups() {
    return groups;
  }

  /** That are true. */
  int incidents() {
    return incidents;
  }

  /** Groups that were revised. */
  int revised() {
    return revised;
  }

  /** Groups that had to be, whenever their late points were read. */
  int hadTo() {
    return hadTo;
  }

  /** Incidents that an open minute raised. */
  int early() {
    return early;
  }

  /** Transitions have identifiers of their own, and count up without a gap. */
  void compareSequences(List<TransitionRecord> all) {
    Set<String> identifiers = new HashSet<>();
    Map<String, Long> last = new HashMap<>();
    for (TransitionRecord told : all) {
      if (!identifiers.add(told.id())) {
        doubled.add("the topic has one identifier twice: " + told);
      }
      if (told.early()) {
        early += told.kind() == Kind.FIRED ? 1 : 0;
        continue;
      }
      long before = last.getOrDefault(told.groupId(), 0L);
      if (told.sequence() <= before) {
        doubled.add("the sequence was at " + before + " already: " + told);
      } else if (told.sequence() > before + 1) {
        missed.add("the sequence was at " + before + ": " + told);
      }
      last.put(told.groupId(), Math.max(before, told.sequence()));
    }
  }

  /**
   * Compares all groups of a rule.
   *
   * @param transitions of the rule
   * @param exported incidents of the rule, as the control API has them
   */
  public void compare(RuleInForce of, List<TransitionRecord> transitions, List<JsonNode> exported) {
    Map<String, List<TransitionRecord>> told = new TreeMap<>();
    for (TransitionRecord transition : transitions) {
      told.computeIfAbsent(group(transition.group()), ignored -> new ArrayList<>()).add(transition);
    }
    Map<String, List<ReportedIncident>> stored = new HashMap<>();
    for (JsonNode incident : exported) {
      if (!incident.path("state").asText().equals("retracted")) {
        Map<String, String> labels = new HashMap<>();
        incident
            .path("group")
            .properties()
            .forEach(label -> labels.put(label.getKey(), label.getValue().asText()));
        stored.computeIfAbsent(group(labels), ignored -> new ArrayList<>()).add(told(incident));
      }
      compareTimeline(of, incident, transitions);
    }
    Set<String> all = new HashSet<>();
    for (Point point : inTime) {
      String group = group(of, point);
      if (group != null) {
        all.add(group);
      }
    }
    all.addAll(told.keySet());
    for (String group : all) {
      groups++;
      compareGroup(
          of, group, told.getOrDefault(group, List.of()), stored.getOrDefault(group, List.of()));
    }
  }

  private static String group(Map<String, String> labels) {
    return labels.getOrDefault("metric.queue", "") + "/" + labels.getOrDefault("metric.zone", "");
  }

  /** Null for a point that the rule does not look at. */
  private static String group(RuleInForce of, Point point) {
    boolean isLookedAt =
        point.metric().equals(of.rule().metric()) || point.metric().equals(of.rule().below());
    return isLookedAt ? of.rule().group(point.queue(), point.zone()) : null;
  }

  private static ReportedIncident told(JsonNode incident) {
    Instant end =
        incident.hasNonNull("ended_at") ? Instant.parse(incident.path("ended_at").asText()) : null;
    return new ReportedIncident(
        new Incident(
            minute(Instant.parse(incident.path("started_at").asText())),
            end == null ? AlertTruth.OPEN : minute(end)),
        incident.path("early").asBoolean());
  }

  private static long minute(Instant time) {
    return Math.floorDiv(time.getEpochSecond(), AlertStream.MINUTE_SECONDS);
  }

  /** What is written down of an incident is what the topic tells of it, each once. */
  private void compareTimeline(
      RuleInForce of, JsonNode incident, List<TransitionRecord> transitions) {
    String id = incident.path("id").asText();
    List<String> written = new ArrayList<>();
    for (JsonNode event : incident.path("timeline")) {
      if (event.hasNonNull("transition_id")) {
        written.add(event.path("transition_id").asText());
      }
    }
    Set<String> distinct = new HashSet<>(written);
    if (distinct.size() < written.size()) {
      doubled.add(named(of) + ": the timeline of " + id + " has a transition twice: " + written);
    }
    for (TransitionRecord told : transitions) {
      // An early one that comes behind the complete minute is not written down.
      boolean isMissing = !distinct.remove(told.id()) && !told.early();
      if (told.incidentId().equals(id) && isMissing && told.since() < horizon) {
        missed.add(named(of) + ": the timeline of " + id + " does not have " + told);
      }
    }
    if (!distinct.isEmpty()) {
      doubled.add(named(of) + ": the timeline of " + id + " has what nobody told: " + distinct);
    }
  }

  private static String named(RuleInForce of) {
    return of.id() + " (" + of.rule().number() + ", " + of.rule().kind() + ")";
  }

  private void compareGroup(
      RuleInForce of,
      String group,
      List<TransitionRecord> transitions,
      List<ReportedIncident> stored) {
    String name = named(of) + " " + group;
    List<List<Point>> prefixes = prefixes(of, group);
    AlertTruth truth = truth(of, prefixes.get(prefixes.size() - 1));
    List<Incident> must = truth.incidents(begin, horizon);
    incidents += must.size();
    compareIncidents(name + ", the topic", must, replica(name, transitions));
    compareIncidents(name + ", the API", must, stored);

    Set<List<Incident>> possible = new HashSet<>();
    for (List<Point> points : variants(of, group, prefixes)) {
      possible.add(truth(of, points).incidents(begin, horizon + SHOWN_AFTER));
    }
    compareRevisions(of, name, transitions, prefixes, possible);
    compareMoments(name, transitions, possible);
  }

  private AlertTruth truth(RuleInForce of, List<Point> points) {
    return new AlertTruth(of.rule(), of.comparisons(), points);
  }

  /** Points of a group in time, then with each wave more. */
  private List<List<Point>> prefixes(RuleInForce of, String group) {
    List<List<Point>> prefixes = new ArrayList<>();
    prefixes.add(inTime.stream().filter(point -> group.equals(group(of, point))).toList());
    for (Wave wave : waves) {
      List<Point> more = new ArrayList<>(prefixes.get(prefixes.size() - 1));
      wave.points().stream().filter(point -> group.equals(group(of, point))).forEach(more::add);
      prefixes.add(more);
    }
    return prefixes;
  }

  /** What the job may have known at a moment: also single points of a wave before the others. */
  private List<List<Point>> variants(RuleInForce of, String group, List<List<Point>> prefixes) {
    List<List<Point>> variants = new ArrayList<>();
    variants.add(prefixes.get(0));
    for (int i = 0; i < waves.size(); i++) {
      List<Point> before = prefixes.get(i);
      if (prefixes.get(i + 1).size() == before.size()) {
        continue;
      }
      variants.add(prefixes.get(i + 1));
      if (prefixes.get(i + 1).size() > before.size() + 1) {
        for (Point point : waves.get(i).points()) {
          if (group.equals(group(of, point))) {
            List<Point> one = new ArrayList<>(before);
            one.add(point);
            variants.add(one);
          }
        }
      }
    }
    return variants;
  }

  /** Incidents as a reader of transitions has them. */
  private List<ReportedIncident> replica(String name, List<TransitionRecord> transitions) {
    Map<String, ReportedIncident> known = new LinkedHashMap<>();
    for (TransitionRecord told : transitions) {
      if (told.kind() == Kind.CHANGED) {
        continue;
      }
      ReportedIncident before = known.get(told.incidentId());
      ReportedIncident now =
          new ReportedIncident(new Incident(told.since(), told.until()), told.early());
      if (told.early()) {
        if (told.kind() == Kind.FIRED && before == null) {
          known.put(told.incidentId(), now);
        } else if (told.kind() == Kind.RETRACTED && before != null && before.early()) {
          known.remove(told.incidentId());
        }
        continue;
      }
      if (told.kind() == Kind.FIRED && before != null && !before.early()) {
        doubled.add(name + ": fired twice: " + told);
      }
      if (told.kind() != Kind.FIRED && before == null) {
        missed.add(name + ": never fired: " + told);
      }
      if (told.kind() == Kind.RETRACTED) {
        known.remove(told.incidentId());
      } else {
        known.put(told.incidentId(), now);
      }
    }
    return List.copyOf(known.values());
  }

  private void compareIncidents(String name, List<Incident> must, List<ReportedIncident> told) {
    List<Incident> left = new ArrayList<>(must);
    List<Incident> decided =
        told.stream()
            // Minutes from the horizon on may be decided or not.
            .filter(each -> each.incident().start() < horizon)
            .map(
                each ->
                    each.incident().end() >= horizon
                        ? new Incident(each.incident().start(), AlertTruth.OPEN)
                        : each.incident())
            .sorted(Comparator.comparingLong(Incident::start))
            .toList();
    for (Incident each : decided) {
      if (left.remove(each)) {
        continue;
      }
      boolean isTwice = must.contains(each);
      (isTwice ? doubled : flaps)
          .add(
              "%s: %s is told%s; true is %s, told is %s"
                  .formatted(name, text(each), isTwice ? " twice" : "", text(must), text(decided)));
    }
    for (Incident each : left) {
      missed.add(
          "%s: %s is not told; true is %s, told is %s"
              .formatted(name, text(each), text(must), text(decided)));
    }
  }

  private List<String> text(List<Incident> all) {
    return all.stream().map(this::text).toList();
  }

  private String text(Incident one) {
    return (one.start() - begin) + "–" + (one.end() == AlertTruth.OPEN ? "" : one.end() - begin);
  }

  /** Revised groups are those whose truth became another after it was told. */
  private void compareRevisions(
      RuleInForce of,
      String name,
      List<TransitionRecord> transitions,
      List<List<Point>> prefixes,
      Set<List<Incident>> possible) {
    List<TransitionRecord> told =
        transitions.stream().filter(each -> each.isOfIncident() && each.revised()).toList();
    boolean isDue = hadToBeRevised(of, prefixes);
    revised += told.isEmpty() ? 0 : 1;
    hadTo += isDue ? 1 : 0;
    if (isDue && told.isEmpty()) {
      revisions.add(name + ": late points changed what was told, and nothing was revised");
    }
    if (!told.isEmpty() && possible.size() == 1) {
      revisions.add(name + ": late points changed nothing, and yet " + told);
    }
  }

  /**
   * Before a wave was sent, minutes up to a known one were decided, from some of the waves before.
   * If none of what that can have been is true in the end, it was revised since.
   */
  private boolean hadToBeRevised(RuleInForce of, List<List<Point>> prefixes) {
    AlertTruth truth = truth(of, prefixes.get(prefixes.size() - 1));
    for (int i = 0; i < waves.size(); i++) {
      Wave wave = waves.get(i);
      if (wave.isSurelyLate() && prefixes.get(i + 1).size() > prefixes.get(i).size()) {
        List<Incident> atLast = truth.incidents(begin, wave.decidedUntil());
        boolean isDue = true;
        for (int before = 0; before <= i && isDue; before++) {
          isDue =
              !truth(of, prefixes.get(before)).incidents(begin, wave.decidedUntil()).equals(atLast);
        }
        if (isDue) {
          return true;
        }
      }
    }
    return false;
  }

  /** What complete minutes told at once was true at the moment, of what points had come. */
  private void compareMoments(
      String name, List<TransitionRecord> transitions, Set<List<Incident>> possible) {
    Set<Long> starts = new HashSet<>();
    Set<Long> ends = new HashSet<>();
    for (List<Incident> variant : possible) {
      variant.forEach(incident -> starts.add(incident.start()));
      variant.forEach(incident -> ends.add(incident.end()));
    }
    for (TransitionRecord told : transitions) {
      if (told.early() || told.revised()) {
        continue;
      }
      if (told.kind() == Kind.FIRED && !starts.contains(told.since())) {
        flaps.add(name + ": no incident ever began there: " + told);
      }
      if (told.kind() == Kind.RESOLVED && !ends.contains(told.until())) {
        flaps.add(name + ": no incident ever ended there: " + told);
      }
    }
  }
}
