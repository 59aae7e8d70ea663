package io.tidemark.platform.access.web;

import io.tidemark.platform.access.Authentication;
import io.tidemark.platform.access.People;
import io.tidemark.platform.access.SignedInPerson;
import io.tidemark.platform.shared.Caller;
import io.tidemark.platform.shared.CurrentCaller;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.List;
import java.util.Optional;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.context.request.RequestAttributes;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.servlet.HandlerInterceptor;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/**
 * Every path below /v2, /api and /billing/v1 needs valid credentials, a key or the session of a
 * person, below /prometheus a key; they are checked before the body is parsed. A request with an
 * Authorization header is a key's, whatever cookies come with it. Calls of the control API are then
 * counted against the limit of the key's organisation, or of the person.
 */
@Configuration(proxyBeanMethods = false)
class ApiAuthentication implements WebMvcConfigurer, HandlerInterceptor, CurrentCaller {

  static final String ORGANIZATION_HEADER = "Tidemark-Organization";

  private static final String CALLER = CurrentCaller.class.getName();

  private final Authentication authentication;
  private final ControlApiRateLimiter rateLimit;
  private final ObjectProvider<SignedInPerson> sessions;
  private final People people;

  ApiAuthentication(
      Authentication authentication,
      ControlApiRateLimiter rateLimit,
      ObjectProvider<SignedInPerson> sessions,
      People people) {
    this.authentication = authentication;
    this.rateLimit = rateLimit;
    this.sessions = sessions;
    this.people = people;
  }

  @Override
  public void addInterceptors(InterceptorRegistry registry) {
    registry
        .addInterceptor(this)
        .addPathPatterns("/v2/**", "/api/**", "/prometheus/**", "/billing/v1/**");
  }

  @Override
  public boolean preHandle(
      HttpServletRequest request, HttpServletResponse response, Object handler) {
    RequestCaller caller = caller(request);
    request.setAttribute(CALLER, caller);
    if (request.getRequestURI().startsWith("/api/")) {
      rateLimit.count(caller.countedAs(), response);
    }
    return true;
  }

  private RequestCaller caller(HttpServletRequest request) {
    String authorization = request.getHeader("Authorization");
    if (authorization == null && !request.getRequestURI().startsWith("/prometheus/")) {
      Optional<String> person =
          Optional.ofNullable(sessions.getIfAvailable()).flatMap(SignedInPerson::id);
      if (person.isPresent()) {
        return new PersonCaller(person.get(), request.getHeader(ORGANIZATION_HEADER), people);
      }
    }
    return new ApiKeyCaller(authentication.authenticate(authorization));
  }

  private static RequestCaller requesting() {
    Object caller =
        RequestContextHolder.currentRequestAttributes()
            .getAttribute(CALLER, RequestAttributes.SCOPE_REQUEST);
    if (caller == null) {
      throw new IllegalStateException(
          "This path is not below /v2, /api, /billing/v1 or /prometheus and has no caller");
    }
    return (RequestCaller) caller;
  }

  @Override
  public Identity identity() {
    return requesting().identity();
  }

  @Override
  public Caller current() {
    return requesting().current();
  }

  @Override
  public Optional<Caller> in(String organization) {
    return requesting().in(organization);
  }

  @Override
  public List<io.tidemark.platform.shared.TenantId> organizations() {
    return requesting().organizations();
  }
}
