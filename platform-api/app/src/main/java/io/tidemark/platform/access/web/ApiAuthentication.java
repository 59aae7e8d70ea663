package io.tidemark.platform.access.web;

import io.tidemark.platform.access.Authentication;
import io.tidemark.platform.shared.Caller;
import io.tidemark.platform.shared.CallerOfRequest;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.context.request.RequestAttributes;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.servlet.HandlerInterceptor;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/**
 * Every path below /v2 and /api needs valid credentials; they are checked before the body is
 * parsed. Calls of the control API are then counted against the limit of their organisation.
 */
@Configuration(proxyBeanMethods = false)
class ApiAuthentication implements WebMvcConfigurer, HandlerInterceptor, CallerOfRequest {

  private static final String CALLER = Caller.class.getName();

  private final Authentication authentication;
  private final ControlRateLimit rateLimit;

  ApiAuthentication(Authentication authentication, ControlRateLimit rateLimit) {
    this.authentication = authentication;
    this.rateLimit = rateLimit;
  }

  @Override
  public void addInterceptors(InterceptorRegistry registry) {
    registry.addInterceptor(this).addPathPatterns("/v2/**", "/api/**");
  }

  @Override
  public boolean preHandle(
      HttpServletRequest request, HttpServletResponse response, Object handler) {
    Caller caller = authentication.authenticate(request.getHeader("Authorization"));
    request.setAttribute(CALLER, caller);
    if (request.getRequestURI().startsWith("/api/")) {
      rateLimit.count(caller.organization(), response);
    }
    return true;
  }

  @Override
  public Caller current() {
    Object caller =
        RequestContextHolder.currentRequestAttributes()
            .getAttribute(CALLER, RequestAttributes.SCOPE_REQUEST);
    if (caller == null) {
      throw new IllegalStateException("This path is not below /v2 or /api and has no caller");
    }
    return (Caller) caller;
  }
}
