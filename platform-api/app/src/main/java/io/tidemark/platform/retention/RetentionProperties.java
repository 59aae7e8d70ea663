package io.tidemark.platform.retention;

import io.tidemark.platform.shared.ValidatedSettings;
import java.util.List;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Where rows are kept.
 *
 * @param druid URL of the broker; that it is set is checked with the queries' settings
 */
@ConfigurationProperties("tidemark.retention")
public record RetentionProperties(@DefaultValue("") String druid) implements ValidatedSettings {

  @Override
  public List<String> faults() {
    return List.of();
  }

  /** The datasources of a level that all share. */
  public List<String> datasources(Level level) {
    return switch (level) {
      case RAW -> throw new IllegalArgumentException("Raw points are in the lake");
      case MINUTES -> List.of("rollup_1m", "rollup_1m_hc");
      case HOURS -> List.of("rollup_1h");
      case DAYS -> List.of("rollup_1d");
    };
  }
}
