package io.tidemark.platform.billing.domain;

import io.tidemark.platform.billing.domain.InvoiceLine.Kind;
import io.tidemark.platform.billing.domain.PlanTimeline.Segment;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Makes an invoice from quantities and plans. Every line is rounded once, half up, to the digits of
 * the currency; the subtotal is the sum of rounded lines and the tax is rounded once, so that what
 * is printed adds up.
 */
public final class InvoiceCalculator {

  private static final BigDecimal HUNDRED = BigDecimal.valueOf(100);

  /** Units by meter between two times. */
  @FunctionalInterface
  public interface Quantities {
    Map<String, BigDecimal> between(Instant from, Instant to);
  }

  /**
   * Usage of an earlier period that is closed, in hand now.
   *
   * @param reason why it is here
   * @param before what that period's invoices have billed so far
   * @param after the same with what came since
   */
  public record Late(BillingPeriod period, String reason, Quantities before, Quantities after) {}

  private final PlanTimeline plans;
  private final List<Credit> credits;

  public InvoiceCalculator(PlanTimeline plans) {
    this(plans, List.of());
  }

  /**
   * @param credits with what earlier periods left of them
   */
  public InvoiceCalculator(PlanTimeline plans, List<Credit> credits) {
    this.plans = plans;
    this.credits = List.copyOf(credits);
  }

  /**
   * The draft of a period.
   *
   * @param throughSequence the last entry among the quantities
   * @param closesAt when the period closes
   */
  public Invoice draft(
      BillingPeriod period,
      Quantities used,
      List<Late> late,
      long throughSequence,
      Instant closesAt) {
    List<InvoiceLine> lines = new ArrayList<>();
    List<Segment> segments = plans.segments(period);
    for (int i = 0; i < segments.size(); i++) {
      String prefix = segments.size() == 1 ? "" : (i + 1) + "-";
      lines.addAll(lines(prefix, segments.get(i), used));
    }
    PricePlan last = segments.get(segments.size() - 1).plan();
    for (Late one : late) {
      lines.addAll(adjustments(one, last));
    }
    lines.addAll(CreditAllocator.lines(credits, sum(lines), period, last));
    BigDecimal subtotal = sum(lines);
    BigDecimal tax =
        round(subtotal.multiply(last.tax().ratePercent()).divide(HUNDRED), last.scale());
    return new Invoice(
        period.toString(),
        null,
        period.start(),
        period.end(),
        last.currency(),
        last.scale(),
        lines,
        subtotal.setScale(last.scale(), RoundingMode.UNNECESSARY),
        last.tax(),
        tax,
        subtotal.add(tax).setScale(last.scale(), RoundingMode.UNNECESSARY),
        throughSequence,
        closesAt,
        null);
  }

  private static List<InvoiceLine> lines(String prefix, Segment segment, Quantities used) {
    List<InvoiceLine> lines = new ArrayList<>();
    PricePlan plan = segment.plan();
    int scale = plan.scale();
    if (plan.baseFee().signum() > 0) {
      lines.add(
          flat(
              prefix + "base-fee",
              Kind.BASE_FEE,
              "Base fee",
              segment,
              segment.share().of(plan.baseFee())));
    }
    Map<String, BigDecimal> quantities = used.between(segment.from(), segment.to());
    for (Charge charge : plan.charges()) {
      ChargePricer.Priced priced =
          ChargePricer.price(
              charge, quantities.getOrDefault(charge.meter(), BigDecimal.ZERO), segment.share());
      lines.add(
          new InvoiceLine(
              prefix + charge.meter(),
              Kind.USAGE,
              "Usage: " + charge.meter(),
              charge.meter(),
              plan.name(),
              segment.from(),
              segment.to(),
              null,
              priced.quantity(),
              priced.included(),
              priced.billed(),
              charge.per(),
              priced.parts(),
              priced.amount(),
              round(priced.amount(), scale)));
    }
    BigDecimal missing =
        round(segment.share().of(plan.minimum()), scale).subtract(sum(lines)).max(BigDecimal.ZERO);
    if (missing.signum() > 0) {
      lines.add(flat(prefix + "minimum", Kind.MINIMUM, "Up to the minimum", segment, missing));
    }
    BigDecimal discount = sum(lines).multiply(plan.discountPercent()).divide(HUNDRED).negate();
    if (round(discount, scale).signum() != 0) {
      lines.add(
          flat(
              prefix + "discount",
              Kind.DISCOUNT,
              "Discount of " + plan.discountPercent().toPlainString() + " %",
              segment,
              discount));
    }
    return lines;
  }

  /**
   * What late usage of a closed period changes: the difference that it makes to every line of that
   * period, by the plans and tiers of that period. What a minimum had paid for already costs
   * nothing again.
   */
  private List<InvoiceLine> adjustments(Late late, PricePlan billing) {
    List<InvoiceLine> changed = new ArrayList<>();
    List<Segment> segments = plans.segments(late.period());
    for (int i = 0; i < segments.size(); i++) {
      String prefix = segments.size() == 1 ? "" : (i + 1) + "-";
      Map<String, InvoiceLine> before = new LinkedHashMap<>();
      lines(prefix, segments.get(i), late.before()).forEach(line -> before.put(line.id(), line));
      for (InvoiceLine after : lines(prefix, segments.get(i), late.after())) {
        change(late, before.remove(after.id()), after, after, billing).ifPresent(changed::add);
      }
      before
          .values()
          .forEach(gone -> change(late, gone, null, gone, billing).ifPresent(changed::add));
    }
    return changed;
  }

  private static Optional<InvoiceLine> change(
      Late late,
      InvoiceLine before,
      @Nullable InvoiceLine after,
      InvoiceLine shape,
      PricePlan billing) {
    BigDecimal exact = exact(after).subtract(exact(before));
    BigDecimal quantity = quantity(after).subtract(quantity(before));
    if (exact.signum() == 0 && quantity.signum() == 0) {
      return Optional.empty();
    }
    return Optional.of(
        new InvoiceLine(
            "adjustment-" + late.period() + "-" + shape.id(),
            Kind.ADJUSTMENT,
            "Arrived after " + late.period() + " was closed: " + shape.description(),
            shape.meter(),
            shape.plan(),
            shape.from(),
            shape.to(),
            late.reason(),
            shape.meter() == null ? null : quantity,
            null,
            null,
            shape.per(),
            null,
            exact,
            round(exact, billing.scale())));
  }

  private static BigDecimal exact(@Nullable InvoiceLine line) {
    return line == null ? BigDecimal.ZERO : line.exactAmount();
  }

  private static BigDecimal quantity(@Nullable InvoiceLine line) {
    return line == null || line.quantity() == null ? BigDecimal.ZERO : line.quantity();
  }

  private static InvoiceLine flat(
      String id, Kind kind, String description, Segment segment, BigDecimal exact) {
    return new InvoiceLine(
        id,
        kind,
        description,
        null,
        segment.plan().name(),
        segment.from(),
        segment.to(),
        null,
        null,
        null,
        null,
        null,
        null,
        exact,
        round(exact, segment.plan().scale()));
  }

  private static BigDecimal round(BigDecimal exact, int scale) {
    return exact.setScale(scale, RoundingMode.HALF_UP);
  }

  private static BigDecimal sum(List<InvoiceLine> lines) {
    return lines.stream().map(InvoiceLine::amount).reduce(BigDecimal.ZERO, BigDecimal::add);
  }
}
