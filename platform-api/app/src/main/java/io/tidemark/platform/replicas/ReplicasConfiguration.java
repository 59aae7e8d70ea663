package io.tidemark.platform.replicas;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Puts together what processes tell each other. */
@Configuration(proxyBeanMethods = false)
class ReplicasConfiguration {

  @Bean
  SharedCounts sharedCounts() {
    return new SharedCounts();
  }

  @Bean
  RowChanges rowChanges() {
    return new RowChanges();
  }
}
