package io.tidemark.platform.signin.provider;

import io.tidemark.platform.shared.ProblemException;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The account that is there when nobody has one yet. Its password is drawn, printed this once, kept
 * as a hash, and good for nothing but to set another one.
 */
final class FirstAdministrator {

  private static final Logger LOG = LoggerFactory.getLogger(FirstAdministrator.class);

  /** Without characters that look alike. */
  private static final String CHARACTERS = "abcdefghjkmnpqrstuvwxyz23456789";

  private final String mail;
  private final RandomGenerator random;

  FirstAdministrator(String mail, RandomGenerator random) {
    this.mail = mail;
    this.random = random;
  }

  /** Makes the account on the very first start. */
  void ensure(JdbcAccounts accounts) {
    if (accounts.any()) {
      return;
    }
    String password = draw();
    try {
      accounts.createFirst(mail, password);
    } catch (ProblemException taken) {
      // Another instance was faster, and printed its password.
      return;
    }
    LOG.warn(
        "First sign-in: mail address {} and password {} (shown this once; it has to be changed)",
        mail,
        password);
  }

  private String draw() {
    StringBuilder password = new StringBuilder();
    for (int i = 0; i < 24; i++) {
      password.append(i > 0 && i % 6 == 0 ? "-" : "");
      password.append(CHARACTERS.charAt(random.nextInt(CHARACTERS.length())));
    }
    return password.toString();
  }
}
