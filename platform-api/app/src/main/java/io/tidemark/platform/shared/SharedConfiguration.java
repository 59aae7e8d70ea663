package io.tidemark.platform.shared;

import java.time.Clock;
import java.util.UUID;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The only place that reads the machine's clock and makes random identifiers. */
@Configuration(proxyBeanMethods = false)
class SharedConfiguration {

  @Bean
  static SettingsCheck settingsCheck() {
    return new SettingsCheck();
  }

  @Bean
  Clock clock() {
    return Clock.systemUTC();
  }

  @Bean
  IdentifierSource identifierSource() {
    return () -> UUID.randomUUID().toString();
  }
}
