package io.tidemark.platform.tenancy.web;

import io.tidemark.contracts.controlapi.model.BudgetLimits;
import io.tidemark.contracts.controlapi.model.BudgetMaximum;
import io.tidemark.contracts.controlapi.model.Budgets;
import io.tidemark.contracts.controlapi.model.BudgetsDraft;
import io.tidemark.contracts.controlapi.model.Environment;
import io.tidemark.contracts.controlapi.model.LifecycleState;
import io.tidemark.contracts.controlapi.model.Organization;
import io.tidemark.contracts.controlapi.model.WhenSeriesExceeded;
import io.tidemark.platform.shared.EntityTags;
import io.tidemark.platform.tenancy.HolderBudgets;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;

/** Between the types of the contract and those of the module. Checks nothing. */
final class TenancyApiMapping {

  private TenancyApiMapping() {}

  static Organization shown(io.tidemark.platform.tenancy.Organization organization) {
    return new Organization(
            organization.id().value(),
            organization.displayName(),
            LifecycleState.fromValue(organization.state().wireName()),
            utc(organization.createdAt()),
            utc(organization.updatedAt()))
        .deleteAfter(utc(organization.deleteAfter()));
  }

  static Environment shown(io.tidemark.platform.tenancy.Environment environment) {
    return new Environment(
            environment.organizationId().value(),
            environment.id().value(),
            environment.displayName(),
            LifecycleState.fromValue(environment.state().wireName()),
            utc(environment.createdAt()),
            utc(environment.updatedAt()))
        .deleteAfter(utc(environment.deleteAfter()));
  }

  static ResponseEntity<Budgets> answer(HolderBudgets budgets) {
    io.tidemark.platform.tenancy.Budgets set = budgets.set();
    io.tidemark.platform.tenancy.Budgets inForce = budgets.inForce();
    io.tidemark.platform.tenancy.Budgets maximum = budgets.maximum();
    return ResponseEntity.ok()
        .eTag(EntityTags.of(budgets.version()))
        .body(
            new Budgets(
                    new BudgetsDraft()
                        .activeSeries(set.activeSeries())
                        .newSeriesPerMinute(set.newSeriesPerMinute())
                        .labelsPerSeries(set.labelsPerSeries())
                        .labelKeysPerMetric(set.labelKeysPerMetric())
                        .labelValueLength(set.labelValueLength())
                        .whenSeriesExceeded(shown(set.seriesOverrunPolicy())),
                    new BudgetLimits(
                        inForce.activeSeries(),
                        inForce.newSeriesPerMinute(),
                        inForce.labelsPerSeries(),
                        inForce.labelKeysPerMetric(),
                        inForce.labelValueLength(),
                        shown(inForce.seriesOverrunPolicy())),
                    utc(budgets.updatedAt()))
                .maximum(
                    new BudgetMaximum(
                        maximum.activeSeries(),
                        maximum.newSeriesPerMinute(),
                        maximum.labelsPerSeries(),
                        maximum.labelKeysPerMetric(),
                        maximum.labelValueLength())));
  }

  static io.tidemark.platform.tenancy.Budgets budgets(BudgetsDraft draft) {
    return new io.tidemark.platform.tenancy.Budgets(
        draft.getActiveSeries(),
        draft.getNewSeriesPerMinute(),
        draft.getLabelsPerSeries(),
        draft.getLabelKeysPerMetric(),
        draft.getLabelValueLength(),
        draft.getWhenSeriesExceeded() == null
            ? null
            : io.tidemark.platform.tenancy.SeriesOverrunPolicy.named(
                draft.getWhenSeriesExceeded().getValue()));
  }

  private static @Nullable WhenSeriesExceeded shown(
      io.tidemark.platform.tenancy.@Nullable SeriesOverrunPolicy seriesOverrunPolicy) {
    return seriesOverrunPolicy == null
        ? null
        : WhenSeriesExceeded.fromValue(seriesOverrunPolicy.wireName());
  }

  private static @Nullable OffsetDateTime utc(@Nullable Instant time) {
    return time == null ? null : time.atOffset(ZoneOffset.UTC);
  }
}
