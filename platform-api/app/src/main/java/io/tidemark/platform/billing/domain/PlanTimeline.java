package io.tidemark.platform.billing.domain;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Which plan is in force when: the default one, and from their dates on those that were chosen. */
public final class PlanTimeline {

  /** A part of a period under one plan. */
  public record Segment(Instant from, Instant to, PricePlan plan, Share share) {}

  private final PricePlan byDefault;
  private final TreeMap<LocalDate, PricePlan> plans = new TreeMap<>();

  /**
   * @param versions in the order in which they were chosen; of one date the last one counts
   */
  public PlanTimeline(PricePlan byDefault, List<PlanVersion> versions) {
    this.byDefault = byDefault;
    for (PlanVersion version : versions) {
      plans.put(version.effectiveFrom(), version.plan());
    }
  }

  public PricePlan at(LocalDate day) {
    Map.Entry<LocalDate, PricePlan> chosen = plans.floorEntry(day);
    return chosen == null ? byDefault : chosen.getValue();
  }

  public PricePlan at(Instant time) {
    return at(LocalDate.ofInstant(time, ZoneOffset.UTC));
  }

  /** Parts of the period without gaps; neighbours have different plans. */
  public List<Segment> segments(BillingPeriod period) {
    List<Segment> segments = new ArrayList<>();
    LocalDate from = period.firstDay();
    PricePlan plan = at(from);
    LocalDate end = period.next().firstDay();
    for (Map.Entry<LocalDate, PricePlan> change :
        plans.subMap(from, false, end, false).entrySet()) {
      if (!change.getValue().equals(plan)) {
        segments.add(segment(period, from, change.getKey(), plan));
        from = change.getKey();
        plan = change.getValue();
      }
    }
    segments.add(segment(period, from, end, plan));
    return segments;
  }

  private static Segment segment(
      BillingPeriod period, LocalDate from, LocalDate to, PricePlan plan) {
    Instant start = from.atStartOfDay(ZoneOffset.UTC).toInstant();
    Instant end = to.atStartOfDay(ZoneOffset.UTC).toInstant();
    return new Segment(
        start, end, plan, new Share(Duration.between(start, end).toHours(), period.hours()));
  }
}
