package io.tidemark.platform.signin.provider;

import io.tidemark.platform.audit.Actor;
import io.tidemark.platform.audit.AuditLog;
import io.tidemark.platform.shared.DisplayName;
import io.tidemark.platform.shared.ErrorCode;
import io.tidemark.platform.shared.ProblemException;
import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.signin.Accounts;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.security.crypto.password.PasswordEncoder;

/** Accounts in the table identity.account. Wrong passwords are throttled and written down. */
final class JdbcAccounts implements Accounts {

  private static final String CHARACTERS = "abcdefghijklmnopqrstuvwxyz234567";
  private static final TenantId LOG = TenantId.PLATFORM;

  private record Stored(Account account, String passwordHash) {}

  private final JdbcClient jdbc;
  private final PasswordEncoder passwords;
  private final SignInThrottle throttle;
  private final AuditLog audit;
  private final Clock clock;
  private final RandomGenerator random;
  private final String nobodys;

  JdbcAccounts(
      JdbcClient jdbc,
      PasswordEncoder passwords,
      AuditLog audit,
      Clock clock,
      RandomGenerator random) {
    this.jdbc = jdbc;
    this.passwords = passwords;
    this.throttle = new SignInThrottle(jdbc, clock);
    this.audit = audit;
    this.clock = clock;
    this.random = random;
    this.nobodys = passwords.encode(Long.toHexString(random.nextLong()));
  }

  @Override
  public Account authenticate(String mail, String password, String address) {
    String text = normalized(mail);
    SignInThrottle.Attempt attempt = throttle.begin(text, address);
    Optional<Stored> stored = byMail(text);
    // As long for an address without an account.
    boolean right = matches(password, stored.map(Stored::passwordHash).orElse(nobodys));
    if (stored.isEmpty() || !right) {
      audit.refused(
          LOG,
          new Actor("nobody", "-", address),
          "account.sign_in",
          "account",
          stored.map(known -> known.account().id()).orElse("(unknown)"),
          ErrorCode.UNAUTHENTICATED);
      throw ProblemException.of(
          ErrorCode.UNAUTHENTICATED, "Mail address and password do not fit each other.");
    }
    throttle.succeeded(attempt);
    return stored.get().account();
  }

  /** The mail address as accounts have it, of what somebody typed. */
  static String normalized(String mail) {
    String named = mail.strip().toLowerCase(Locale.ROOT);
    return named.substring(0, Math.min(named.length(), 254)).replaceAll("\\p{Cntrl}", "?");
  }

  private boolean matches(String password, String hash) {
    // Longer ones cannot have been set, and the encoder refuses them with an exception.
    return PasswordRule.fits(password) && passwords.matches(password, hash);
  }

  @Override
  public Optional<Account> find(String id) {
    return jdbc.sql("SELECT * FROM identity.account WHERE id = :id")
        .param("id", id)
        .query((row, number) -> stored(row).account())
        .optional();
  }

  Optional<Account> findByMail(String mail) {
    return byMail(mail).map(Stored::account);
  }

  /** When the account got its password; empty when there is no such account. */
  Optional<Instant> passwordChangedAt(String id) {
    return jdbc.sql("SELECT password_changed_at FROM identity.account WHERE id = :id")
        .param("id", id)
        .query(OffsetDateTime.class)
        .optional()
        .map(OffsetDateTime::toInstant);
  }

  private Optional<Stored> byMail(String mail) {
    return jdbc.sql("SELECT * FROM identity.account WHERE mail = :mail")
        .param("mail", mail)
        .query((row, number) -> stored(row))
        .optional();
  }

  /** Whether there is any account. */
  boolean any() {
    return jdbc.sql("SELECT EXISTS (SELECT FROM identity.account)").query(Boolean.class).single();
  }

  @Override
  public Account create(String mail, String displayName, String password, boolean mailVerified) {
    List<String> faults = new ArrayList<>(PasswordRule.faults(password, mail));
    DisplayName.check("Your name", displayName, faults);
    if (!faults.isEmpty()) {
      throw ProblemException.of(ErrorCode.INVALID_REQUEST, faults);
    }
    if (mailVerified) {
      removeUnproven(mail);
    }
    return add(mail, displayName, password, new State(false, mailVerified));
  }

