package io.tidemark.platform.signin.web;

import io.tidemark.platform.signin.PublicAddress;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Set;
import org.springframework.security.access.AccessDeniedException;
import org.springframework.security.web.access.AccessDeniedHandler;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Refuses changes that a browser says come from a page of another origin. Stands beside the CSRF
 * token, which also holds for clients that say nothing.
 */
final class SameOrigin extends OncePerRequestFilter {

  private static final Set<String> SAFE = Set.of("GET", "HEAD", "OPTIONS", "TRACE");

  private final PublicAddress address;
  private final AccessDeniedHandler refusal;

  SameOrigin(PublicAddress address, AccessDeniedHandler refusal) {
    this.address = address;
    this.refusal = refusal;
  }

  @Override
  protected void doFilterInternal(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws ServletException, IOException {
    if (SAFE.contains(request.getMethod()) || isOwn(request)) {
      chain.doFilter(request, response);
    } else {
      refusal.handle(
          request, response, new AccessDeniedException("The request comes from another origin"));
    }
  }

  private boolean isOwn(HttpServletRequest request) {
    String site = request.getHeader("Sec-Fetch-Site");
    if (site != null && !site.equals("same-origin")) {
      return false;
    }
    String origin = request.getHeader("Origin");
    return origin == null || origin.equals(address.origin());
  }
}
