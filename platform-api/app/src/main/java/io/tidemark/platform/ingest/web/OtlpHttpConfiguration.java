package io.tidemark.platform.ingest.web;

import io.tidemark.platform.access.Authentication;
import io.tidemark.platform.ingest.IngestProperties;
import io.tidemark.platform.ingest.application.BatchReceiver;
import io.tidemark.platform.ingest.domain.InFlightByteLimiter;
import io.tidemark.platform.ingest.domain.ReadSlots;
import io.tidemark.platform.shared.ConditionalOnRole;
import io.tidemark.platform.shared.ProcessRole;
import io.tidemark.platform.shared.SpanRecorder;
import jakarta.servlet.Servlet;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;

/** Registers the servlets of senders, and the port that is theirs. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnRole(ProcessRole.INGEST)
class OtlpHttpConfiguration {

  @Bean
  OtlpHttpPort otlpHttpPort(IngestProperties properties) {
    return new OtlpHttpPort(properties.address(), properties.httpPort());
  }

  @Bean
  ReadSlots readSlots() {
    return new ReadSlots(OtlpHttpPort.THREADS / 2);
  }

  @Bean
  ServletRegistrationBean<OtlpHttpServlet> otlpHttpServlet(
      Authentication authentication,
      BatchReceiver gateway,
      InFlightByteLimiter inFlight,
      ReadSlots slots) {
    ServletRegistrationBean<OtlpHttpServlet> registration =
        new ServletRegistrationBean<>(
            new OtlpHttpServlet(authentication, gateway, inFlight, slots),
            PortSeparation.METRICS_PATH);
    registration.setName("otlpHttp");
    registration.setAsyncSupported(true);
    return registration;
  }

  @Bean
  ServletRegistrationBean<RemoteWriteServlet> remoteWriteServlet(
      Authentication authentication,
      BatchReceiver gateway,
      InFlightByteLimiter inFlight,
      ReadSlots slots) {
    ServletRegistrationBean<RemoteWriteServlet> registration =
        new ServletRegistrationBean<>(
            new RemoteWriteServlet(authentication, gateway, inFlight, slots),
            PortSeparation.REMOTE_WRITE_PATH);
    registration.setName("remoteWrite");
    registration.setAsyncSupported(true);
    return registration;
  }

  @Bean
  FilterRegistrationBean<PortSeparation> portSeparation(
      OtlpHttpPort port,
      ServletRegistrationBean<OtlpHttpServlet> metrics,
      ServletRegistrationBean<RemoteWriteServlet> remoteWrite,
      SpanRecorder spans) {
    FilterRegistrationBean<PortSeparation> registration =
        new FilterRegistrationBean<>(
            new PortSeparation(
                port,
                traced(metrics.getServlet(), PortSeparation.METRICS_PATH, spans),
                traced(remoteWrite.getServlet(), PortSeparation.REMOTE_WRITE_PATH, spans)));
    registration.addUrlPatterns("/*");
    registration.setAsyncSupported(true);
    registration.setOrder(Ordered.HIGHEST_PRECEDENCE);
    return registration;
  }

  /** Without a collector nothing stands before a door. */
  private static Servlet traced(@Nullable Servlet door, String route, SpanRecorder spans) {
    Servlet present = Objects.requireNonNull(door);
    return spans.isOn() ? new TracedDoor(present, route, spans) : present;
  }
}
