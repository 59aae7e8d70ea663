package io.tidemark.platform.signin.web;

import io.tidemark.platform.access.People;
import io.tidemark.platform.audit.Actor;
import io.tidemark.platform.audit.AuditLog;
import io.tidemark.platform.shared.ErrorCode;
import io.tidemark.platform.shared.ProblemException;
import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.signin.ConditionalOnSignIn;
import io.tidemark.platform.signin.ConsoleClient;
import io.tidemark.platform.signin.PublicAddress;
import io.tidemark.platform.signin.SignInProperties;
import io.tidemark.platform.signin.session.PersonSession;
import io.tidemark.platform.signin.session.SessionCookie;
import io.tidemark.platform.tenancy.Organizations;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Arrays;
import java.util.List;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.config.observation.SecurityObservationSettings;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.access.AccessDeniedHandler;
import org.springframework.security.web.context.NullSecurityContextRepository;
import org.springframework.security.web.csrf.CsrfFilter;
import org.springframework.security.web.csrf.CsrfTokenRepository;
import org.springframework.security.web.csrf.HttpSessionCsrfTokenRepository;
import org.springframework.security.web.firewall.HttpFirewall;
import org.springframework.security.web.servlet.util.matcher.PathPatternRequestMatcher;
import org.springframework.security.web.util.matcher.OrRequestMatcher;
import org.springframework.security.web.util.matcher.RequestMatcher;
import org.springframework.web.servlet.HandlerExceptionResolver;

/** What stands between browsers and the application. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnSignIn
class ConsoleSecurity {

  private static final RequestMatcher PAGES =
      paths("/auth/**", "/identity/**", "/join/**", "/account/**");
  private static final RequestMatcher APIS = paths("/api/**", "/v2/**", "/billing/v1/**");

  /** As the controllers' paths are matched: decoded. */
  private static RequestMatcher paths(String... patterns) {
    return new OrRequestMatcher(
        Arrays.stream(patterns)
            .map(PathPatternRequestMatcher.withDefaults()::matcher)
            .toArray(RequestMatcher[]::new));
  }

  @Bean
  Providers providers(SignInProperties properties, ConsoleClient console, PublicAddress address) {
    return new Providers(properties, console, address);
  }

  @Bean
  SignInSuccessHandler signInSuccessHandler(
      Providers providers,
      People people,
      Organizations organizations,
      PersonSession sessions,
      AuditLog audit,
      CsrfTokenRepository tokens,
      SignInFailureRecorder failures,
      SignInProperties properties) {
    return new SignInSuccessHandler(
        providers,
        people,
        organizations,
        sessions,
        audit,
        tokens,
        failures,
        properties.firstAdministrator());
  }

  @Bean
  HttpFirewall firewall() {
    return new CanonicalPathFirewall();
  }

  /** Requests are measured once, as requests; not once more for each filter that they pass. */
  @Bean
  SecurityObservationSettings securityObservations() {
    return SecurityObservationSettings.noObservations();
  }

  @Bean
  CsrfTokenRepository csrfTokens() {
    return new HttpSessionCsrfTokenRepository();
  }

  @Bean
  FilterRegistrationBean<SecurityHeaders> securityHeaders(SignInProperties properties) {
    FilterRegistrationBean<SecurityHeaders> registration =
        new FilterRegistrationBean<>(
            new SecurityHeaders(properties.publicUrl().startsWith("https:")));
    registration.setOrder(Ordered.HIGHEST_PRECEDENCE + 10);
    return registration;
  }

  /** Pages that people see on their way in. */
  @Bean
  @Order(2)
  SecurityFilterChain pages(
      HttpSecurity http,
      Providers providers,
      SignInSuccessHandler signInSuccessHandler,
      CsrfTokenRepository tokens,
      PublicAddress address)
      throws Exception {
    AccessDeniedHandler tooOld =
        (request, response, denied) -> PageTemplates.write(response, tooOldPage());
    return plain(http, tokens, tooOld)
        .securityMatcher(PAGES)
        // A program without a browser has no session yet, and brings a code instead.
        .csrf(csrf -> csrf.ignoringRequestMatchers(paths(CommandLineSignInController.SESSION_PATH)))
        .addFilterBefore(new SameOrigin(address, tooOld), CsrfFilter.class)
        .oauth2Login(
            login ->
                login
                    .loginPage("/auth/sign-in")
                    .clientRegistrationRepository(providers)
                    .authorizedClientRepository(new NoopAuthorizedClientRepository())
                    .authorizationEndpoint(endpoint -> endpoint.baseUri("/auth/start"))
                    .redirectionEndpoint(endpoint -> endpoint.baseUri(ConsoleClient.CALLBACK))
                    .tokenEndpoint(
                        endpoint ->
                            endpoint.accessTokenResponseClient(ProviderHttpClient.tokenClient()))
                    .userInfoEndpoint(
                        endpoint -> endpoint.oidcUserService(ProviderHttpClient.userService()))
                    .successHandler(signInSuccessHandler)
                    .failureHandler(signInSuccessHandler))
        .build();
  }

  private static ResponseEntity<String> tooOldPage() {
    return PageTemplates.page(
        HttpStatus.FORBIDDEN,
        "This form is too old",
        "failed",
        java.util.Map.of("why", "It was open for too long, or did not come from this site."),
        List.of());
  }

  /** The APIs, called with a session instead of a key. */
  @Bean
  @Order(3)
  SecurityFilterChain apisWithSession(
      HttpSecurity http,
      CsrfTokenRepository tokens,
      PublicAddress address,
      PersonSession sessions,
      AuditLog audit,
      @Qualifier("handlerExceptionResolver") HandlerExceptionResolver problems)
      throws Exception {
    AccessDeniedHandler forged =
        (request, response, denied) ->
            problems.resolveException(request, response, null, refusal(request, sessions, audit));
    return plain(http, tokens, forged)
        .securityMatcher(ConsoleSecurity::isWithSession)
        .addFilterBefore(new SameOrigin(address, forged), CsrfFilter.class)
        .build();
  }

  private static boolean isWithSession(HttpServletRequest request) {
    return APIS.matches(request)
        && request.getHeader("Authorization") == null
        && SessionCookie.isIn(request);
  }

  private static ProblemException refusal(
      HttpServletRequest request, PersonSession sessions, AuditLog audit) {
    return sessions
        .of(request)
        .map(
            person -> {
              audit.refused(
                  TenantId.PLATFORM,
                  new Actor("person", person, request.getRemoteAddr()),
                  "session.use",
                  "session",
                  person,
                  ErrorCode.FORBIDDEN);
              return ProblemException.of(
                  ErrorCode.FORBIDDEN,
                  "A change with a session needs the header X-CSRF-TOKEN, with the csrf_token of"
                      + " GET /api/v1/session, and must come from this site.");
            })
        .orElseGet(
            () ->
                ProblemException.of(
                    ErrorCode.UNAUTHENTICATED, "The session is over. Sign in again."));
  }

  private static HttpSecurity plain(
      HttpSecurity http, CsrfTokenRepository tokens, AccessDeniedHandler refusal) throws Exception {
    return http.securityContext(
            context -> context.securityContextRepository(new NullSecurityContextRepository()))
        .requestCache(AbstractHttpConfigurer::disable)
        .logout(AbstractHttpConfigurer::disable)
        .headers(AbstractHttpConfigurer::disable)
        .csrf(csrf -> csrf.csrfTokenRepository(tokens))
        .exceptionHandling(handling -> handling.accessDeniedHandler(refusal))
        .authorizeHttpRequests(requests -> requests.anyRequest().permitAll());
  }
}
