package io.tidemark.platform.billing;

import io.tidemark.platform.shared.ValidatedSettings;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of billing.
 *
 * @param kafka bootstrap servers; that they are set is checked with those of the gateway
 * @param usageTopic of usage records
 * @param group of the readers; the instances share the partitions
 * @param closingDelay how long after its end a period closes; what the pipeline reads until then
 *     belongs to it
 * @param closingPeriod how often periods that are due are looked for
 * @param watchingPeriod how often budgets are looked at
 * @param costs what a unit of a meter costs to run, for who runs Tidemark; by meter
 * @param issuer as invoices name who issues them
 */
@ConfigurationProperties("tidemark.billing")
public record BillingProperties(
    @DefaultValue("") String kafka,
    @DefaultValue("usage.records.v1") String usageTopic,
    @DefaultValue("platform-api-billing") String group,
    @DefaultValue("24h") Duration closingDelay,
    @DefaultValue("5m") Duration closingPeriod,
    @DefaultValue("1m") Duration watchingPeriod,
    @DefaultValue Map<String, BigDecimal> costs,
    @DefaultValue Issuer issuer)
    implements ValidatedSettings {

  public BillingProperties {
    costs = Map.copyOf(costs);
  }

  /**
   * Who issues invoices.
   *
   * @param address a line each
   * @param taxId empty without one
   */
  public record Issuer(
      @DefaultValue("Tidemark") String name,
      @DefaultValue List<String> address,
      @DefaultValue("") String taxId) {

    public Issuer {
      address = List.copyOf(address);
    }
  }

  @Override
  public List<String> faults() {
    List<String> faults = new ArrayList<>();
    if (closingDelay.compareTo(Duration.ofMinutes(5)) < 0
        || closingDelay.compareTo(Duration.ofDays(14)) > 0) {
      faults.add("tidemark.billing.closing-delay must be 5m to 14d");
    }
    if (closingPeriod.compareTo(Duration.ofSeconds(1)) < 0
        || closingPeriod.compareTo(Duration.ofHours(1)) > 0) {
      faults.add("tidemark.billing.closing-period must be 1s to 1h");
    }
    if (watchingPeriod.compareTo(Duration.ofSeconds(1)) < 0
        || watchingPeriod.compareTo(Duration.ofHours(1)) > 0) {
      faults.add("tidemark.billing.watching-period must be 1s to 1h");
    }
    return faults;
  }
}
