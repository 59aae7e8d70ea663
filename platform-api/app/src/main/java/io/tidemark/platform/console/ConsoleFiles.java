package io.tidemark.platform.console;

import io.tidemark.platform.shared.ConditionalOnRole;
import io.tidemark.platform.shared.ProcessRole;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.io.ClassPathResource;
import org.springframework.core.io.Resource;
import org.springframework.http.CacheControl;
import org.springframework.web.servlet.config.annotation.ResourceHandlerRegistry;
import org.springframework.web.servlet.config.annotation.ViewControllerRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import org.springframework.web.servlet.resource.PathResourceResolver;

/**
 * Serves the console. Assets carry a hash in their names and are kept by browsers; the document is
 * asked for anew each time, so that a new version is there at the next visit.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnRole(ProcessRole.CONTROL)
class ConsoleFiles implements WebMvcConfigurer {

  private static final String FILES = "classpath:/static/console/";
  private static final Duration A_YEAR = Duration.ofDays(365);

  @Override
  public void addResourceHandlers(ResourceHandlerRegistry registry) {
    registry
        .addResourceHandler("/console/assets/**")
        .addResourceLocations(FILES + "assets/")
        .setCacheControl(CacheControl.maxAge(A_YEAR).cachePublic().immutable());
    registry
        .addResourceHandler("/console/**")
        .addResourceLocations(FILES)
        .setCacheControl(CacheControl.noCache())
        .resourceChain(false)
        .addResolver(new PageOrFile());
  }

  @Override
  public void addViewControllers(ViewControllerRegistry registry) {
    registry.addRedirectViewController("/console", "/console/");
    // An empty path below a handler is no resource. Where no console was built, nothing is here.
    if (new ClassPathResource("static/console/index.html").exists()) {
      registry.addViewController("/console/").setViewName("forward:/console/index.html");
    }
  }

  /** A path that is no file is a page, which the document's script shows. */
  private static final class PageOrFile extends PathResourceResolver {

    @Override
    protected @Nullable Resource getResource(String path, Resource location) throws IOException {
      Resource file = super.getResource(path, location);
      return file != null ? file : super.getResource("index.html", location);
    }
  }
}
