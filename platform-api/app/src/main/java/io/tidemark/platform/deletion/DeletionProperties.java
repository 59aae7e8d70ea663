package io.tidemark.platform.deletion;

import io.tidemark.platform.shared.ValidatedSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of removing.
 *
 * @param druid URL of the broker
 * @param druidCoordinator URL of the coordinator and overlord; without it nothing is removed from
 *     Druid
 * @param kafka bootstrap servers, where the lake's committer tells what it removed
 * @param settling how long what was accepted may take into the stores
 * @param period how often expired rows are removed; at most half a day, so that they go within one
 * @param step time between looks at removals that run
 */
@ConfigurationProperties("tidemark.deletion")
public record DeletionProperties(
    @DefaultValue("") String druid,
    @DefaultValue("") String druidCoordinator,
    @DefaultValue("") String kafka,
    @DefaultValue("platform-api-removal") String group,
    @DefaultValue("5m") Duration settling,
    @DefaultValue("12h") Duration period,
    @DefaultValue("5s") Duration step)
    implements ValidatedSettings {

  private static final Duration LONGEST_PERIOD = Duration.ofHours(12);

  @Override
  public List<String> faults() {
    List<String> faults = new ArrayList<>();
    if (settling.isNegative()) {
      faults.add("tidemark.deletion.settling must not be negative");
    }
    if (period.isZero() || period.isNegative() || period.compareTo(LONGEST_PERIOD) > 0) {
      faults.add("tidemark.deletion.period must be more than 0 and at most 12h");
    }
    if (step.toMillis() < 1) {
      faults.add("tidemark.deletion.step must be at least 1ms");
    }
    return faults;
  }
}
