package io.tidemark.flink.rollup;

import io.tidemark.flink.model.batch.ResendRule;
import io.tidemark.flink.model.budget.OrganizationLimits;
import io.tidemark.flink.model.budget.PlanDefaults;
import io.tidemark.flink.model.budget.Retention;
import io.tidemark.flink.model.point.PointTimeLimits;
import io.tidemark.flink.model.rollup.PaneTiming;
import io.tidemark.flink.model.route.SplitRule;
import io.tidemark.flink.model.tenant.AdmissionRule;
import java.time.Duration;

/**
 * The fixed rules of the job. They are not settings: changing one changes what numbers mean.
 *
 * @param resends which batches count once
 * @param admission which tenants there are
 * @param pointTimes which point times are believed; how old a point may be, {@code admission} says
 * @param panes when panes are emitted
 * @param splits which metrics are split
 * @param outOfOrderness how far a point may lag behind the latest one and still be on time
 * @param idleness after how long a silent partition no longer holds the others back
 * @param longestWait how long a point waits at most to be combined with others
 * @param liveCellsPerSecond how many cells of open minutes are sent ahead of their rows; 0 for none
 * @param organizations limits of all environments of an organisation together
 * @param isMetered whether batches and rows are counted for who bills them
 */
public record RollupRules(
    ResendRule resends,
    AdmissionRule admission,
    PointTimeLimits pointTimes,
    PaneTiming panes,
    SplitRule splits,
    Duration outOfOrderness,
    Duration idleness,
    Duration longestWait,
    int liveCellsPerSecond,
    OrganizationLimits organizations,
    boolean isMetered) {

  public static final RollupRules DEFAULT =
      new RollupRules(
          ResendRule.DEFAULT,
          AdmissionRule.DEFAULT,
          PointTimeLimits.DEFAULT,
          PaneTiming.DEFAULT,
          SplitRule.DEFAULT,
          Duration.ofSeconds(5),
          Duration.ofSeconds(5),
          Duration.ofSeconds(5),
          0,
          PlanDefaults.ORGANIZATION,
          true);

  /** With another rule of what is split. */
  public RollupRules withSplits(SplitRule rule) {
    return new RollupRules(
        resends,
        admission,
        pointTimes,
        panes,
        rule,
        outOfOrderness,
        idleness,
        longestWait,
        liveCellsPerSecond,
        organizations,
        isMetered);
  }

  /** For points whose age was judged before: none is too late, unless its tenant says so. */
  public RollupRules takingEveryAge() {
    return new RollupRules(
        resends,
        new AdmissionRule(admission.margin(), admission.patience(), Retention.FOREVER),
        pointTimes,
        panes,
        splits,
        outOfOrderness,
        idleness,
        longestWait,
        liveCellsPerSecond,
        organizations,
        isMetered);
  }

  /** With open minutes sent every second; points then wait for no longer than that. */
  public RollupRules withLiveCells(int perSecond) {
    return new RollupRules(
        resends,
        admission,
        pointTimes,
        panes,
        splits,
        outOfOrderness,
        idleness,
        perSecond == 0 ? longestWait : Duration.ofSeconds(1),
        perSecond,
        organizations,
        isMetered);
  }

  /** With other limits of organisations. */
  public RollupRules withOrganizationLimits(OrganizationLimits limits) {
    return new RollupRules(
        resends,
        admission,
        pointTimes,
        panes,
        splits,
        outOfOrderness,
        idleness,
        longestWait,
        liveCellsPerSecond,
        limits,
        isMetered);
  }

  /** For what was metered before, or is by nobody. */
  public RollupRules withoutMetering() {
    return new RollupRules(
        resends,
        admission,
        pointTimes,
        panes,
        splits,
        outOfOrderness,
        idleness,
        longestWait,
        liveCellsPerSecond,
        organizations,
        false);
  }
}
