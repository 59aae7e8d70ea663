package io.tidemark.platform.ingest.web;

import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/**
 * Keeps the ports apart although one container serves both: {@code /v1/metrics}, {@code
 * /api/v1/write} and nothing else on the port of OTLP, and everything else on the port of the APIs.
 */
final class PortSeparation implements Filter {

  static final String METRICS_PATH = "/v1/metrics";
  static final String REMOTE_WRITE_PATH = "/api/v1/write";

  private final OtlpHttpPort otlp;

  PortSeparation(OtlpHttpPort otlp) {
    this.otlp = otlp;
  }

  @Override
  public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    HttpServletRequest exchange = (HttpServletRequest) request;
    boolean onOtlpPort = request.getLocalPort() == otlp.number();
    String path = exchange.getRequestURI();
    boolean forMetrics = METRICS_PATH.equals(path) || REMOTE_WRITE_PATH.equals(path);
    if (onOtlpPort && !forMetrics) {
      OtlpHttpAnswer.nothingHere()
          .write(
              (HttpServletResponse) response,
              WireFormat.of(request.getContentType()).orElse(WireFormat.JSON));
    } else if (!onOtlpPort && forMetrics) {
      ((HttpServletResponse) response).sendError(404);
    } else {
      chain.doFilter(request, response);
    }
  }
}
