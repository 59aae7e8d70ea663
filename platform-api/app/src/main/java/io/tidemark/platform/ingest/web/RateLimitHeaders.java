package io.tidemark.platform.ingest.web;

import io.tidemark.platform.ingest.domain.TenantRateLimiter.Standing;
import jakarta.servlet.http.HttpServletResponse;
import java.util.List;
import java.util.stream.Collectors;

/** The headers RateLimit-Policy and RateLimit of the IETF's draft, version 10. */
final class RateLimitHeaders {

  private RateLimitHeaders() {}

  /** Sets both, as things stand when a request begins. */
  static void set(HttpServletResponse response, List<Standing> standings) {
    response.setHeader(
        "RateLimit-Policy",
        standings.stream()
            .map(
                standing ->
                    name(standing)
                        + ";q="
                        + standing.most()
                        + ";w="
                        + standing.window().toSeconds())
            .collect(Collectors.joining(", ")));
    response.setHeader(
        "RateLimit",
        standings.stream()
            .map(
                standing ->
                    name(standing)
                        + ";r="
                        + standing.left()
                        + ";t="
                        + standing.untilFull().toSeconds())
            .collect(Collectors.joining(", ")));
  }

  private static String name(Standing standing) {
    return '"' + standing.quota().wireName() + '"';
  }
}
