package io.tidemark.platform.replicas;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Puts the counts together. */
@Configuration(proxyBeanMethods = false)
class ReplicasConfiguration {

  @Bean
  SharedCounts sharedCounts() {
    return new SharedCounts();
  }
}
