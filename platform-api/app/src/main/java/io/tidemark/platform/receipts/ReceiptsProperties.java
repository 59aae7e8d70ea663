package io.tidemark.platform.receipts;

import io.tidemark.platform.shared.ValidatedSettings;
import java.time.Duration;
import java.util.List;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of receipts.
 *
 * @param kafka bootstrap servers; that they are set is checked with those of the gateway
 * @param pointsTopic of accepted batches
 * @param deadLettersTopic of what the pipeline set aside
 * @param group of the readers; the instances share the partitions
 * @param kept how long there is a receipt
 */
@ConfigurationProperties("tidemark.receipts")
public record ReceiptsProperties(
    @DefaultValue("") String kafka,
    @DefaultValue("telemetry.points.v1") String pointsTopic,
    @DefaultValue("telemetry.dead-letters.v1") String deadLettersTopic,
    @DefaultValue("platform-api-receipts") String group,
    @DefaultValue("24h") Duration kept)
    implements ValidatedSettings {

  @Override
  public List<String> faults() {
    return kept.compareTo(Duration.ofHours(2)) < 0 || kept.compareTo(Duration.ofDays(31)) > 0
        ? List.of("tidemark.receipts.kept must be 2h to 31d; resends are recognised for an hour")
        : List.of();
  }
}
