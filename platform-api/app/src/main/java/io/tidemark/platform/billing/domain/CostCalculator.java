package io.tidemark.platform.billing.domain;

import io.tidemark.platform.billing.domain.PlanTimeline.Segment;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Divides an invoice into costs by day and resource that add up to its subtotal to the last digit.
 * Units take what is included and the tiers one after another, in the order of days and, within a
 * day, of environments and resources; so every cost has one price, and quantity times price is
 * exact. What rounding adds is a cost of its own.
 */
public final class CostCalculator {

  private final PlanTimeline plans;

  public CostCalculator(PlanTimeline plans) {
    this.plans = plans;
  }

  /**
   * Costs by day, then by line of the invoice, then by subject.
   *
   * @param use of the period that the invoice is made of
   */
  public List<Cost> divide(BillingPeriod period, Invoice invoice, List<DailyUse> use) {
    List<Cost> costs = new ArrayList<>();
    List<Segment> segments = plans.segments(period);
    for (int i = 0; i < segments.size(); i++) {
      Segment segment = segments.get(i);
      String prefix = segments.size() == 1 ? "" : (i + 1) + "-";
      List<InvoiceLine> lines =
          invoice.lines().stream().filter(line -> isOf(line, segment)).toList();
      List<Cost> ofSegment = new ArrayList<>();
      for (Charge charge : segment.plan().charges()) {
        ofSegment.addAll(charged(prefix + charge.meter(), charge, segment, use));
      }
      for (InvoiceLine line : lines) {
        if (line.kind() == InvoiceLine.Kind.BASE_FEE) {
          ofSegment.add(flat(line, Cost.Kind.BASE_FEE, segment, day(segment.from())));
        } else if (line.kind() == InvoiceLine.Kind.MINIMUM) {
          ofSegment.add(flat(line, Cost.Kind.MINIMUM, segment, lastDay(segment)));
        }
      }
      costs.addAll(ofSegment);
      BigDecimal exact = sum(ofSegment);
      BigDecimal rounded =
          lines.stream().map(InvoiceLine::amount).reduce(BigDecimal.ZERO, BigDecimal::add);
      if (rounded.compareTo(exact) != 0) {
        costs.add(rounding(segment, rounded.subtract(exact)));
      }
    }
    for (InvoiceLine line : invoice.lines()) {
      if (line.kind() == InvoiceLine.Kind.ADJUSTMENT) {
        costs.add(whole(line, Cost.Kind.ADJUSTMENT, period.firstDay()));
      } else if (line.kind() == InvoiceLine.Kind.CREDIT) {
        costs.add(whole(line, Cost.Kind.CREDIT, period.next().firstDay().minusDays(1)));
      }
    }
    costs.sort(
        Comparator.comparing(Cost::day)
            .thenComparing(cost -> cost.line() == null ? "" : cost.line())
            .thenComparing(Cost::subject, Comparator.nullsFirst(Comparator.naturalOrder()))
            .thenComparing(cost -> cost.tier() == null ? "" : cost.tier()));
    return costs;
  }

  private static boolean isOf(InvoiceLine line, Segment segment) {
    return line.kind() != InvoiceLine.Kind.ADJUSTMENT
        && line.kind() != InvoiceLine.Kind.CREDIT
        && segment.from().equals(line.from());
  }

  /** Units in their order through what is included and the tiers. */
  private static List<Cost> charged(
      String line, Charge charge, Segment segment, List<DailyUse> use) {
    List<DailyUse> units =
        use.stream()
            .filter(one -> one.meter().equals(charge.meter()))
            .filter(one -> !start(one.day()).isBefore(segment.from()))
            .filter(one -> start(one.day()).isBefore(segment.to()))
            .sorted(DailyUse.ORDER)
            .toList();
    BigDecimal total = units.stream().map(DailyUse::units).reduce(BigDecimal.ZERO, BigDecimal::add);
    ChargePricer.Priced priced = ChargePricer.price(charge, total, segment.share());
    List<Cost> costs = new ArrayList<>();
    PartCursor cursor = new PartCursor(charge, priced);
    for (DailyUse one : units) {
      BigDecimal left = one.units();
      while (left.signum() > 0) {
        ChargePricer.TierPart part = cursor.part();
        BigDecimal taken = left.min(cursor.left());
        if (cursor.isUntouched() && part.flat().signum() > 0) {
          costs.add(tierFee(line, charge, segment, one, part, cursor.name()));
        }
        costs.add(usage(line, charge, segment, one, taken, part.price(), cursor.name()));
        cursor.take(taken);
        left = left.subtract(taken);
      }
    }
    return costs;
  }

