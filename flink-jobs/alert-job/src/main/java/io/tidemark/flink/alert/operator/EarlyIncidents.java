package io.tidemark.flink.alert.operator;

import io.tidemark.flink.alert.match.SignalMinute;
import io.tidemark.flink.alert.signal.HeldSignal;
import io.tidemark.flink.alert.signal.RuleGroups;
import io.tidemark.flink.model.alert.AlertGroup;
import io.tidemark.flink.model.alert.AlertStatus;
import io.tidemark.flink.model.alert.AlertTransition;
import io.tidemark.flink.model.alert.EarlyAlert;
import io.tidemark.flink.model.alert.EarlyAlertEvaluator;
import io.tidemark.flink.model.alert.RuleVersions;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Raises incidents of the current key from open minutes, and settles them when they are complete.
 */
final class EarlyIncidents {

  private final OpenMinuteStore openMinutes;
  private final TenantLags lags;
  private final EarlyAlertEvaluator evaluator;

  EarlyIncidents(OpenMinuteStore openMinutes, TenantLags lags, Consumer<AlertTransition> out) {
    this.openMinutes = openMinutes;
    this.lags = lags;
    this.evaluator = new EarlyAlertEvaluator(out);
  }

  /**
   * Has open minutes decided as if they were complete, and keeps what they raise.
   *
   * @return how many incidents it raised
   */
  int raise(
      HeldSignal signal,
      String rule,
      @Nullable RuleVersions versions,
      Map<String, OpenMinuteStore.History> histories,
      long watermark)
      throws Exception {
    int raised = 0;
    for (Map.Entry<String, OpenMinuteStore.History> one : histories.entrySet()) {
      if (versions != null && !openMinutes.isRaised(rule, one.getKey())) {
        EarlyAlert alert = raise(signal, rule, versions, one.getKey(), one.getValue(), watermark);
        if (alert != null) {
          raised++;
          openMinutes.putRaised(rule, alert);
        }
      }
    }
    return raised;
  }

  private @Nullable EarlyAlert raise(
      HeldSignal signal,
      String rule,
      RuleVersions versions,
      String labels,
      OpenMinuteStore.History history,
      long watermark) {
    RuleGroups groups = signal.rule(rule);
    AlertGroup known = groups == null ? null : signal.group(groups, labels);
    AlertGroup from =
        known == null
            ? AlertGroup.begin(
                SignalMinute.identityOf(signal.key()), labels, history.oldest(), history.oldest())
            : known;
    return evaluator.raise(
        from,
        versions,
        history,
        history.newest(),
        lags.completeUntil(versions.latest().organizationId(), Math.max(0, watermark + 1)));
  }

  /**
   * Settles what open minutes raised, and drops those that are complete.
   *
   * @param signal after its complete minutes were decided
   * @return whether any is left
   */
  boolean settle(HeldSignal signal, RuleTable rules, long completeUntil) throws Exception {
    if (!signal.hasOpenMinutes()) {
      return false;
    }
    boolean isLeft = false;
    for (Map.Entry<String, EarlyAlert> one : openMinutes.raised().entrySet()) {
      String rule = OpenMinuteStore.ruleOf(one.getKey());
      if (isSettled(signal, rule, rules.rule(rule), one.getValue(), completeUntil)) {
        openMinutes.removeRaised(one.getKey());
      } else {
        isLeft = true;
      }
    }
    isLeft |= openMinutes.removeBefore(completeUntil);
    signal.setOpenMinutes(isLeft);
    return isLeft;
  }

  private boolean isSettled(
      HeldSignal signal,
      String rule,
      @Nullable RuleVersions versions,
      EarlyAlert raised,
      long completeUntil) {
    RuleGroups groups = signal.rule(rule);
    AlertGroup now = groups == null ? null : signal.group(groups, raised.labels());
    AlertStatus decided =
        groups == null ? null : signal.decision(groups, raised.labels(), raised.minute());
    // A rule that is not known may come back as long as its group waits.
    return versions == null
        ? now == null
        : evaluator.settle(raised, now, versions, decided, completeUntil);
  }
}
