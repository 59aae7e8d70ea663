package io.tidemark.platform.selftelemetry;

import io.tidemark.platform.shared.ValidatedSettings;
import java.util.List;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * What this process is called in what it reports of itself.
 *
 * @param instance blank for the name of the host and the port of the APIs
 */
@ConfigurationProperties("tidemark.process")
record ProcessProperties(@DefaultValue("") String instance) implements ValidatedSettings {

  @Override
  public List<String> faults() {
    return instance.matches("[\\x21-\\x7e]{0,255}")
        ? List.of()
        : List.of("TIDEMARK_INSTANCE must be at most 255 visible ASCII characters, or unset");
  }
}