  /** Makes an account whose password was drawn and has to be changed at the first sign-in. */
  Account createFirst(String mail, String drawn) {
    return add(mail, "Administrator", drawn, new State(true, true));
  }

  /**
   * Somebody made an account of the address who never proved that it is theirs. Whoever proves it
   * gets an account of their own, which has nothing of the other's.
   */
  private void removeUnproven(String mail) {
    jdbc.sql("DELETE FROM identity.account WHERE mail = :mail AND NOT mail_verified RETURNING id")
        .param("mail", mail.toLowerCase(Locale.ROOT))
        .query(String.class)
        .optional()
        .ifPresent(
            id ->
                audit.done(
                    LOG, Actor.system("accounts"), "account.remove", "account", id, null, null));
  }

  private record State(boolean mustChangePassword, boolean mailVerified) {}

  private Account add(String mail, String displayName, String password, State state) {
    StringBuilder id = new StringBuilder("acc-");
    for (int i = 0; i < 16; i++) {
      id.append(CHARACTERS.charAt(random.nextInt(CHARACTERS.length())));
    }
    Account made =
        new Account(
            id.toString(),
            mail.toLowerCase(Locale.ROOT),
            displayName,
            state.mustChangePassword(),
            state.mailVerified());
    try {
      jdbc.sql(
              """
              INSERT INTO identity.account
                (id, mail, display_name, password_hash, must_change_password, mail_verified,
                 created_at, password_changed_at)
              VALUES (:id, :mail, :name, :hash, :change, :verified, :now, :now)
              """)
          .param("id", made.id())
          .param("mail", made.mail())
          .param("name", displayName)
          .param("hash", passwords.encode(password))
          .param("change", state.mustChangePassword())
          .param("verified", state.mailVerified())
          .param("now", clock.instant().atOffset(ZoneOffset.UTC))
          .update();
    } catch (DuplicateKeyException taken) {
      throw ProblemException.of(
          ErrorCode.CONFLICT, "This mail address has an account. Sign in with its password.");
    }
    audit.done(LOG, Actor.system("accounts"), "account.create", "account", made.id(), null, made);
    return made;
  }

  @Override
  public void changePassword(String id, String present, String wanted, String address) {
    Account account =
        find(id)
            .orElseThrow(() -> ProblemException.of(ErrorCode.NOT_FOUND, "There is no account."));
    authenticate(account.mail(), present, address);
    List<String> faults = new ArrayList<>(PasswordRule.faults(wanted, account.mail()));
    if (wanted.equals(present)) {
      faults.add("The new password is the present one.");
    }
    if (!faults.isEmpty()) {
      throw ProblemException.of(ErrorCode.INVALID_REQUEST, faults);
    }
    setPassword(id, wanted, address, "account.change_password");
  }

  /**
   * Refuses passwords that break a rule.
   *
   * @throws ProblemException {@code invalid_request}
   */
  static void checkPassword(String wanted, String mail) {
    List<String> faults = PasswordRule.faults(wanted, mail);
    if (!faults.isEmpty()) {
      throw ProblemException.of(ErrorCode.INVALID_REQUEST, faults);
    }
  }

  /** Gives the account a password that was checked, and writes down which way. */
  void setPassword(String id, String checked, String address, String action) {
    jdbc.sql(
            """
            UPDATE identity.account SET
              password_hash = :hash, must_change_password = false, password_changed_at = :now
            WHERE id = :id
            """)
        .param("id", id)
        .param("hash", passwords.encode(checked))
        .param("now", clock.instant().atOffset(ZoneOffset.UTC))
        .update();
    audit.done(LOG, new Actor("account", id, address), action, "account", id, null, null);
  }

  /** Whoever holds a link that was sent to the address reads its mail. */
  void mailIsProven(String id) {
    jdbc.sql("UPDATE identity.account SET mail_verified = true WHERE id = :id")
        .param("id", id)
        .update();
  }

  private static Stored stored(ResultSet row) throws SQLException {
    return new Stored(
        new Account(
            row.getString("id"),
            row.getString("mail"),
            row.getString("display_name"),
            row.getBoolean("must_change_password"),
            row.getBoolean("mail_verified")),
        row.getString("password_hash"));
  }
}