  /** Where in the parts of a priced quantity the next unit belongs; the first part is included. */
  private static final class PartCursor {
    private final Charge charge;
    private final List<ChargePricer.TierPart> parts = new ArrayList<>();
    private int index;
    private BigDecimal left;
    private boolean isUntouched = true;

    PartCursor(Charge charge, ChargePricer.Priced priced) {
      this.charge = charge;
      BigDecimal included = priced.quantity().subtract(priced.billed());
      parts.add(
          new ChargePricer.TierPart(included, BigDecimal.ZERO, BigDecimal.ZERO, BigDecimal.ZERO));
      parts.addAll(priced.parts());
      left = included;
      settle();
    }

    private void settle() {
      while (left.signum() == 0 && index < parts.size() - 1) {
        index++;
        left = parts.get(index).quantity();
        isUntouched = true;
      }
    }

    ChargePricer.TierPart part() {
      return parts.get(index);
    }

    BigDecimal left() {
      return left;
    }

    boolean isUntouched() {
      return isUntouched;
    }

    void take(BigDecimal taken) {
      left = left.subtract(taken);
      isUntouched = false;
      settle();
    }

    String name() {
      if (index == 0) {
        return charge.meter() + "-included";
      }
      // Of a volume charge one tier prices all, and the part does not say which; its price does.
      return charge.mode() == TierMode.VOLUME
          ? charge.meter() + "-volume-" + volumeTier()
          : charge.meter() + "-tier-" + index;
    }

    private int volumeTier() {
      for (int i = 0; i < charge.tiers().size(); i++) {
        if (charge.tiers().get(i).price().compareTo(part().price()) == 0) {
          return i + 1;
        }
      }
      throw new IllegalStateException("A part has the price of one of its tiers");
    }
  }

  private static Cost usage(
      String line,
      Charge charge,
      Segment segment,
      DailyUse use,
      BigDecimal units,
      BigDecimal price,
      String tier) {
    BigDecimal original = units.multiply(price).divide(charge.per());
    return new Cost(
        line,
        Cost.Kind.USAGE,
        use.day(),
        start(use.day()),
        start(use.day().plusDays(1)),
        segment.plan().name(),
        charge.meter(),
        tier,
        "Usage: " + charge.meter(),
        use.subject(),
        units,
        charge.per(),
        price,
        original,
        segment.plan().discountPercent());
  }

  private static Cost tierFee(
      String line,
      Charge charge,
      Segment segment,
      DailyUse use,
      ChargePricer.TierPart part,
      String tier) {
    return new Cost(
        line,
        Cost.Kind.TIER_FEE,
        use.day(),
        start(use.day()),
        segment.to(),
        segment.plan().name(),
        charge.meter(),
        tier + "-fee",
        "Fee of a tier: " + charge.meter(),
        null,
        BigDecimal.ONE,
        BigDecimal.ONE,
        part.flat(),
        part.flat(),
        segment.plan().discountPercent());
  }

  private static Cost flat(InvoiceLine line, Cost.Kind kind, Segment segment, LocalDate day) {
    return new Cost(
        line.id(),
        kind,
        day,
        segment.from(),
        segment.to(),
        segment.plan().name(),
        null,
        kind == Cost.Kind.BASE_FEE ? "base-fee" : "minimum",
        line.description(),
        null,
        BigDecimal.ONE,
        BigDecimal.ONE,
        line.exactAmount(),
        line.exactAmount(),
        segment.plan().discountPercent());
  }

  private static Cost rounding(Segment segment, BigDecimal amount) {
    LocalDate day = lastDay(segment);
    return other(null, Cost.Kind.ROUNDING, day, start(day), segment.to(), "Rounding", amount);
  }

  private static Cost whole(InvoiceLine line, Cost.Kind kind, LocalDate day) {
    return other(line.id(), kind, day, line.from(), line.to(), line.description(), line.amount());
  }

  private static Cost other(
      @Nullable String line,
      Cost.Kind kind,
      LocalDate day,
      Instant from,
      Instant to,
      String description,
      BigDecimal amount) {
    return new Cost(
        line,
        kind,
        day,
        from,
        to,
        null,
        null,
        null,
        description,
        null,
        null,
        null,
        null,
        amount,
        BigDecimal.ZERO);
  }

  private static BigDecimal sum(List<Cost> costs) {
    return costs.stream().map(Cost::amount).reduce(BigDecimal.ZERO, BigDecimal::add);
  }

  private static LocalDate lastDay(Segment segment) {
    return day(segment.to()).minusDays(1);
  }

  private static LocalDate day(Instant time) {
    return LocalDate.ofInstant(time, ZoneOffset.UTC);
  }

  private static Instant start(LocalDate day) {
    return day.atStartOfDay(ZoneOffset.UTC).toInstant();
  }
}
