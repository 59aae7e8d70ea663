package io.tidemark.platform.quotas;

import io.tidemark.platform.shared.ValidatedSettings;
import java.util.List;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * The plan: what any organisation may send in a second, at most.
 *
 * @param kafka bootstrap servers, where the pipeline tells of exceeded budgets; that they are set
 *     is checked with those of the gateway
 */
@ConfigurationProperties("tidemark.quota")
public record QuotaProperties(
    @DefaultValue("1000") long requestsPerSecond,
    @DefaultValue("32MB") DataSize bytesPerSecond,
    @DefaultValue("1000000") long pointsPerSecond,
    @DefaultValue("") String kafka)
    implements ValidatedSettings {

  @Override
  public List<String> faults() {
    return requestsPerSecond < 1 || bytesPerSecond.toBytes() < 1 || pointsPerSecond < 1
        ? List.of(
            "TIDEMARK_QUOTA_REQUESTS_PER_SECOND, TIDEMARK_QUOTA_BYTES_PER_SECOND and"
                + " TIDEMARK_QUOTA_POINTS_PER_SECOND must be at least 1")
        : List.of();
  }

  QuotaAmounts plan() {
    return new QuotaAmounts(requestsPerSecond, bytesPerSecond.toBytes(), pointsPerSecond);
  }
}
