package io.tidemark.platform.signin.provider;

import com.eatthepath.otp.TimeBasedOneTimePasswordGenerator;
import io.tidemark.platform.audit.Actor;
import io.tidemark.platform.audit.AuditLog;
import io.tidemark.platform.shared.ErrorCode;
import io.tidemark.platform.shared.ProblemException;
import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.signin.SealedSecrets;
import io.tidemark.platform.signin.SecretSealer;
import java.net.URI;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.random.RandomGenerator;
import javax.crypto.spec.SecretKeySpec;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;
import org.springframework.web.util.UriComponentsBuilder;

/**
 * Second factors of accounts: one-time codes of an app (RFC 6238, six digits of thirty seconds) and
 * recovery codes. A code works once, also with two processes; wrong ones are throttled like
 * passwords and written down.
 */
final class SecondFactors implements SealedSecrets {

  static final int RECOVERY_CODES = 10;

  private static final String PURPOSE = "second factor";
  private static final String RECOVERY = "recovery code";
  private static final String ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
  private static final int SECRET_BYTES = 20;
  private static final int RECOVERY_CHARACTERS = 10;

  /** Clocks of phones differ: the step before and the one after are taken too. */
  private static final int[] STEPS = {0, -1, 1};

  /**
   * A factor that waits for its first code.
   *
   * @param secret in base 32, as apps take it by hand
   * @param address what apps read from the picture (otpauth)
   */
  record Enrolment(String secret, URI address) {

    @Override
    public String toString() {
      return "Enrolment[]";
    }
  }

  private final JdbcClient jdbc;
  private final TransactionTemplate transactions;
  private final SecretSealer sealing;
  private final SignInThrottle throttle;
  private final AuditLog audit;
  private final Clock clock;
  private final RandomGenerator random;
  private final TimeBasedOneTimePasswordGenerator codes = new TimeBasedOneTimePasswordGenerator();

  SecondFactors(
      JdbcClient jdbc,
      TransactionTemplate transactions,
      SecretSealer sealing,
      AuditLog audit,
      Clock clock,
      RandomGenerator random) {
    this.jdbc = jdbc;
    this.transactions = transactions;
    this.sealing = sealing;
    this.throttle = new SignInThrottle(jdbc, clock);
    this.audit = audit;
    this.clock = clock;
    this.random = random;
  }

  /** Whether the account is asked for a code at sign-in. */
  boolean isOn(String account) {
    return jdbc.sql(
            """
            SELECT EXISTS (SELECT FROM identity.second_factor
                           WHERE account_id = :id AND confirmed_at IS NOT NULL)
            """)
        .param("id", account)
        .query(Boolean.class)
        .single();
  }

  /** Recovery codes that the account has left. */
  int recoveryCodesLeft(String account) {
    return jdbc.sql(
            "SELECT count(*) FROM identity.recovery_code WHERE account_id = :id AND used_at IS NULL")
        .param("id", account)
        .query(Integer.class)
        .single();
  }

  /**
   * The factor that waits for its first code; draws a secret when none waits. The same one while
   * the person tries, so that a page opened twice shows one picture.
   *
   * @throws ProblemException {@code conflict} when a factor is on
   */
  Enrolment enrol(String account, String mail) {
    if (isOn(account)) {
      throw ProblemException.of(ErrorCode.CONFLICT, "A second factor is on. Remove it first.");
    }
    byte[] drawn = new byte[SECRET_BYTES];
    random.nextBytes(drawn);
    jdbc.sql(
            """
            INSERT INTO identity.second_factor (account_id, sealed, created_at)
            VALUES (:id, :sealed, :now) ON CONFLICT (account_id) DO NOTHING
            """)
        .param("id", account)
        .param("sealed", sealing.seal(PURPOSE, account, drawn))
        .param("now", clock.instant().atOffset(ZoneOffset.UTC))
        .update();
    String secret = base32(secret(account).orElseThrow());
    return new Enrolment(
        secret,
        UriComponentsBuilder.fromUriString("otpauth://totp/Tidemark:{mail}")
            .queryParam("secret", secret)
            .queryParam("issuer", "Tidemark")
            .encode()
            .buildAndExpand(mail)
            .toUri());
  }

  /**
   * Turns the factor on with its first code.
   *
   * @return recovery codes, which are shown once
   * @throws ProblemException {@code unauthenticated} when the code is not right; {@code
   *     rate_limited} after too many
   */
  List<String> confirm(String account, String code, String address) {
    takeOneTimeCode(account, code, address);
    List<String> drawn = new ArrayList<>();
    transactions.executeWithoutResult(
        transaction -> {
          jdbc.sql("UPDATE identity.second_factor SET confirmed_at = :now WHERE account_id = :id")
              .param("id", account)
              .param("now", clock.instant().atOffset(ZoneOffset.UTC))
              .update();
          jdbc.sql("DELETE FROM identity.recovery_code WHERE account_id = :id")
              .param("id", account)
              .update();
          for (int i = 0; i < RECOVERY_CODES; i++) {
            String recovery = recoveryCode();
            drawn.add(recovery);
            jdbc.sql(
                    "INSERT INTO identity.recovery_code (account_id, code_hash) VALUES (:id, :hash)")
                .param("id", account)
                .param("hash", hash(account, recovery))
                .update();
          }
        });
    tell(account, address, "account.add_second_factor");
    return drawn;
  }

