package io.tidemark.platform.tenancy;

import io.tidemark.platform.shared.ValidatedSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The most that any organisation may give itself. Tenants share the pipeline's memory, so a tenant
 * lowers its own budgets and only an operator raises what is above them.
 *
 * @param organizationCreators who may make organisations
 * @param maxEnvironments of one organisation, those that are deleted for good left out
 * @param maxActiveSeries budget of series of one environment
 * @param maxNewSeriesPerMinute budget of new series of one environment
 * @param maxLabelsPerSeries budget of attributes of one series
 * @param maxLabelKeysPerMetric budget of names of point attributes of one metric
 * @param maxLabelValueLength budget of characters of one value or name
 */
@ConfigurationProperties("tidemark.plan")
public record PlanProperties(
    @DefaultValue("administrators") OrganizationCreators organizationCreators,
    @DefaultValue("100") int maxEnvironments,
    @DefaultValue("200000") long maxActiveSeries,
    @DefaultValue("50000") long maxNewSeriesPerMinute,
    @DefaultValue("64") int maxLabelsPerSeries,
    @DefaultValue("64") int maxLabelKeysPerMetric,
    @DefaultValue("1024") int maxLabelValueLength)
    implements ValidatedSettings {

  @Override
  public List<String> faults() {
    List<String> faults = new ArrayList<>();
    if (maxEnvironments < 1) {
      faults.add("TIDEMARK_PLAN_MAX_ENVIRONMENTS must be at least 1");
    }
    Budgets plan = Budgets.PLAN;
    if (maxActiveSeries < Objects.requireNonNull(plan.activeSeries())
        || maxNewSeriesPerMinute < Objects.requireNonNull(plan.newSeriesPerMinute())
        || maxLabelsPerSeries < Objects.requireNonNull(plan.labelsPerSeries())
        || maxLabelKeysPerMetric < Objects.requireNonNull(plan.labelKeysPerMetric())
        || maxLabelValueLength < Objects.requireNonNull(plan.labelValueLength())) {
      faults.add("tidemark.plan.max-* of budgets must be at least those of vocabulary/plan.yaml");
    }
    return faults;
  }
}
