package io.tidemark.platform.signin.provider;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;

/** Length and nothing but length, as current advice has it, and not the obvious. */
final class PasswordRule {

  private static final int MIN = 12;

  /** bcrypt looks at no more. */
  private static final int MAX_BYTES = 72;

  private PasswordRule() {}

  /** Whether a password of that length can have been set at all. */
  static boolean fits(String password) {
    return password != null && password.getBytes(StandardCharsets.UTF_8).length <= MAX_BYTES;
  }

  /** What is wrong with the password for that mail address; empty when nothing is. */
  static List<String> faults(String password, String mail) {
    String text = password == null ? "" : password;
    if (text.codePointCount(0, text.length()) < MIN) {
      return List.of("A password has at least " + MIN + " characters.");
    }
    if (text.getBytes(StandardCharsets.UTF_8).length > MAX_BYTES) {
      return List.of("A password has at most " + MAX_BYTES + " bytes.");
    }
    if (text.toLowerCase(Locale.ROOT).contains(mail.substring(0, mail.indexOf('@')))
        || text.codePoints().distinct().count() < 5) {
      return List.of("That password is too easy to guess.");
    }
    return List.of();
  }
}
