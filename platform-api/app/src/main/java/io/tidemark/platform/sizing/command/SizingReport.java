package io.tidemark.platform.sizing.command;

import io.tidemark.platform.sizing.domain.Load;
import io.tidemark.platform.sizing.domain.PriceList;
import io.tidemark.platform.sizing.domain.SizingPart;
import io.tidemark.platform.sizing.domain.SizingPlan;
import io.tidemark.platform.sizing.domain.SizingPlanner;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import java.util.Locale;

/** Plans as text. */
final class SizingReport {

  /** The loads of docs/scaling: points a second, with 60 points of a series in ten minutes. */
  private static final List<Double> DECADES = List.of(1e4, 1e5, 1e6, 1e7, 1e8);

  private final SizingPlanner planner;
  private final PriceList prices;

  SizingReport(SizingPlanner planner) {
    this.planner = planner;
    this.prices = planner.prices();
  }

  /** A plan for people, as a table with a line for each part. */
  String of(Load load) {
    SizingPlan plan = planner.plan(load);
    StringBuilder text = new StringBuilder();
    line(
        text,
        "%.0f points a second of %.0f series; %.0f rows a second; %.1f MB/s into Kafka, %.1f MB/s out; %d slots of the rollup job",
        load.points(),
        load.series(),
        plan.rows(),
        plan.produced(),
        plan.consumed(),
        plan.slots());
    line(text, "");
    String row = "%-31s %-11s %5s %7s %9s %12s %5s  %-40s %s";
    line(
        text,
        row,
        "PART",
        "MACHINE",
        "NODES",
        "BUSY",
        "DISK GB",
        prices.currency() + "/MONTH",
        "FULL",
        "BINDS",
        "ONE MORE BUYS");
    for (SizingPart part : plan.parts()) {
      line(
          text,
          row,
          part.name(),
          part.machine(),
          part.nodes(),
          number("%.1f", part.busyCores()),
          number("%.0f", part.diskGigabytes()),
          money(part.cost(), 2),
          number("%.0f", 100 * part.utilization()) + "%",
          part.binds(),
          part.more());
    }
    line(text, "");
    line(
        text,
        "Object storage: %.0f GB of the lake, %.0f GB of segments: %s %s; %.0f GB a month between zones: %s %s",
        plan.lakeGigabytes(),
        plan.segmentGigabytes(),
        money(plan.objectStorageCost(), 2),
        prices.currency(),
        plan.zoneGigabytes(),
        money(plan.zoneTrafficCost(), 2),
        prices.currency());
    line(
        text,
        "In all %s %s a month. First to bind: %s.",
        money(plan.total(), 2),
        prices.currency(),
        plan.first().name());
    plan.limits().forEach(limit -> line(text, "Does not fit: %s.", limit));
    return text.toString();
  }

  /** The table of docs/scaling. */
  String decades(Load load) {
    StringBuilder text = new StringBuilder();
    line(
        text,
        "| points/s | series | MB/s into Kafka | brokers | rollup nodes | slots | streaming indexers | hot, default historicals | lake, TB | %s a month | binds first |",
        prices.currency());
    line(text, "|%s", "---|".repeat(11));
    for (double points : DECADES) {
      SizingPlan plan = planner.plan(of(load, points));
      line(
          text,
          "| %.0f | %.0f | %.0f | %d | %d | %d | %d | %d, %d | %.1f | %s | %s |",
          points,
          points * 10,
          plan.produced(),
          nodes(plan, "Kafka brokers"),
          nodes(plan, "Flink: rollup"),
          plan.slots(),
          nodes(plan, "Druid: streaming indexers"),
          nodes(plan, "Druid: hot historicals"),
          nodes(plan, "Druid: historicals"),
          plan.lakeGigabytes() / 1000,
          money(plan.total(), 0),
          plan.first().name());
    }
    return text.toString();
  }

  private static Load of(Load load, double points) {
    return new Load(
        points,
        points * 10,
        load.labels(),
        load.late(),
        load.split(),
        load.requests(),
        load.replication(),
        load.groups(),
        load.segmentReplicas(),
        load.taskReplicas(),
        load.kafkaDays(),
        load.minutesDays(),
        load.hotHours(),
        load.lakeDays(),
        load.busy(),
        load.brokers(),
        load.brokerVolume(),
        load.workers(),
        load.historicals());
  }

  private static long nodes(SizingPlan plan, String part) {
    return plan.parts().stream()
        .filter(each -> each.name().equals(part))
        .findFirst()
        .orElseThrow()
        .nodes();
  }

  private static String money(BigDecimal amount, int digits) {
    return amount.setScale(digits, RoundingMode.HALF_UP).toPlainString();
  }

  private static String number(String format, double value) {
    return String.format(Locale.ROOT, format, value);
  }

  private static void line(StringBuilder text, String format, Object... values) {
    text.append(String.format(Locale.ROOT, format, values).stripTrailing()).append('\n');
  }
}
