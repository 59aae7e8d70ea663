package io.tidemark.platform.billing.domain;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What an organisation wants to spend in a month.
 *
 * @param amount before tax, in the currency of the invoice; null for no limit to tell of
 * @param thresholds percent of the amount that are told, ascending
 * @param pointsPerSecond quota once all of the amount is spent; null to leave it
 * @param integrations that are told of thresholds and of closed invoices
 */
public record SpendingBudget(
    @Nullable BigDecimal amount,
    List<Integer> thresholds,
    @Nullable Long pointsPerSecond,
    List<String> integrations) {

  public static final List<Integer> USUAL_THRESHOLDS = List.of(50, 90, 100);
  public static final SpendingBudget NONE =
      new SpendingBudget(null, USUAL_THRESHOLDS, null, List.of());

  private static final BigDecimal HUNDRED = BigDecimal.valueOf(100);
  private static final int MAX_THRESHOLDS = 10;
  private static final int MAX_THRESHOLD = 1_000;
  private static final int MAX_INTEGRATIONS = 20;

  public SpendingBudget {
    thresholds = thresholds.stream().distinct().sorted().toList();
    integrations = integrations.stream().distinct().sorted().toList();
  }

  /** One sentence a fault, naming the field. */
  public List<String> faults() {
    List<String> faults = new ArrayList<>();
    if (amount != null) {
      PricePlan.checkAmount(faults, "amount", amount);
      if (amount.signum() == 0) {
        faults.add("amount must be more than 0, or absent for no budget.");
      }
    }
    if (thresholds.isEmpty()
        || thresholds.size() > MAX_THRESHOLDS
        || thresholds.get(0) < 1
        || thresholds.get(thresholds.size() - 1) > MAX_THRESHOLD) {
      faults.add(
          "thresholds must be 1 to "
              + MAX_THRESHOLDS
              + " numbers of percent, each 1 to "
              + MAX_THRESHOLD
              + ".");
    }
    if (pointsPerSecond != null && amount == null) {
      faults.add("points_per_second needs an amount: it is the quota once that is spent.");
    }
    if (integrations.size() > MAX_INTEGRATIONS) {
      faults.add("integration_ids must be at most " + MAX_INTEGRATIONS + ".");
    }
    return faults;
  }

  /** Thresholds that so much has reached, ascending. */
  public List<Integer> reached(BigDecimal spent) {
    if (amount == null) {
      return List.of();
    }
    return thresholds.stream().filter(percent -> spent.compareTo(at(percent)) >= 0).toList();
  }

  /** The amount of a threshold, exact. */
  public BigDecimal at(int percent) {
    return Objects.requireNonNull(amount).multiply(BigDecimal.valueOf(percent)).divide(HUNDRED);
  }

  /** Whether all of it is spent. */
  public boolean isSpent(BigDecimal spent) {
    return amount != null && spent.compareTo(amount) >= 0;
  }

  /** Whole percent that so much is of the amount, rounded down. */
  public long percent(BigDecimal spent) {
    return spent.multiply(HUNDRED).divide(amount, 0, RoundingMode.FLOOR).longValue();
  }
}
