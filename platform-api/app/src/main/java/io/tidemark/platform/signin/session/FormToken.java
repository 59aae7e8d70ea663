package io.tidemark.platform.signin.session;

import jakarta.servlet.http.HttpServletRequest;
import org.springframework.security.web.csrf.CsrfToken;

/** The text that a form, or a changing request of a script, has to bring along. */
public final class FormToken {

  private FormToken() {}

  /** It, for the session of the request; begins a session when there is none. */
  public static String of(HttpServletRequest request) {
    return ((CsrfToken) request.getAttribute(CsrfToken.class.getName())).getToken();
  }
}
