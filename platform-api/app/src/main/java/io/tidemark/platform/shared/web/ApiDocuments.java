package io.tidemark.platform.shared.web;

import org.springframework.context.annotation.Configuration;
import org.springframework.web.servlet.config.annotation.ViewControllerRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/** The short address of the page that shows the contracts. */
@Configuration(proxyBeanMethods = false)
class ApiDocuments implements WebMvcConfigurer {

  private static final String PAGE = "/docs/index.html";

  @Override
  public void addViewControllers(ViewControllerRegistry registry) {
    registry.addRedirectViewController("/docs", PAGE);
    registry.addRedirectViewController("/docs/", PAGE);
  }
}
