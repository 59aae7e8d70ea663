package io.tidemark.platform.signin.web;

import jakarta.servlet.http.HttpServletRequest;
import java.util.regex.Pattern;
import org.springframework.security.web.firewall.FirewalledRequest;
import org.springframework.security.web.firewall.RequestRejectedException;
import org.springframework.security.web.firewall.StrictHttpFirewall;

/**
 * Refuses paths that name the same thing in another way: whoever compares a path as it was sent
 * sees what the controllers see. RFC 3986 says that letters, digits, '-', '.' and '_' are not
 * encoded.
 *
 * <p>'~' may be, since some clients encode it and no path of ours has one. So may the percent sign:
 * an identifier with one is one that nobody has, which the APIs answer.
 */
final class CanonicalPathFirewall extends StrictHttpFirewall {

  private static final Pattern NEEDLESSLY_ENCODED =
      Pattern.compile("%(?:2[dDeE]|3[0-9]|4[1-9a-fA-F]|5[0-9aA]|5[fF]|6[1-9a-fA-F]|7[0-9aA])");

  CanonicalPathFirewall() {
    setAllowUrlEncodedPercent(true);
  }

  @Override
  public FirewalledRequest getFirewalledRequest(HttpServletRequest request) {
    if (NEEDLESSLY_ENCODED.matcher(request.getRequestURI()).find()) {
      throw new RequestRejectedException(
          "The path has encoded characters that need no encoding (RFC 3986, 2.3)");
    }
    return super.getFirewalledRequest(request);
  }
}
