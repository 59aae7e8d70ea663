package io.tidemark.platform.access.web;

import io.tidemark.platform.access.ControlApiLimits;
import io.tidemark.platform.replicas.SharedCounts;
import java.time.Clock;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Puts the HTTP side together. */
@Configuration(proxyBeanMethods = false)
class AccessWebConfiguration {

  @Bean
  ControlApiRateLimiter controlApiRateLimiter(
      ControlApiLimits limits, Clock clock, SharedCounts counts) {
    return new ControlApiRateLimiter(
        limits.controlRequestsPerMinute(), clock, elsewhere -> counts.open("control", elsewhere));
  }
}
