package io.tidemark.platform.outbox;

import io.tidemark.platform.shared.ValidatedSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of publishing.
 *
 * @param kafka bootstrap servers; that they are set is checked with those of the gateway
 * @param period time between looks for changes; at most 2 s
 * @param censusPeriod time between statements of completeness
 * @param fullPeriod time after which every record is written again, which mends a topic that lost
 *     some
 */
@ConfigurationProperties("tidemark.outbox")
public record OutboxProperties(
    @DefaultValue("") String kafka,
    @DefaultValue("2s") Duration period,
    @DefaultValue("10s") Duration censusPeriod,
    @DefaultValue("10m") Duration fullPeriod)
    implements ValidatedSettings {

  @Override
  public List<String> faults() {
    List<String> faults = new ArrayList<>();
    if (period.toMillis() < 1 || period.compareTo(Duration.ofSeconds(2)) > 0) {
      faults.add("tidemark.outbox.period must be 1ms to 2s, so that changes are seen within 5s");
    }
    if (censusPeriod.isNegative() || fullPeriod.isNegative()) {
      faults.add("tidemark.outbox.census-period and full-period must not be negative");
    }
    return faults;
  }
}