  /**
   * Takes a one-time code or a recovery code, once.
   *
   * @throws ProblemException as {@link #confirm}
   */
  void check(String account, String code, String address) {
    String plain = plain(code);
    if (plain.length() != RECOVERY_CHARACTERS) {
      takeOneTimeCode(account, code, address);
      return;
    }
    SignInThrottle.Attempt attempt = throttle.beginStrict(attempts(account), address);
    int taken =
        jdbc.sql(
                """
                UPDATE identity.recovery_code SET used_at = :now
                WHERE account_id = :id AND code_hash IN (:hashes) AND used_at IS NULL
                """)
            .param("id", account)
            .param("hashes", sealing.marks(RECOVERY, account + " " + plain))
            .param("now", clock.instant().atOffset(ZoneOffset.UTC))
            .update();
    if (taken == 0) {
      throw refused(account, address);
    }
    throttle.succeeded(attempt);
    tell(account, address, "account.use_recovery_code");
  }

  /** Turns the factor off; its recovery codes go with it. */
  void remove(String account, String address) {
    int removed =
        jdbc.sql("DELETE FROM identity.second_factor WHERE account_id = :id")
            .param("id", account)
            .update();
    if (removed > 0) {
      tell(account, address, "account.remove_second_factor");
    }
  }

  private void takeOneTimeCode(String account, String code, String address) {
    SignInThrottle.Attempt attempt = throttle.beginStrict(attempts(account), address);
    OptionalLong step =
        secret(account).map(secret -> step(secret, plain(code))).orElse(OptionalLong.empty());
    // The row decides which of two processes took the code.
    boolean taken =
        step.isPresent()
            && jdbc.sql(
                        """
                        UPDATE identity.second_factor SET last_step = :step
                        WHERE account_id = :id AND last_step < :step
                        """)
                    .param("id", account)
                    .param("step", step.getAsLong())
                    .update()
                == 1;
    if (!taken) {
      throw refused(account, address);
    }
    throttle.succeeded(attempt);
  }

  private OptionalLong step(byte[] secret, String code) {
    Instant now = clock.instant();
    long seconds = codes.getTimeStep().toSeconds();
    for (int by : STEPS) {
      Instant at = now.plusSeconds(by * seconds);
      try {
        if (codes
            .generateOneTimePasswordString(new SecretKeySpec(secret, codes.getAlgorithm()), at)
            .equals(code)) {
          return OptionalLong.of(at.getEpochSecond() / seconds);
        }
      } catch (InvalidKeyException impossible) {
        throw new IllegalStateException("A key of twenty bytes fits", impossible);
      }
    }
    return OptionalLong.empty();
  }

  @Override
  public boolean acceptsOthers() {
    return sealing.acceptsOthers();
  }

  @Override
  public String what() {
    return "second factors";
  }

  @Override
  public int renew() {
    record Row(String account, byte[] sealed) {}
    int renewed = 0;
    for (Row row :
        jdbc.sql("SELECT account_id, sealed FROM identity.second_factor")
            .query((found, number) -> new Row(found.getString(1), found.getBytes(2)))
            .list()) {
      renewed += renew(row.account(), row.sealed());
    }
    return renewed;
  }

  /** One that was set up anew meanwhile is left alone, and so is one of an unknown secret. */
  private int renew(String account, byte[] sealed) {
    try {
      return sealing
          .renewed(PURPOSE, account, sealed)
          .map(
              present ->
                  jdbc.sql(
                          """
                          UPDATE identity.second_factor SET sealed = :present
                          WHERE account_id = :id AND sealed = :before
                          """)
                      .param("present", present)
                      .param("id", account)
                      .param("before", sealed)
                      .update())
          .orElse(0);
    } catch (GeneralSecurityException unknownSecret) {
      return 0;
    }
  }

  private Optional<byte[]> secret(String account) {
    return jdbc.sql("SELECT sealed FROM identity.second_factor WHERE account_id = :id")
        .param("id", account)
        .query(byte[].class)
        .optional()
        .map(
            bytes -> {
              try {
                return sealing.open(PURPOSE, account, bytes);
              } catch (GeneralSecurityException unreadable) {
                throw new IllegalStateException(
                    "TIDEMARK_SIGN_IN_SECRET is not the one that sealed this second factor",
                    unreadable);
              }
            });
  }

  private ProblemException refused(String account, String address) {
    audit.refused(
        TenantId.PLATFORM,
        new Actor("account", account, address),
        "account.second_factor",
        "account",
        account,
        ErrorCode.UNAUTHENTICATED);
    return ProblemException.of(
        ErrorCode.UNAUTHENTICATED,
        "That code is not right, or was used before. Wait for the next one; look at the clock of"
            + " the phone if it happens again.");
  }

  private void tell(String account, String address, String action) {
    audit.done(
        TenantId.PLATFORM,
        new Actor("account", account, address),
        action,
        "account",
        account,
        null,
        null);
  }

  /** Its own place in the throttle: guesses of codes do not block the password. */
  private static String attempts(String account) {
    return "second factor " + account;
  }

  private String recoveryCode() {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < RECOVERY_CHARACTERS; i++) {
      text.append(ALPHABET.charAt(random.nextInt(ALPHABET.length())));
    }
    return text.toString();
  }

  private byte[] hash(String account, String code) {
    return sealing.mark(RECOVERY, account + " " + code);
  }

  /** As people type it: with blanks and hyphens, in any case. */
  private static String plain(String code) {
    return code == null ? "" : code.replaceAll("[\\s-]", "").toUpperCase(Locale.ROOT);
  }

  private static String base32(byte[] bytes) {
    StringBuilder text = new StringBuilder();
    for (int bit = 0; bit < bytes.length * 8; bit += 5) {
      int at = bit / 8;
      int pair = (bytes[at] & 0xff) << 8 | (at + 1 < bytes.length ? bytes[at + 1] & 0xff : 0);
      text.append(ALPHABET.charAt(pair >> (11 - bit % 8) & 31));
    }
    return text.toString();
  }
}
