package io.tidemark.platform.signin.session;

import io.tidemark.platform.signin.SecretSealer;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import org.springframework.session.web.http.HttpSessionIdResolver;

/**
 * The cookie of a session: its identifier and a mark made with a key that the database does not
 * hold, so that who reads the table of sessions cannot make a cookie. {@code __Host-} binds it to
 * exactly this host and lets browsers keep it only with Secure and the whole path.
 */
public final class SessionCookie implements HttpSessionIdResolver {

  public static final String NAME = "__Host-tidemark-session";

  private static final String PURPOSE = "session cookie";
  private static final String WRITTEN = SessionCookie.class.getName() + ".written";

  private final SecretSealer sealing;

  public SessionCookie(SecretSealer sealing) {
    this.sealing = sealing;
  }

  @Override
  public List<String> resolveSessionIds(HttpServletRequest request) {
    Cookie[] cookies = request.getCookies();
    if (cookies == null) {
      return List.of();
    }
    return java.util.Arrays.stream(cookies)
        .filter(cookie -> cookie.getName().equals(NAME))
        .flatMap(cookie -> session(cookie.getValue()).stream())
        .toList();
  }

  /** Whether the request has such a cookie, good or not. */
  public static boolean isIn(HttpServletRequest request) {
    return request.getCookies() != null
        && java.util.Arrays.stream(request.getCookies())
            .anyMatch(cookie -> cookie.getName().equals(NAME));
  }

  private Optional<String> session(String value) {
    int dot = value.indexOf('.');
    if (dot < 0) {
      return Optional.empty();
    }
    String id = value.substring(0, dot);
    try {
      byte[] mark = Base64.getUrlDecoder().decode(value.substring(dot + 1));
      return sealing.isMark(PURPOSE, id, mark) ? Optional.of(id) : Optional.empty();
    } catch (IllegalArgumentException notBase64) {
      return Optional.empty();
    }
  }

  @Override
  public void setSessionId(
      HttpServletRequest request, HttpServletResponse response, String sessionId) {
    if (!sessionId.equals(request.getAttribute(WRITTEN))) {
      request.setAttribute(WRITTEN, sessionId);
      String mark =
          Base64.getUrlEncoder().withoutPadding().encodeToString(sealing.mark(PURPOSE, sessionId));
      write(response, sessionId + "." + mark, "");
    }
  }

  @Override
  public void expireSession(HttpServletRequest request, HttpServletResponse response) {
    write(response, "", "; Max-Age=0");
  }

  private static void write(HttpServletResponse response, String value, String more) {
    response.addHeader(
        "Set-Cookie", NAME + "=" + value + "; Path=/; Secure; HttpOnly; SameSite=Lax" + more);
  }
}
