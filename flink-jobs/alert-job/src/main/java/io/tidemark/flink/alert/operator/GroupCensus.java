package io.tidemark.flink.alert.operator;

import static io.tidemark.flink.model.alert.MinuteTotals.MINUTE_MS;

import io.tidemark.flink.model.alert.GroupCount;
import io.tidemark.flink.model.alert.RuleVersions;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Counts the groups of each rule that one part of the job decided, up to the same minute. Counted
 * anew after a restart, with the next minute.
 */
final class GroupCensus {

  /** Groups of a rule that were decided up to the same minute. */
  private static final class DecidedMinute {
    private long until = Long.MIN_VALUE;
    private int groups;
  }

  private final int part;
  private final Map<String, DecidedMinute> decided = new HashMap<>();
  private final Map<String, GroupCount> announced = new HashMap<>();

  GroupCensus(int part) {
    this.part = part;
  }

  void count(String rule, long until, int groups) {
    DecidedMinute minute = decided.computeIfAbsent(rule, ignored -> new DecidedMinute());
    if (until > minute.until) {
      minute.until = until;
      minute.groups = groups;
    } else if (until == minute.until) {
      minute.groups += groups;
    }
  }

  /** Forgets a rule that is gone. */
  void forget(String rule) {
    decided.remove(rule);
    announced.remove(rule);
  }

  /**
   * Says how far rules are decided, where it is another than was said. The first part speaks of
   * rules without groups too.
   *
   * @param watermark whose groups are all decided
   */
  void announce(
      long watermark, Map<String, RuleVersions> rules, TenantLags lags, Consumer<GroupCount> out) {
    if (watermark <= 0 || watermark == Long.MAX_VALUE) {
      return;
    }
    for (Map.Entry<String, RuleVersions> rule : rules.entrySet()) {
      DecidedMinute minute = decided.get(rule.getKey());
      if (minute == null && part > 0) {
        continue;
      }
      Long lag = lags.of(rule.getValue().latest().organizationId());
      long complete = lag == null ? watermark + 1 : Math.min(watermark + 1, lag);
      long until = Math.floorDiv(complete, MINUTE_MS) * MINUTE_MS;
      boolean isCounted = minute != null && minute.until == until;
      if (!isCounted && part > 0) {
        continue;
      }
      GroupCount now =
          new GroupCount(
              rule.getKey(),
              rule.getValue().latest().version(),
              part,
              until,
              minute != null && isCounted ? minute.groups : 0,
              lag != null);
      if (!now.equals(announced.put(rule.getKey(), now))) {
        out.accept(now);
      }
    }
  }
}
