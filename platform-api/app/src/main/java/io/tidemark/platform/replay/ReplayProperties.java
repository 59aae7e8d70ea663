package io.tidemark.platform.replay;

import io.tidemark.platform.shared.ValidatedSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Settings of replays.
 *
 * @param kafka bootstrap servers; that they are set is checked with those of the gateway
 * @param pointsTopic of accepted batches
 * @param deadLettersTopic of what the pipeline set aside
 * @param replaysTopic of the notes
 * @param period how often replays that are due are looked for
 * @param maxAge how far back a replay reaches; the topic of dead letters keeps 30 days
 * @param maxLetters that one replay selects
 * @param maxBytes that one replay puts back
 * @param maxRecords of the topic that one replay reads, those of others too
 */
@ConfigurationProperties("tidemark.replay")
public record ReplayProperties(
    @DefaultValue("") String kafka,
    @DefaultValue("telemetry.points.v1") String pointsTopic,
    @DefaultValue("telemetry.dead-letters.v1") String deadLettersTopic,
    @DefaultValue("pipeline.replays.v1") String replaysTopic,
    @DefaultValue("2s") Duration period,
    @DefaultValue("30d") Duration maxAge,
    @DefaultValue("10000") int maxLetters,
    @DefaultValue("256MB") DataSize maxBytes,
    @DefaultValue("2000000") long maxRecords)
    implements ValidatedSettings {

  @Override
  public List<String> faults() {
    List<String> faults = new ArrayList<>();
    if (period.compareTo(Duration.ofMillis(100)) < 0) {
      faults.add("tidemark.replay.period must be 100ms or more");
    }
    if (maxAge.compareTo(Duration.ofHours(1)) < 0) {
      faults.add("tidemark.replay.max-age must be 1h or more");
    }
    if (maxLetters < 1 || maxLetters > 100_000) {
      faults.add("tidemark.replay.max-letters must be 1 to 100000; their ids are held in memory");
    }
    if (maxBytes.toBytes() < 1 || maxRecords < 1) {
      faults.add("tidemark.replay.max-bytes and max-records must be 1 or more");
    }
    return faults;
  }
}
