package io.tidemark.platform.signin.provider;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.GrantedAuthority;
import org.springframework.security.core.authority.FactorGrantedAuthority;
import org.springframework.security.core.context.SecurityContext;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.core.context.SecurityContextImpl;
import org.springframework.security.web.context.HttpRequestResponseHolder;
import org.springframework.security.web.context.SecurityContextRepository;

/**
 * Which account the browser has given the password of, as texts in its session: for the provider,
 * what {@code PersonSession} is for the console. Ends with the session, with another password, and
 * after a time in any case.
 */
final class AccountSession implements SecurityContextRepository {

  private static final String ACCOUNT = "tidemark.account";
  private static final String SINCE = "tidemark.password-given-at";
  private static final String TO_CHANGE = "tidemark.account-with-drawn-password";
  private static final String TO_CONFIRM = "tidemark.account-without-second-factor";
  private static final String WANTED = "tidemark.wanted-authorization";

  /** When the account got its password; empty when there is no such account. */
  interface PasswordChanges {
    Optional<Instant> lastOf(String account);
  }

  private final PasswordChanges changes;
  private final Duration absoluteTime;
  private final Clock clock;

  /**
   * Sessions.
   *
   * @param absoluteTime after which the password has to be given again in any case
   */
  AccountSession(PasswordChanges changes, Duration absoluteTime, Clock clock) {
    this.changes = changes;
    this.absoluteTime = absoluteTime;
    this.clock = clock;
  }

  /** The browser gave the right password: its session gets a new identifier and the account. */
  void begin(HttpServletRequest request, String account) {
    newSession(request).setAttribute(ACCOUNT, account);
    request.getSession().setAttribute(SINCE, clock.instant().toEpochMilli());
    request.getSession().removeAttribute(TO_CHANGE);
    request.getSession().removeAttribute(TO_CONFIRM);
  }

  /** The browser gave the right password, and has to give a code before the account is its own. */
  void beginSecondFactor(HttpServletRequest request, String account) {
    newSession(request).setAttribute(TO_CONFIRM, account);
    request.getSession().setAttribute(SINCE, clock.instant().toEpochMilli());
    request.getSession().removeAttribute(TO_CHANGE);
  }

  /** The account whose code is awaited. */
  Optional<String> accountToConfirm(HttpServletRequest request) {
    return text(request, TO_CONFIRM).filter(account -> isInForce(request, account));
  }

  /** The same, but the account can do nothing before it has a new password. */
  void beginChange(HttpServletRequest request, String account) {
    newSession(request).setAttribute(TO_CHANGE, account);
    request.getSession().setAttribute(SINCE, clock.instant().toEpochMilli());
  }

  private static HttpSession newSession(HttpServletRequest request) {
    HttpSession session = request.getSession();
    request.changeSessionId();
    return session;
  }

  Optional<String> account(HttpServletRequest request) {
    return text(request, ACCOUNT).filter(account -> isInForce(request, account));
  }

  /** Whoever gave the password before it was changed, or long ago, gives it again. */
  private boolean isInForce(HttpServletRequest request, String account) {
    if (!(request.getSession().getAttribute(SINCE) instanceof Long since)) {
      return false;
    }
    Instant end = Instant.ofEpochMilli(since).plus(absoluteTime);
    return clock.instant().isBefore(end)
        && changes.lastOf(account).filter(change -> change.toEpochMilli() <= since).isPresent();
  }

  /** The account that has to change its password first. */
  Optional<String> accountToChange(HttpServletRequest request) {
    return text(request, TO_CHANGE).filter(account -> isInForce(request, account));
  }

  /** Remembers the request that the browser was about to make when it was asked who it is. */
  void remember(HttpServletRequest request) {
    request
        .getSession()
        .setAttribute(WANTED, request.getRequestURI() + "?" + request.getQueryString());
  }

  /** That request, once: a path of this server. */
  Optional<String> wanted(HttpServletRequest request) {
    Optional<String> wanted = text(request, WANTED);
    wanted.ifPresent(path -> request.getSession().removeAttribute(WANTED));
    return wanted;
  }

  private static Optional<String> text(HttpServletRequest request, String name) {
    return Optional.ofNullable(request.getSession(false))
        .map(session -> (String) session.getAttribute(name));
  }

  @Override
  @SuppressWarnings("deprecation") // Abstract still, though nobody calls it.
  public SecurityContext loadContext(HttpRequestResponseHolder holder) {
    return context(holder.getRequest());
  }

  @Override
  public org.springframework.security.core.context.DeferredSecurityContext loadDeferredContext(
      HttpServletRequest request) {
    SecurityContext context = context(request);
    return new org.springframework.security.core.context.DeferredSecurityContext() {
      @Override
      public SecurityContext get() {
        return context;
      }

      @Override
      public boolean isGenerated() {
        return context.getAuthentication() == null;
      }
    };
  }

  private SecurityContext context(HttpServletRequest request) {
    return account(request)
        .<SecurityContext>map(
            id ->
                new SecurityContextImpl(
                    UsernamePasswordAuthenticationToken.authenticated(
                        id, null, List.of(passwordGiven(request)))))
        .orElseGet(SecurityContextHolder::createEmptyContext);
  }

  /** Becomes the claim auth_time. */
  private static GrantedAuthority passwordGiven(HttpServletRequest request) {
    return FactorGrantedAuthority.withAuthority(FactorGrantedAuthority.PASSWORD_AUTHORITY)
        .issuedAt(Instant.ofEpochMilli((Long) request.getSession().getAttribute(SINCE)))
        .build();
  }

  @Override
  public void saveContext(
      SecurityContext context, HttpServletRequest request, HttpServletResponse response) {
    // The session has it already.
  }

  @Override
  public boolean containsContext(HttpServletRequest request) {
    return account(request).isPresent();
  }
}
