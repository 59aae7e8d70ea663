package io.tidemark.platform.replicas;

import io.tidemark.platform.shared.ProcessRole;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Amounts that were used of limits at this process, and what other processes say of theirs. Totals
 * are told, not differences, so that a look that was missed loses nothing.
 */
public final class SharedCounts {

  /**
   * After so many rounds without a use a holder's total is forgotten, here by whoever tells and
   * there by whoever hears.
   */
  static final int ROUNDS_REMEMBERED = 60;

  /** Hears what was used of a limit at other processes. */
  @FunctionalInterface
  public interface Listener {
    void usedElsewhere(String holder, long amount);
  }

  /** The count of one limit at this process. */
  public interface Count {

    /** The count of a process that is alone. */
    Count ALONE = (holder, amount) -> {};

    /**
     * Tells others of a use.
     *
     * @param holder whose limit it is; a text without line breaks
     */
    void used(String holder, long amount);
  }

  /**
   * What a process says.
   *
   * @param process drawn at its start
   * @param totals by name of the limit, a blank and the holder
   */
  record ReportedCounts(String process, Set<ProcessRole> roles, Map<String, Long> totals) {}

  private static final class Total {
    private long amount;
    private int roundsUnused;
  }

  private final Map<String, Listener> listeners = new ConcurrentHashMap<>();
  private final Map<String, Long> unsaid = new ConcurrentHashMap<>();
  private final Map<String, Total> totals = new HashMap<>();
  private final Map<String, Map<String, Long>> heard = new HashMap<>();
  private volatile List<Set<ProcessRole>> others = List.of();

  /**
   * Begins to share a limit.
   *
   * @param limit a word
   */
  public Count open(String limit, Listener elsewhere) {
    if (listeners.putIfAbsent(limit, elsewhere) != null) {
      throw new IllegalStateException("The limit " + limit + " is counted already");
    }
    return (holder, amount) -> unsaid.merge(limit + " " + holder, amount, Long::sum);
  }

  /** How many processes have a role, this one included; it is taken to have it. */
  public int processesWith(ProcessRole role) {
    return 1 + (int) others.stream().filter(roles -> roles.contains(role)).count();
  }

  /** What this process says now. */
  synchronized Map<String, Long> totals() {
    totals.values().forEach(total -> total.roundsUnused++);
    for (String name : List.copyOf(unsaid.keySet())) {
      Long amount = unsaid.remove(name);
      if (amount != null) {
        Total total = totals.computeIfAbsent(name, unknown -> new Total());
        total.amount += amount;
        total.roundsUnused = 0;
      }
    }
    totals.values().removeIf(total -> total.roundsUnused >= ROUNDS_REMEMBERED);
    Map<String, Long> now = new HashMap<>();
    totals.forEach((name, total) -> now.put(name, total.amount));
    return now;
  }

  /** Takes in what all other processes that are there say. */
  synchronized void hear(Collection<ReportedCounts> all) {
    List<Set<ProcessRole>> roles = new ArrayList<>();
    Map<String, Map<String, Long>> now = new HashMap<>();
    for (ReportedCounts told : all) {
      roles.add(told.roles());
      now.put(told.process(), told.totals());
      Map<String, Long> before = heard.get(told.process());
      if (before != null) {
        told.totals().forEach((name, total) -> pass(name, before.getOrDefault(name, 0L), total));
      }
      // What a process had counted before it was first heard of lies in the past.
    }
    heard.clear();
    heard.putAll(now);
    others = List.copyOf(roles);
  }

  /** A total that is less than before was forgotten in between, and begun again. */
  private void pass(String name, long before, long total) {
    long amount = total < before ? total : total - before;
    int blank = name.indexOf(' ');
    Listener listener = listeners.get(name.substring(0, blank));
    if (amount > 0 && listener != null) {
      listener.usedElsewhere(name.substring(blank + 1), amount);
    }
  }
}
