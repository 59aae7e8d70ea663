package io.tidemark.platform.query;

import io.tidemark.platform.shared.CheckedSettings;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of the Metrics API.
 *
 * @param druid URL of the broker
 * @param datasource where the rows of one minute are
 * @param timeout of one query
 * @param greatestResult greatest number of rows of one answer
 */
@ConfigurationProperties("tidemark.query")
record QueryProperties(
    String druid,
    @DefaultValue("rollup_1m") String datasource,
    @DefaultValue("20s") Duration timeout,
    @DefaultValue("100000") int greatestResult)
    implements CheckedSettings {

  @Override
  public List<String> faults() {
    List<String> faults = new ArrayList<>();
    if (druid == null || !druid.matches("https?://[^\\s/]+/?")) {
      faults.add("TIDEMARK_DRUID must be set to the URL of the broker, http://host:port");
    }
    if (datasource.isBlank()) {
      faults.add("tidemark.query.datasource must name a datasource");
    }
    if (timeout.compareTo(Duration.ofSeconds(1)) < 0) {
      faults.add("tidemark.query.timeout must be at least 1s");
    }
    if (greatestResult < 1) {
      faults.add("tidemark.query.greatest-result must be at least 1");
    }
    return faults;
  }

  URI broker() {
    return URI.create(druid);
  }
}
