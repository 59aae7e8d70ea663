package io.tidemark.flink.rollup.operator;

import io.tidemark.flink.io.points.fastdecode.SeriesIndex;
import io.tidemark.flink.io.rows.RowLines;
import io.tidemark.flink.io.rows.RowText;
import io.tidemark.flink.model.budget.BudgetReports;
import io.tidemark.flink.model.budget.Excess;
import io.tidemark.flink.model.budget.OrganizationLimits;
import io.tidemark.flink.model.budget.Overflow;
import io.tidemark.flink.model.budget.SenderBudgets;
import io.tidemark.flink.model.budget.TenantLimits;
import io.tidemark.flink.model.panes.combine.Combiner;
import io.tidemark.flink.model.series.SeriesDescriptor;
import io.tidemark.flink.model.series.SeriesKey;
import io.tidemark.flink.rollup.cardinality.MetricActivity;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Which slots of one reader go under the name of an overflow series. Costs the points of all other
 * slots nothing but {@link #isSpecial}.
 */
final class SlotBudgets {

  /** More often than announced series are forgotten. */
  private static final long REFRESH_MS = Duration.ofMinutes(30).toMillis();

  private static final long IN_USE_MS = Duration.ofHours(1).toMillis();

  private final SeriesIndex slots;
  private final Combiner combiner;
  private final BudgetReports reports;
  private final MetricActivity activity;
  private final SenderBudgets budgets;
  private final Map<String, Integer> tenants = new HashMap<>();
  private final List<TenantLimits> limits = new ArrayList<>();

  /** Slots that are undecided, folded or too large for a row. */
  private final BitSet special = new BitSet();

  private final BitSet undecided = new BitSet();
  private final BitSet tooLarge = new BitSet();
  private int[] tenantOf = new int[256];
  private int[] into = new int[256];
  private long refreshAt = Long.MIN_VALUE;

  SlotBudgets(
      SeriesIndex slots,
      Combiner combiner,
      BudgetReports reports,
      MetricActivity activity,
      OrganizationLimits organizations) {
    this.budgets = new SenderBudgets(organizations);
    this.slots = slots;
    this.combiner = combiner;
    this.reports = reports;
    this.activity = activity;
  }

  /** To be called ahead of the points of every batch. */
  void limits(String organizationId, String environmentId, TenantLimits inForce, long now) {
    int tenant =
        tenants.computeIfAbsent(
            organizationId + "/" + environmentId,
            ignored -> {
              limits.add(inForce);
              return limits.size() - 1;
            });
    if (!limits.get(tenant).equals(inForce)) {
      limits.set(tenant, inForce);
      announceAgain(tenant, inForce);
    }
    if (now >= refreshAt) {
      refreshAt = now + REFRESH_MS;
      refresh(now);
    }
  }

  /** Makes known the slots that the combiner does not know, all of one environment. */
  void learn(String organizationId, String environmentId) {
    int tenant = Objects.requireNonNull(tenants.get(organizationId + "/" + environmentId));
    for (int slot = combiner.seriesCount(); slot < slots.size(); slot++) {
      if (slot >= tenantOf.length) {
        tenantOf = Arrays.copyOf(tenantOf, slot * 2);
        into = Arrays.copyOf(into, slot * 2);
      }
      tenantOf[slot] = tenant;
      into[slot] = slot;
      combiner.addSeries(slots.key(slot), slots.descriptor(slot), limits.get(tenant));
      special.set(slot);
      undecided.set(slot);
    }
  }

  boolean isSpecial(int slot) {
    return !special.isEmpty() && special.get(slot);
  }

  /** The slot that values of a special slot count for; itself, if it need not be folded. */
  int counted(int slot, long now) {
    if (undecided.get(slot)) {
      undecided.clear(slot);
      decide(slot, now);
    }
    return into[slot];
  }

  /** Whether the names and labels of a special slot are too long for a row. */
  boolean isTooLarge(int slot) {
    return tooLarge.get(slot);
  }

  /** Whether there is room for the reference of a folded cumulative series. */
  boolean keepsReference(int slot, long now) {
    return budgets.keepsReference(
        slots.key(slot), slots.descriptor(slot), limits.get(tenantOf[slot]), now);
  }

  /** With the slots; what was announced stays known. */
  void forgetSlots() {
    special.clear();
    undecided.clear();
    tooLarge.clear();
    tenants.clear();
    limits.clear();
  }

  private void decide(int slot, long now) {
    SeriesDescriptor series = slots.descriptor(slot);
    TenantLimits tenant = limits.get(tenantOf[slot]);
    Excess excess = budgets.excess(slots.key(slot), series, tenant, now);
    if (excess == null) {
      into[slot] = slot;
      measure(slot);
      return;
    }
    reports.folded(series, excess);
    activity.announced(slots.key(slot), series, now);
    SeriesDescriptor overflow = budgets.overflowOf(series, tenant, now);
    int target = slots.slotOf(SeriesKey.of(overflow), overflow);
    learn(series.organizationId(), series.environmentId());
    if (undecided.get(target)) {
      undecided.clear(target);
      measure(target);
    }
    into[slot] = target;
  }

  private void measure(int slot) {
    SeriesDescriptor series = slots.descriptor(slot);
    // Most are far from the limit: no text is made to see that.
    boolean canHold =
        RowLines.canHold(RowText.largest(series))
            || RowLines.canHold(RowText.of(slots.key(slot), series).length);
    tooLarge.set(slot, !canHold);
    special.set(slot, !canHold);
  }

  private void announceAgain(int tenant, TenantLimits inForce) {
    for (int slot = 0; slot < combiner.seriesCount(); slot++) {
      if (tenantOf[slot] == tenant) {
        combiner.announceAgain(slot, inForce);
        special.set(slot);
        undecided.set(slot);
      }
    }
  }

  /** Series in use stay announced; folded ones are tried again when they are used. */
  private void refresh(long now) {
    for (int slot = 0; slot < combiner.seriesCount(); slot++) {
      SeriesDescriptor series = slots.descriptor(slot);
      if (special.get(slot)) {
        undecided.set(slot);
      } else if (combiner.isAnnouncedSince(slot, now - IN_USE_MS)) {
        TenantLimits tenant = limits.get(tenantOf[slot]);
        if (Overflow.isOverflow(series)) {
          budgets.overflowOf(series, tenant, now);
        } else {
          budgets.keep(slots.key(slot), series, tenant, now);
        }
      }
    }
    budgets.forgetSilent(now);
  }
}
