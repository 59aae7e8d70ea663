package io.tidemark.platform.sizing.web;

import io.tidemark.platform.sizing.domain.SizingPlanner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Reads costs and prices once, at the start. */
@Configuration(proxyBeanMethods = false)
class SizingConfiguration {

  @Bean
  SizingPlanner sizingPlanner(SizingProperties properties) {
    return properties.planner();
  }
}
