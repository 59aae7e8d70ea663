package io.tidemark.flink.io.control;

import com.google.protobuf.InvalidProtocolBufferException;
import io.tidemark.contracts.control.v1.Budgets;
import io.tidemark.contracts.control.v1.MetricRetention;
import io.tidemark.contracts.control.v1.Retention;
import io.tidemark.contracts.control.v1.TenantCensus;
import io.tidemark.contracts.control.v1.TenantControl;
import io.tidemark.contracts.control.v1.TenantState;
import io.tidemark.flink.model.budget.PlanDefaults;
import io.tidemark.flink.model.budget.TenantLimits;
import io.tidemark.flink.model.tenant.EnvironmentSettings;
import io.tidemark.flink.model.tenant.RetentionInForce;

/** What a record of the topic of tenants says, by the contract control/v1/tenant.proto. */
public sealed interface TenantRecord {

  String CENSUS_KEY = "*";

  record Environment(EnvironmentSettings standing) implements TenantRecord {}

  record Gone() implements TenantRecord {}

  record Census(long publishedThroughUnixMs) implements TenantRecord {}

  /** {@code why} is one English sentence. */
  record Unreadable(String why) implements TenantRecord {}

  /** Total: nothing is thrown, whatever the bytes are. */
  static TenantRecord of(ControlRecord record) {
    try {
      if (record.key().equals(CENSUS_KEY)) {
        return census(TenantCensus.parseFrom(record.value()));
      }
      return record.isTombstone()
          ? new Gone()
          : environment(record.key(), TenantControl.parseFrom(record.value()));
    } catch (InvalidProtocolBufferException | RuntimeException e) {
      return new Unreadable("Not a record of the contract: " + e.getMessage());
    }
  }

  /** Key of the record of an environment. */
  static String key(String organizationId, String environmentId) {
    return organizationId + "/" + environmentId;
  }

  private static TenantRecord census(TenantCensus census) {
    return census.getPublishedThroughUnixMs() < 0
        ? new Unreadable("The census has a negative time.")
        : new Census(census.getPublishedThroughUnixMs());
  }

  private static TenantRecord environment(String key, TenantControl tenant) {
    if (!key.equals(key(tenant.getOrganizationId(), tenant.getEnvironmentId()))) {
      return new Unreadable("The key names another environment than the value.");
    }
    TenantState state = tenant.getState();
    if (state == TenantState.TENANT_STATE_UNSPECIFIED || state == TenantState.UNRECOGNIZED) {
      return new Unreadable("The state is missing or unknown.");
    }
    if (isNegative(tenant.getBudgets())
        || isNegative(tenant.getRetention())
        || isNegative(tenant.getRetentionBefore())) {
      return new Unreadable("A limit or a retention is negative, or a pattern is none.");
    }
    Budgets budgets = tenant.getBudgets();
    TenantLimits limits =
        new TenantLimits(
            budgets.getActiveSeries(),
            budgets.getNewSeriesPerMinute(),
            budgets.getLabelsPerSeries(),
            budgets.getLabelKeysPerMetric(),
            budgets.getLabelValueLength());
    return new Environment(
        new EnvironmentSettings(
            state == TenantState.TENANT_STATE_DELETED
                ? tenant.getUpdatedAtUnixMs() + EnvironmentSettings.NOTICE.toMillis()
                : EnvironmentSettings.NEVER,
            limits.orElse(PlanDefaults.LIMITS),
            new RetentionInForce(
                retention(tenant.getRetention()),
                tenant.getRetentionFromUnixMs(),
                retention(tenant.getRetentionBefore())),
            tenant.getVersion()));
  }

  /** The longest of each level: a point must not be too late for a metric that is kept longer. */
  private static io.tidemark.flink.model.budget.Retention retention(Retention sent) {
    io.tidemark.flink.model.budget.Retention longest =
        new io.tidemark.flink.model.budget.Retention(
                sent.getRawSeconds(),
                sent.getRollup1MSeconds(),
                sent.getRollup1HSeconds(),
                sent.getRollup1DSeconds())
            .orElse(PlanDefaults.RETENTION);
    for (MetricRetention metric : sent.getMetricsList()) {
      longest =
          new io.tidemark.flink.model.budget.Retention(
              Math.max(longest.raw(), metric.getRawSeconds()),
              Math.max(longest.minutes(), metric.getRollup1MSeconds()),
              Math.max(longest.hours(), metric.getRollup1HSeconds()),
              Math.max(longest.days(), metric.getRollup1DSeconds()));
    }
    return longest;
  }

  private static boolean isNegative(Budgets budgets) {
    return budgets.getActiveSeries() < 0
        || budgets.getNewSeriesPerMinute() < 0
        || budgets.getLabelsPerSeries() < 0
        || budgets.getLabelKeysPerMetric() < 0
        || budgets.getLabelValueLength() < 0;
  }

  private static boolean isNegative(Retention retention) {
    return retention.getRawSeconds() < 0
        || retention.getRollup1MSeconds() < 0
        || retention.getRollup1HSeconds() < 0
        || retention.getRollup1DSeconds() < 0
        || retention.getMetricsList().stream().anyMatch(TenantRecord::isWrong);
  }

  private static boolean isWrong(MetricRetention retention) {
    String pattern = retention.getPattern();
    int star = pattern.indexOf('*');
    return pattern.isEmpty()
        || (star >= 0 && star < pattern.length() - 1)
        || retention.getRawSeconds() < 0
        || retention.getRollup1MSeconds() < 0
        || retention.getRollup1HSeconds() < 0
        || retention.getRollup1DSeconds() < 0;
  }
}
