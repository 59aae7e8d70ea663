package io.tidemark.platform.signin.web;

import io.tidemark.platform.access.People;
import io.tidemark.platform.access.Person;
import io.tidemark.platform.audit.Actor;
import io.tidemark.platform.audit.AuditLog;
import io.tidemark.platform.shared.ErrorCode;
import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.signin.Accounts;
import io.tidemark.platform.signin.session.PersonSession;
import io.tidemark.platform.tenancy.Organizations;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.oauth2.core.OAuth2AuthenticationException;
import org.springframework.security.oauth2.core.OAuth2ErrorCodes;
import org.springframework.security.oauth2.core.oidc.user.OidcUser;
import org.springframework.security.web.authentication.AuthenticationFailureHandler;
import org.springframework.security.web.authentication.AuthenticationSuccessHandler;
import org.springframework.security.web.csrf.CsrfTokenRepository;

/** What happens when a browser comes back from the provider. */
final class SignInSuccessHandler
    implements AuthenticationSuccessHandler, AuthenticationFailureHandler {

  static final String RETURN_TO = "tidemark.return-to";

  private static final Set<String> NOT_BEGUN =
      Set.of("authorization_request_not_found", OAuth2ErrorCodes.INVALID_REQUEST);

  private static final Logger LOG = LoggerFactory.getLogger(SignInSuccessHandler.class);

  /** What somebody has to administer on a new installation. */
  private static final List<TenantId> FIRST = List.of(TenantId.PLATFORM, new TenantId("org-demo"));

  private final Providers providers;
  private final People people;
  private final Organizations organizations;
  private final PersonSession sessions;
  private final AuditLog audit;
  private final CsrfTokenRepository tokens;
  private final SignInFailureRecorder failures;
  private final String firstAdmin;

  SignInSuccessHandler(
      Providers providers,
      People people,
      Organizations organizations,
      PersonSession sessions,
      AuditLog audit,
      CsrfTokenRepository tokens,
      SignInFailureRecorder failures,
      String firstAdmin) {
    this.failures = failures;
    this.providers = providers;
    this.people = people;
    this.organizations = organizations;
    this.sessions = sessions;
    this.audit = audit;
    this.tokens = tokens;
    this.firstAdmin = firstAdmin;
  }

  /** The session has a new identifier by now. */
  @Override
  public void onAuthenticationSuccess(
      HttpServletRequest request, HttpServletResponse response, Authentication authentication)
      throws IOException {
    OidcUser user = Objects.requireNonNull((OidcUser) authentication.getPrincipal());
    People.Vouched vouched = vouched(user);
    Optional<Person> disabled =
        people
            .find(vouched.issuer(), vouched.subject())
            .filter(known -> people.isDisabledEverywhere(known.id()));
    if (disabled.isPresent()) {
      refuse(request, response, disabled.get());
      return;
    }
    Person person = people.signedIn(vouched, request.getRemoteAddr());
    if (person.mailVerified()
        && !firstAdmin.isBlank()
        && firstAdmin.equalsIgnoreCase(person.mail())) {
      FIRST.stream()
          .filter(organizations::exists)
          .forEach(
              organization ->
                  people.administerIfNobodyDoes(
                      organization, person.id(), Actor.system("first-administrator")));
    }
    String returnTo = ReturnPath.of((String) request.getSession().getAttribute(RETURN_TO));
    request.getSession().removeAttribute(RETURN_TO);
    sessions.begin(request.getSession(), person.id(), user.getIdToken().getTokenValue());
    sessions.describe(request);
    // Made here: the first requests of a page come together, and each would make one of its own.
    tokens.saveToken(tokens.generateToken(request), request, response);
    response.sendRedirect(returnTo);
  }

  private void refuse(HttpServletRequest request, HttpServletResponse response, Person person)
      throws IOException {
    request.getSession().invalidate();
    audit.refused(
        TenantId.PLATFORM,
        new Actor("person", person.id(), request.getRemoteAddr()),
        "person.sign_in",
        "person",
        person.id(),
        ErrorCode.FORBIDDEN);
    response.sendRedirect("/auth/disabled");
  }

  private People.Vouched vouched(OidcUser user) {
    String issuer =
        providers.isEmbedded()
            ? Accounts.ISSUER
            : Objects.requireNonNull(user.getIdToken().getIssuer()).toString();
    String mail = plain(user.getEmail(), 254);
    String name = plain(user.getFullName(), 100);
    if (name == null) {
      name = plain(user.getPreferredUsername(), 100);
    }
    return new People.Vouched(
        issuer,
        user.getSubject(),
        mail == null ? null : mail.toLowerCase(java.util.Locale.ROOT),
        mail != null && Boolean.TRUE.equals(user.getEmailVerified()),
        name != null ? name : mail != null ? mail : user.getSubject());
  }

  /** What another server says is shown to people and kept: no control characters, not too long. */
  private static @Nullable String plain(@Nullable String text, int most) {
    if (text == null || text.isBlank()) {
      return null;
    }
    String plain = text.strip().replaceAll("\\p{Cntrl}", "?");
    return plain.substring(0, Math.min(plain.length(), most));
  }

  @Override
  public void onAuthenticationFailure(
      HttpServletRequest request, HttpServletResponse response, AuthenticationException failure)
      throws IOException {
    String code =
        failure instanceof OAuth2AuthenticationException known
            ? known.getError().getErrorCode()
            : failure.getClass().getSimpleName();
    LOG.info(
        "A sign-in failed: {} ({})",
        code.replaceAll("\\p{Cntrl}", "?"),
        String.valueOf(failure.getCause()).replaceAll("\\p{Cntrl}", "?"));
    // Anybody can come without a code, or with one that nobody asked for; what was begun is
    // counted.
    if (!NOT_BEGUN.contains(code)) {
      failures.failed(request.getRemoteAddr());
    }
    response.sendRedirect("/auth/failed");
  }
}
