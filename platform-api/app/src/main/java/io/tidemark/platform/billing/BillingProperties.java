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
 * @param collectingPeriod how often what this platform counted is entered into the ledger
 * @param samplingPeriod how often it is looked whether the stores are measured in this hour
 * @param reconcilingPeriod how often it is looked whether hours are to be reconciled
 * @param costs what a unit of a meter costs to run, for who runs Tidemark; by meter
 * @param secret of which the key is made that signs statements; the same in all instances
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
    @DefaultValue("1m") Duration collectingPeriod,
    @DefaultValue("5m") Duration samplingPeriod,
    @DefaultValue("5m") Duration reconcilingPeriod,
    @DefaultValue Map<String, BigDecimal> costs,
    @DefaultValue("") String secret,
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
    check(faults, "closing-period", closingPeriod);
    check(faults, "watching-period", watchingPeriod);
    check(faults, "collecting-period", collectingPeriod);
    check(faults, "sampling-period", samplingPeriod);
    check(faults, "reconciling-period", reconcilingPeriod);
    return faults;
  }

  private static void check(List<String> faults, String name, Duration period) {
    if (period.compareTo(Duration.ofSeconds(1)) < 0 || period.compareTo(Duration.ofHours(1)) > 0) {
      faults.add("tidemark.billing." + name + " must be 1s to 1h");
    }
  }
}
