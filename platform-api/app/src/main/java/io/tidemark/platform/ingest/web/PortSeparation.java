package io.tidemark.platform.ingest.web;

import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.Servlet;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Map;

/**
 * Keeps the ports apart although one container serves both: {@code /v1/metrics}, {@code
 * /api/v1/write} and nothing else on the port of OTLP, and everything else on the port of the APIs.
 * The filters of the APIs, for sessions, forms and pages, are not on the way of senders.
 */
final class PortSeparation implements Filter {

  static final String METRICS_PATH = "/v1/metrics";
  static final String REMOTE_WRITE_PATH = "/api/v1/write";

  private final OtlpHttpPort otlp;
  private final Map<String, Servlet> doors;

  PortSeparation(OtlpHttpPort otlp, Servlet metrics, Servlet remoteWrite) {
    this.otlp = otlp;
    this.doors = Map.of(METRICS_PATH, metrics, REMOTE_WRITE_PATH, remoteWrite);
  }

  @Override
  public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    HttpServletRequest exchange = (HttpServletRequest) request;
    boolean onOtlpPort = request.getLocalPort() == otlp.number();
    Servlet door = doors.get(exchange.getRequestURI());
    if (onOtlpPort && door != null) {
      door.service(request, response);
    } else if (onOtlpPort) {
      OtlpHttpResponse.notFoundPage()
          .write(
              (HttpServletResponse) response,
              WireFormat.of(request.getContentType()).orElse(WireFormat.JSON));
    } else if (door != null) {
      ((HttpServletResponse) response).sendError(404);
    } else {
      chain.doFilter(request, response);
    }
  }
}
