package io.tidemark.platform.signin.web;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * What browsers are told with every answer: nothing runs here but what this server sends, nobody
 * frames it, guesses types or learns where somebody came from.
 */
final class SecurityHeaders extends OncePerRequestFilter {

  private static final String POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'"
          + " data:; font-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

  /** The console writes no HTML of its own; where a library did, the browser refuses it. */
  private static final String CONSOLE_POLICY = POLICY + "; require-trusted-types-for 'script'";

  private final boolean encrypted;

  /**
   * The headers.
   *
   * @param encrypted whether browsers reach the server by https, and shall from now on
   */
  SecurityHeaders(boolean encrypted) {
    this.encrypted = encrypted;
  }

  @Override
  protected boolean shouldNotFilter(HttpServletRequest request) {
    // Doors of metrics, where no browser comes.
    String path = request.getRequestURI();
    return path.equals("/v1/metrics") || path.equals("/api/v1/write");
  }

  @Override
  protected void doFilterInternal(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws ServletException, IOException {
    response.setHeader(
        "Content-Security-Policy",
        request.getRequestURI().startsWith("/console/") ? CONSOLE_POLICY : POLICY);
    response.setHeader("X-Content-Type-Options", "nosniff");
    response.setHeader("X-Frame-Options", "DENY");
    // With no-referrer, browsers send the forms of our own pages with "Origin: null".
    response.setHeader("Referrer-Policy", "same-origin");
    response.setHeader("Cross-Origin-Opener-Policy", "same-origin");
    response.setHeader("Cross-Origin-Resource-Policy", "same-origin");
    response.setHeader("Permissions-Policy", "camera=(), geolocation=(), microphone=()");
    if (encrypted) {
      response.setHeader("Strict-Transport-Security", "max-age=31536000");
    }
    chain.doFilter(request, response);
  }
}
