package io.tidemark.platform.signin.session;

import io.tidemark.platform.access.SignedInPerson;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpSession;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.session.FindByIndexNameSessionRepository;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;

/**
 * Who the session of a request belongs to, and since when. Ends it when it is over in any case,
 * however much it is used.
 */
public final class PersonSession implements SignedInPerson {

  private static final String PERSON = "tidemark.person";
  private static final String SINCE = "tidemark.signed-in-at";
  private static final String ID_TOKEN = "tidemark.id-token";
  private static final String BROWSER = "tidemark.browser";
  private static final String ADDRESS = "tidemark.address";

  /**
   * A browser in which a person is signed in.
   *
   * @param id of the session; worth nothing without the key of cookies
   * @param name such as "Firefox on Linux"
   * @param address of the network, at sign-in
   * @param current whether it is the one that asks
   */
  public record Browser(
      String id, String name, String address, Instant since, Instant lastUsed, boolean current) {}

  private final FindByIndexNameSessionRepository<?> sessions;
  private final Duration idleTime;
  private final Duration absoluteTime;
  private final Clock clock;

  public PersonSession(
      FindByIndexNameSessionRepository<?> sessions,
      Duration idleTime,
      Duration absoluteTime,
      Clock clock) {
    this.sessions = sessions;
    this.idleTime = idleTime;
    this.absoluteTime = absoluteTime;
    this.clock = clock;
  }

  /**
   * Makes the session the person's. Its identifier must be new.
   *
   * @param idToken what the provider said of them; only given back to it, to sign out there
   */
  public void begin(HttpSession session, String person, @Nullable String idToken) {
    session.setAttribute(PERSON, person);
    session.setAttribute(SINCE, clock.instant().toEpochMilli());
    session.setAttribute(ID_TOKEN, idToken);
    session.setAttribute(FindByIndexNameSessionRepository.PRINCIPAL_NAME_INDEX_NAME, person);
    session.setMaxInactiveInterval((int) idleTime.toSeconds());
  }

  /** Remembers where the person signed in, for their list of sessions. */
  public void describe(HttpServletRequest request) {
    HttpSession session = request.getSession();
    session.setAttribute(BROWSER, BrowserName.of(request.getHeader("User-Agent")));
    session.setAttribute(ADDRESS, request.getRemoteAddr());
  }

  /** Browsers in which a person is signed in, the last used first. */
  public List<Browser> browsers(String person, HttpServletRequest request) {
    HttpSession current = request.getSession(false);
    return sessions.findByPrincipalName(person).entrySet().stream()
        .filter(session -> session.getValue().getAttribute(SINCE) != null)
        .map(
            session ->
                new Browser(
                    session.getKey(),
                    session.getValue().getAttributeOrDefault(BROWSER, "An unknown browser"),
                    session.getValue().getAttributeOrDefault(ADDRESS, ""),
                    Instant.ofEpochMilli(session.getValue().<Long>getRequiredAttribute(SINCE)),
                    session.getValue().getLastAccessedTime(),
                    current != null && session.getKey().equals(current.getId())))
        .sorted(Comparator.comparing(Browser::lastUsed).reversed())
        .toList();
  }

  /** Ends one session of a person; one of somebody else is left alone. */
  public void end(String person, String id) {
    if (sessions.findByPrincipalName(person).containsKey(id)) {
      sessions.deleteById(id);
    }
  }

  @Override
  public Optional<String> id() {
    return request().flatMap(this::of);
  }

  @Override
  public Optional<Session> session() {
    return request()
        .flatMap(
            request ->
                inForce(request)
                    .map(
                        session ->
                            new Session(
                                (String) session.getAttribute(PERSON),
                                FormToken.of(request),
                                idleTime,
                                end(session))));
  }

  private static Optional<HttpServletRequest> request() {
    return RequestContextHolder.getRequestAttributes() instanceof ServletRequestAttributes current
        ? Optional.of(current.getRequest())
        : Optional.empty();
  }

  /** Identifier of the person whose session comes with the request. */
  public Optional<String> of(HttpServletRequest request) {
    return inForce(request).map(session -> (String) session.getAttribute(PERSON));
  }

  /** What the provider said when the person signed in. */
  public Optional<String> idToken(HttpServletRequest request) {
    return inForce(request).map(session -> (String) session.getAttribute(ID_TOKEN));
  }

  private Optional<HttpSession> inForce(HttpServletRequest request) {
    HttpSession session = request.getSession(false);
    if (session == null || session.getAttribute(PERSON) == null) {
      return Optional.empty();
    }
    if (!clock.instant().isBefore(end(session))) {
      session.invalidate();
      return Optional.empty();
    }
    return Optional.of(session);
  }

  private Instant end(HttpSession session) {
    return Instant.ofEpochMilli((Long) session.getAttribute(SINCE)).plus(absoluteTime);
  }

  /**
   * Ends all sessions of a person but one.
   *
   * @param kept identifier of the session that stays; null for none
   */
  public void endAll(String person, @Nullable String kept) {
    sessions.findByPrincipalName(person).keySet().stream()
        .filter(id -> !id.equals(kept))
        .forEach(sessions::deleteById);
  }
}
