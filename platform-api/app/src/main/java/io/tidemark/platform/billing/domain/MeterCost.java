package io.tidemark.platform.billing.domain;

import java.math.BigDecimal;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** What the use of one meter by some subjects cost, exact. */
public record MeterCost(@Nullable String meter, @Nullable BigDecimal quantity, BigDecimal amount) {

  /** Use of these subjects by meter; fees and credits are nobody's and are left out. */
  public static List<MeterCost> of(List<Cost> costs, Predicate<DailyUse.Subject> subjects) {
    TreeMap<String, MeterCost> byMeter = new TreeMap<>();
    for (Cost cost : costs) {
      if (cost.kind() == Cost.Kind.USAGE && subjects.test(cost.subject())) {
        byMeter.merge(
            cost.meter(),
            new MeterCost(cost.meter(), cost.quantity(), cost.amount()),
            MeterCost::plus);
      }
    }
    return List.copyOf(byMeter.values());
  }

  private MeterCost plus(MeterCost other) {
    return new MeterCost(
        meter, Objects.requireNonNull(quantity).add(other.quantity), amount.add(other.amount));
  }
}
