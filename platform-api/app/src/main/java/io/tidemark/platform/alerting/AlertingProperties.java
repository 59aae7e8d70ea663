package io.tidemark.platform.alerting;

import io.tidemark.platform.shared.ValidatedSettings;
import java.time.Duration;
import java.util.List;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of alerting.
 *
 * @param kafka bootstrap servers, where the pipeline says what became of alerts
 * @param group consumer group; the instances share the partitions
 * @param suppressionPeriod time between looks for incidents whose silence has ended
 * @param runbooks URL below which the pages of docs/runbooks are, without a slash at its end; empty
 *     for none
 * @param ownPacks packs of alert rules that the platform's own organisation has
 * @param pruningPeriod time between looks for rows that are older than is promised
 */
@ConfigurationProperties("tidemark.alerting")
public record AlertingProperties(
    @DefaultValue("") String kafka,
    @DefaultValue("platform-api-alerting") String group,
    @DefaultValue("2s") Duration suppressionPeriod,
    @DefaultValue("") String runbooks,
    @DefaultValue List<String> ownPacks,
    @DefaultValue("1h") Duration pruningPeriod)
    implements ValidatedSettings {

  @Override
  public List<String> faults() {
    return suppressionPeriod.toMillis() < 1 || pruningPeriod.toMillis() < 1
        ? List.of("tidemark.alerting.suppression-period and pruning-period must be more than 0")
        : List.of();
  }
}
