package io.tidemark.platform.catalog;

import io.tidemark.platform.shared.ValidatedSettings;
import java.util.List;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of discovering.
 *
 * @param kafka bootstrap servers; that they are set is checked with those of the gateway
 * @param topics of rollup rows that are read
 * @param group of the readers; the instances share the rows
 */
@ConfigurationProperties("tidemark.catalog")
public record CatalogProperties(
    @DefaultValue("") String kafka,
    @DefaultValue({"telemetry.rollup-1m.v1", "telemetry.rollup-1m-hc.v1"}) List<String> topics,
    @DefaultValue("platform-api-catalog") String group)
    implements ValidatedSettings {

  @Override
  public List<String> faults() {
    return topics.isEmpty()
        ? List.of("tidemark.catalog.topics must name the topics of rollup rows")
        : List.of();
  }
}
