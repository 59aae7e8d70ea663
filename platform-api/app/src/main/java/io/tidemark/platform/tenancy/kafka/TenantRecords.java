package io.tidemark.platform.tenancy.kafka;

import io.tidemark.contracts.control.v1.Retention;
import io.tidemark.contracts.control.v1.TenantCensus;
import io.tidemark.contracts.control.v1.TenantControl;
import io.tidemark.contracts.control.v1.TenantState;
import io.tidemark.platform.outbox.ControlRecord;
import io.tidemark.platform.outbox.ControlRecords;
import io.tidemark.platform.outbox.ControlTopic;
import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.shared.TenantTransactions;
import io.tidemark.platform.tenancy.Budgets;
import io.tidemark.platform.tenancy.CrossTenantEnvironments;
import io.tidemark.platform.tenancy.EffectiveBudgets;
import io.tidemark.platform.tenancy.Environment;
import io.tidemark.platform.tenancy.EnvironmentChanged;
import io.tidemark.platform.tenancy.Environments;
import io.tidemark.platform.tenancy.LifecycleState;
import io.tidemark.platform.tenancy.Organizations;
import io.tidemark.platform.tenancy.RetentionLookup;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/** Environments as records of the topic control.tenants.v1; its contract says what each means. */
@Component
class TenantRecords implements ControlTopic {

  static final String TOPIC = "control.tenants.v1";
  static final String CENSUS_KEY = "*";

  private final ControlRecords records;
  private final TenantTransactions transactions;
  private final CrossTenantEnvironments places;
  private final Environments environments;
  private final RetentionLookup kept;
  private final Organizations organizations;
  private final EffectiveBudgets budgets;

  TenantRecords(
      ControlRecords records,
      TenantTransactions transactions,
      CrossTenantEnvironments places,
      Environments environments,
      RetentionLookup kept,
      Organizations organizations,
      EffectiveBudgets budgets) {
    this.records = records;
    this.transactions = transactions;
    this.places = places;
    this.environments = environments;
    this.kept = kept;
    this.organizations = organizations;
    this.budgets = budgets;
  }

  /** Writes the record within the transaction of the change. */
  @EventListener
  void on(EnvironmentChanged changed) {
    write(changed.environment());
  }

  private void write(Environment environment) {
    TenantId organization = environment.organizationId();
    records.put(
        organization,
        TOPIC,
        organization + "/" + environment.id(),
        version ->
            withRetention(
                    record(
                        environment,
                        organizations.stateOf(organization),
                        budgets.set(environment),
                        version),
                    kept.of(organization, environment.id()))
                .build()
                .toByteArray());
  }

  @Override
  public void addMissing() {
    for (CrossTenantEnvironments.EnvironmentRef place : places.withoutControlRecord()) {
      transactions.run(
          place.organization(),
          () ->
              environments
                  .inAnyState(place.organization(), place.environment())
                  .ifPresent(this::write));
    }
  }

  @Override
  public Optional<ControlRecord> census(Instant publishedThrough) {
    byte[] value =
        TenantCensus.newBuilder()
            .setPublishedThroughUnixMs(publishedThrough.toEpochMilli())
            .build()
            .toByteArray();
    return Optional.of(new ControlRecord(TOPIC, CENSUS_KEY, value, 0));
  }

  private static TenantControl.Builder withRetention(
      TenantControl.Builder record, Optional<RetentionLookup.InForce> kept) {
    kept.ifPresent(
        inForce ->
            record
                .setRetention(retention(inForce.now()))
                .setRetentionBefore(retention(inForce.before()))
                .setRetentionFromUnixMs(Objects.requireNonNull(inForce.from()).toEpochMilli())
                .setUpdatedAtUnixMs(
                    Math.max(
                        record.getUpdatedAtUnixMs(),
                        Objects.requireNonNull(inForce.updatedAt()).toEpochMilli())));
    return record;
  }

  private static Retention retention(RetentionLookup.RetentionSettings kept) {
    RetentionLookup.Seconds environment = kept.environment();
    Retention.Builder retention =
        Retention.newBuilder()
            .setRawSeconds(environment.raw())
            .setRollup1MSeconds(environment.minutes())
            .setRollup1HSeconds(environment.hours())
            .setRollup1DSeconds(environment.days());
    for (RetentionLookup.OfMetrics exception : kept.metrics()) {
      retention
          .addMetricsBuilder()
          .setPattern(exception.pattern())
          .setRawSeconds(exception.kept().raw())
          .setRollup1MSeconds(exception.kept().minutes())
          .setRollup1HSeconds(exception.kept().hours())
          .setRollup1DSeconds(exception.kept().days());
    }
    return retention.build();
  }

  private static TenantControl.Builder record(
      Environment environment, LifecycleState organization, Budgets budgets, long version) {
    Instant updatedAt =
        environment.updatedAt().isAfter(environment.budgetsUpdatedAt())
            ? environment.updatedAt()
            : environment.budgetsUpdatedAt();
    TenantControl.Builder record =
        TenantControl.newBuilder()
            .setOrganizationId(environment.organizationId().value())
            .setEnvironmentId(environment.id().value())
            .setState(state(environment.state(), organization))
            .setVersion(version)
            .setUpdatedAtUnixMs(updatedAt.toEpochMilli());
    record
        .getBudgetsBuilder()
        .setActiveSeries(orPlan(budgets.activeSeries()))
        .setNewSeriesPerMinute(orPlan(budgets.newSeriesPerMinute()))
        .setLabelsPerSeries((int) orPlan(budgets.labelsPerSeries()))
        .setLabelKeysPerMetric((int) orPlan(budgets.labelKeysPerMetric()))
        .setLabelValueLength((int) orPlan(budgets.labelValueLength()));
    return record;
  }

  /** What does not work in an organisation works in none of its environments. */
  private static TenantState state(LifecycleState environment, LifecycleState organization) {
    LifecycleState state = environment.compareTo(organization) > 0 ? environment : organization;
    return switch (state) {
      case ACTIVE -> TenantState.TENANT_STATE_ACTIVE;
      case ARCHIVED, DELETING -> TenantState.TENANT_STATE_SUSPENDED;
      case DELETED -> TenantState.TENANT_STATE_DELETED;
    };
  }

  /** 0 is how the contract says that the plan's budget is in force. */
  private static long orPlan(@Nullable Number budget) {
    return budget == null ? 0 : budget.longValue();
  }
}
