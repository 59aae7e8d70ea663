package io.tidemark.pipeline.faults;

import io.tidemark.pipeline.faults.FaultPlan.PlannedFault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What became of each fault of a run. */
final class FaultRecord {
  private final Duration longestUnseen;
  private final List<Entry> entries = new ArrayList<>();

  /**
   * One fault's end.
   *
   * @param lasted from the strike until it was healed
   * @param recovery from then until points were acknowledged and checkpointed again
   * @param notice what the stack said of it first
   */
  record Outcome(Duration lasted, Duration recovery, Optional<FaultWatch.Notice> notice) {}

  private record Entry(PlannedFault fault, Outcome outcome) {}

  /**
   * @param longestUnseen a fault that lasts longer must have been said by then
   */
  FaultRecord(Duration longestUnseen) {
    this.longestUnseen = longestUnseen;
  }

  int size() {
    return entries.size();
  }

  /** Returns the fault's line. */
  String add(PlannedFault fault, Outcome outcome) {
    Entry entry = new Entry(fault, outcome);
    entries.add(entry);
    return line(entry);
  }

  /** Lines of the faults that lasted longer than allowed before something was said. */
  List<String> unnoticed() {
    return entries.stream()
        .filter(entry -> entry.outcome().lasted().compareTo(longestUnseen) > 0)
        .filter(
            entry ->
                entry
                    .outcome()
                    .notice()
                    .filter(notice -> notice.after().compareTo(longestUnseen) <= 0)
                    .isEmpty())
        .map(FaultRecord::line)
        .toList();
  }

  /** Lines of the faults from which the stack recovered later than that. */
  List<String> slowerThan(Duration longest) {
    return entries.stream()
        .filter(
            entry -> entry.outcome().recovery().compareTo(longest.plus(backoff(entry.fault()))) > 0)
        .map(FaultRecord::line)
        .toList();
  }

  /**
   * How much longer the fault makes Flink wait before it starts a failed job again: the moment to
   * do so is one of the JobManager's clock, and stays when that goes back.
   */
  private static Duration backoff(PlannedFault fault) {
    return fault.kind() == FaultKind.CLOCK_BEHIND && fault.targets().contains("flink-jobmanager")
        ? Duration.ofMillis(fault.millis())
        : Duration.ZERO;
  }

  /** A line for each kind, and one for all. */
  List<String> byKind() {
    Map<FaultKind, List<Entry>> kinds = new EnumMap<>(FaultKind.class);
    entries.forEach(
        entry -> kinds.computeIfAbsent(entry.fault().kind(), k -> new ArrayList<>()).add(entry));
    List<String> lines = new ArrayList<>();
    kinds.forEach((kind, of) -> lines.add(line(kind.words(), of)));
    lines.add(line(kinds.size() + " kinds", entries));
    return lines;
  }

  private static String line(String name, List<Entry> of) {
    List<Long> recoveries =
        of.stream().map(entry -> entry.outcome().recovery().toMillis()).sorted().toList();
    long lasted = of.stream().mapToLong(entry -> entry.outcome().lasted().toMillis()).sum();
    long noticed = of.stream().filter(entry -> entry.outcome().notice().isPresent()).count();
    return "%-15s %3d, lasted %.1f s on average, recovery median %.1f s, longest %.1f s, noticed %d"
        .formatted(
            name,
            of.size(),
            lasted / 1e3 / of.size(),
            recoveries.get(recoveries.size() / 2) / 1e3,
            recoveries.get(recoveries.size() - 1) / 1e3,
            noticed);
  }

  private static String line(Entry entry) {
    return "%s %s%s for %.1f s, recovered %.1f s after it; %s"
        .formatted(
            entry.fault().kind().words(),
            String.join(" and ", entry.fault().targets()),
            entry.fault().millis() > 0 ? " by " + entry.fault().millis() + " ms" : "",
            entry.outcome().lasted().toMillis() / 1e3,
            entry.outcome().recovery().toMillis() / 1e3,
            entry
                .outcome()
                .notice()
                .map(
                    notice ->
                        "said after %.1f s: %s"
                            .formatted(notice.after().toMillis() / 1e3, notice.line()))
                .orElse("nothing was said"));
  }
}
