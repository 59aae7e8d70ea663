package io.tidemark.platform.query.web;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.MediaType;
import org.springframework.web.HttpMediaTypeNotAcceptableException;
import org.springframework.web.accept.HeaderContentNegotiationStrategy;
import org.springframework.web.context.request.NativeWebRequest;
import org.springframework.web.servlet.config.annotation.ContentNegotiationConfigurer;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/**
 * Takes clients that ask for the draft 0.0.1 of OpenMetrics for such that read 1.0, which they do:
 * the text is the same.
 */
@Configuration(proxyBeanMethods = false)
class OpenMetricsNegotiation implements WebMvcConfigurer {

  private static final String VERSION = "version";
  private static final String DRAFT = "0.0.1";

  @Override
  public void configureContentNegotiation(ContentNegotiationConfigurer configurer) {
    configurer.strategies(List.of(new DraftStrategy()));
  }

  /** Drops the version of the draft from what the Accept header names. */
  static final class DraftStrategy extends HeaderContentNegotiationStrategy {

    @Override
    public List<MediaType> resolveMediaTypes(NativeWebRequest request)
        throws HttpMediaTypeNotAcceptableException {
      return super.resolveMediaTypes(request).stream().map(DraftStrategy::withoutDraft).toList();
    }

    private static MediaType withoutDraft(MediaType type) {
      if (!type.getSubtype().equals("openmetrics-text")
          || !DRAFT.equals(type.getParameter(VERSION))) {
        return type;
      }
      Map<String, String> rest = new HashMap<>(type.getParameters());
      rest.remove(VERSION);
      return new MediaType(type, rest);
    }
  }
}
