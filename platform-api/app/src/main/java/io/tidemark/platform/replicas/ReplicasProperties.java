package io.tidemark.platform.replicas;

import io.tidemark.platform.shared.ValidatedSettings;
import java.time.Duration;
import java.util.List;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How processes tell each other of limits.
 *
 * @param period how often
 */
@ConfigurationProperties("tidemark.replicas")
record ReplicasProperties(@DefaultValue("1s") Duration period) implements ValidatedSettings {

  @Override
  public List<String> faults() {
    return period.compareTo(Duration.ofMillis(50)) < 0
            || period.compareTo(Duration.ofSeconds(5)) > 0
        ? List.of("tidemark.replicas.period must be 50ms to 5s")
        : List.of();
  }
}
