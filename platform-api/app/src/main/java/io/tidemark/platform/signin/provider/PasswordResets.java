package io.tidemark.platform.signin.provider;

import io.tidemark.platform.access.MailSender;
import io.tidemark.platform.audit.Actor;
import io.tidemark.platform.audit.AuditLog;
import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.signin.Accounts.Account;
import io.tidemark.platform.signin.PublicAddress;
import io.tidemark.platform.signin.SecretSealer;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HexFormat;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.springframework.core.task.TaskExecutor;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Links by which people who forgot their password set another one: sent to the mail address of the
 * account, good once, for half an hour. Whoever asks is told the same whether there is an account
 * or not, and as fast: mail leaves on another thread.
 */
final class PasswordResets {

  static final String PAGE = "/identity/reset";

  private static final String PURPOSE = "password reset";
  private static final Duration GOOD_FOR = Duration.ofMinutes(30);
  private static final int TOKEN_BYTES = 32;

  private final JdbcClient jdbc;
  private final JdbcAccounts accounts;
  private final SecretSealer sealing;
  private final SignInThrottle throttle;
  private final MailSender mail;
  private final PublicAddress address;
  private final TaskExecutor executor;
  private final AuditLog audit;
  private final Clock clock;
  private final RandomGenerator random;

  PasswordResets(
      JdbcClient jdbc,
      JdbcAccounts accounts,
      SecretSealer sealing,
      MailSender mail,
      PublicAddress address,
      TaskExecutor executor,
      AuditLog audit,
      Clock clock,
      RandomGenerator random) {
    this.jdbc = jdbc;
    this.accounts = accounts;
    this.sealing = sealing;
    this.throttle = new SignInThrottle(jdbc, clock);
    this.mail = mail;
    this.address = address;
    this.executor = executor;
    this.audit = audit;
    this.clock = clock;
    this.random = random;
  }

  /** Whether this installation sends mail at all. */
  boolean isAvailable() {
    return mail.isAvailable();
  }

  /**
   * Sends a link to the mail address if it has an account.
   *
   * @throws io.tidemark.platform.shared.ProblemException {@code rate_limited} after five requests
   *     for a mail address, or fifty from a network address, within a quarter of an hour
   */
  void request(String wanted, String from) {
    String text = JdbcAccounts.normalized(wanted);
    String attempts = "password reset " + text;
    var unused = throttle.beginStrict(attempts, "password reset " + from);
    executor.execute(() -> accounts.findByMail(text).ifPresent(account -> send(account, from)));
  }

  private void send(Account account, String from) {
    byte[] drawn = new byte[TOKEN_BYTES];
    random.nextBytes(drawn);
    String token = HexFormat.of().formatHex(drawn);
    Instant now = clock.instant();
    jdbc.sql("DELETE FROM identity.password_reset WHERE expires_at < :now")
        .param("now", now.atOffset(ZoneOffset.UTC))
        .update();
    jdbc.sql(
            """
            INSERT INTO identity.password_reset (token_hash, account_id, created_at, expires_at)
            VALUES (:hash, :id, :now, :end)
            """)
        .param("hash", sealing.mark(PURPOSE, token))
        .param("id", account.id())
        .param("now", now.atOffset(ZoneOffset.UTC))
        .param("end", now.plus(GOOD_FOR).atOffset(ZoneOffset.UTC))
        .update();
    boolean sent =
        mail.send(
            account.mail(),
            "Set a new password for Tidemark",
            """
            Somebody, perhaps you, asked for a new password for %s on Tidemark.

            Set it here: %s

            The link works once, for half an hour. If you did not ask for it, leave it alone: the password stays as it is.
            """
                .formatted(account.mail(), address.origin() + PAGE + "?token=" + token));
    audit.done(
        TenantId.PLATFORM,
        new Actor("nobody", "-", from),
        sent ? "account.send_password_link" : "account.fail_to_send_password_link",
        "account",
        account.id(),
        null,
        null);
  }

  /** The account that a link is for, while it is good. */
  Optional<Account> account(String token) {
    return jdbc.sql(
            """
            SELECT account_id FROM identity.password_reset
            WHERE token_hash IN (:hashes) AND expires_at > :now
            """)
        .param("hashes", sealing.marks(PURPOSE, token))
        .param("now", clock.instant().atOffset(ZoneOffset.UTC))
        .query(String.class)
        .optional()
        .flatMap(accounts::find);
  }

  /**
   * Sets the password that the link is for; this link and all others of the account are used up.
   *
   * @return the account; empty when the link is good no more
   * @throws io.tidemark.platform.shared.ProblemException {@code invalid_request} when the password
   *     breaks a rule; the link stays good
   */
  Optional<Account> use(String token, String wanted, String from) {
    Optional<Account> account = account(token);
    if (account.isEmpty()) {
      return account;
    }
    JdbcAccounts.checkPassword(wanted, account.get().mail());
    // The row decides which of two processes used the link.
    int used =
        jdbc.sql("DELETE FROM identity.password_reset WHERE token_hash IN (:hashes)")
            .param("hashes", sealing.marks(PURPOSE, token))
            .update();
    if (used == 0) {
      return Optional.empty();
    }
    jdbc.sql("DELETE FROM identity.password_reset WHERE account_id = :id")
        .param("id", account.get().id())
        .update();
    accounts.setPassword(account.get().id(), wanted, from, "account.reset_password");
    accounts.mailIsProven(account.get().id());
    return account;
  }
}
