package io.tidemark.platform.sizing.web;

import io.tidemark.contracts.controlapi.model.Sizing;
import io.tidemark.contracts.controlapi.model.SizingGain;
import io.tidemark.contracts.controlapi.model.SizingLoad;
import io.tidemark.contracts.controlapi.model.SizingPart;
import io.tidemark.contracts.controlapi.model.SizingResource;
import io.tidemark.contracts.controlapi.model.SizingResourceName;
import io.tidemark.contracts.controlapi.model.SizingUnit;
import io.tidemark.platform.sizing.domain.Figure;
import io.tidemark.platform.sizing.domain.Load;
import io.tidemark.platform.sizing.domain.NodeGain;
import io.tidemark.platform.sizing.domain.Resource;
import io.tidemark.platform.sizing.domain.ResourceUse;
import io.tidemark.platform.sizing.domain.SizingPlan;
import io.tidemark.platform.sizing.domain.SizingPlanner;
import io.tidemark.platform.sizing.domain.Unit;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import java.util.Locale;

/** Plans as the contract shows them. */
final class SizingApiMapping {

  private SizingApiMapping() {}

  static Sizing shown(Load load, SizingPlanner planner) {
    SizingPlan plan = planner.plan(load);
    return new Sizing(
        shown(load),
        plan.rows(),
        plan.produced(),
        plan.consumed(),
        plan.replicated(),
        plan.slots(),
        plan.lakeGigabytes(),
        plan.segmentGigabytes(),
        plan.zoneGigabytes(),
        plan.parts().stream().map(SizingApiMapping::shown).toList(),
        plan.first().name(),
        planner.prices().currency(),
        money(plan.objectStorageCost()),
        money(plan.zoneTrafficCost()),
        money(plan.total()),
        plan.limits(),
        planner.measured().figures().stream()
            .filter(Figure::isAssumed)
            .map(figure -> figure.name().replace('_', ' ') + ": " + figure.source())
            .toList(),
        List.copyOf(planner.prices().machines().keySet()),
        List.copyOf(planner.prices().volumes().keySet()));
  }

  private static SizingLoad shown(Load load) {
    return new SizingLoad(
        load.points(),
        load.series(),
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

  private static SizingPart shown(io.tidemark.platform.sizing.domain.SizingPart part) {
    return new SizingPart(
            part.name(),
            part.machine(),
            part.nodes(),
            part.minimum(),
            part.busyCores(),
            part.diskGigabytes(),
            part.resources().stream().map(SizingApiMapping::shown).toList(),
            part.gains().stream().map(SizingApiMapping::shown).toList(),
            money(part.machineCost()),
            money(part.volumeCost()),
            money(part.cost()),
            money(part.nodeCost()))
        .slots(part.slots() == 0 ? null : part.slots())
        .binding(part.binding().map(use -> shown(use.resource())).orElse(null));
  }

  private static SizingResource shown(ResourceUse use) {
    return new SizingResource(
        shown(use.resource()), use.used(), use.planned(), shown(use.unit()), use.utilization());
  }

  private static SizingGain shown(NodeGain gain) {
    return new SizingGain(gain.amount(), shown(gain.unit()))
        .of(gain.of().isEmpty() ? null : SizingGain.OfEnum.fromValue(gain.of()));
  }

  private static SizingResourceName shown(Resource resource) {
    return SizingResourceName.fromValue(resource.name().toLowerCase(Locale.ROOT));
  }

  private static SizingUnit shown(Unit unit) {
    return SizingUnit.fromValue(unit.name().toLowerCase(Locale.ROOT));
  }

  private static String money(BigDecimal amount) {
    return amount.setScale(2, RoundingMode.HALF_UP).toPlainString();
  }
}
