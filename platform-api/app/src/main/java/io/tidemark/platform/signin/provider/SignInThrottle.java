package io.tidemark.platform.signin.provider;

import io.tidemark.platform.shared.ErrorCode;
import io.tidemark.platform.shared.ProblemException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Counts wrong passwords by account, whether there is one or not, by network address, and by both
 * together, for all instances. Past five for an account from one address, fifty from an address, or
 * a hundred for an account, none is looked at for a while, which doubles with each further one up
 * to a quarter of an hour. A quarter of an hour without a wrong one forgets all. So a stranger who
 * knows a mail address keeps its owner out only with many addresses.
 */
final class SignInThrottle {

  private static final int FREE_FOR_BOTH = 5;
  private static final int FREE_FOR_ACCOUNT = 100;
  private static final int FREE_FOR_ADDRESS = 50;
  private static final Duration LONGEST = Duration.ofMinutes(15);
  private static final Duration SHORTEST = Duration.ofSeconds(30);

  /**
   * What is counted.
   *
   * @param isForgotten whether the right password ends it
   */
  private record AttemptSlot(byte[] key, int free, boolean isForgotten) {}

  private final JdbcClient jdbc;
  private final Clock clock;

  SignInThrottle(JdbcClient jdbc, Clock clock) {
    this.jdbc = jdbc;
    this.clock = clock;
  }

  /** A password that is about to be looked at, and counts as a wrong one until it is not. */
  record Attempt(String mail, String address, int freeForAccount) {}

  /**
   * Counts an attempt before its password is looked at, so that attempts made at once are no more
   * than those made one by one.
   *
   * @throws ProblemException {@code rate_limited} while one of the three is blocked
   */
  Attempt begin(String mail, String address) {
    return begin(mail, address, FREE_FOR_ACCOUNT);
  }

  /** The same with few attempts for an account, wherever they come from. */
  Attempt beginStrict(String mail, String address) {
    return begin(mail, address, FREE_FOR_BOTH);
  }

  private Attempt begin(String mail, String address, int freeForAccount) {
    Instant now = clock.instant();
    jdbc.sql("DELETE FROM identity.failed_sign_in WHERE since < :old")
        .param("old", now.minus(LONGEST).atOffset(ZoneOffset.UTC))
        .update();
    for (AttemptSlot place : places(mail, address, freeForAccount)) {
      if (!isCounted(place, now)) {
        throw blocked(place, now);
      }
    }
    return new Attempt(mail, address, freeForAccount);
  }

  private boolean isCounted(AttemptSlot place, Instant now) {
    return jdbc.sql(
            """
            INSERT INTO identity.failed_sign_in AS f (place, failures, since)
            VALUES (:place, 1, :now)
            ON CONFLICT (place) DO UPDATE SET
              failures = f.failures + 1,
              since = :now,
              blocked_until = CASE WHEN f.failures + 1 >= :free THEN
                CAST(:now AS timestamptz)
                  + LEAST(:longest, :shortest * power(2, LEAST(f.failures + 1 - :free, 10)))
                  * interval '1 second' END
            WHERE f.blocked_until IS NULL OR f.blocked_until <= :now
            RETURNING failures
            """)
        .param("place", place.key())
        .param("free", place.free())
        .param("longest", LONGEST.toSeconds())
        .param("shortest", SHORTEST.toSeconds())
        .param("now", now.atOffset(ZoneOffset.UTC))
        .query(Integer.class)
        .optional()
        .isPresent();
  }

  private ProblemException blocked(AttemptSlot place, Instant now) {
    Instant until =
        jdbc.sql("SELECT blocked_until FROM identity.failed_sign_in WHERE place = :place")
            .param("place", place.key())
            .query(OffsetDateTime.class)
            .optional()
            .map(OffsetDateTime::toInstant)
            .filter(end -> end.isAfter(now))
            .orElse(now);
    return ProblemException.passing(
        null,
        ErrorCode.RATE_LIMITED,
        "There were too many wrong passwords. Wait some minutes and try again.",
        Duration.between(now, until).plusSeconds(1));
  }

  /** It was no wrong one: forgets those of the account from there, and does not count it. */
  void succeeded(Attempt attempt) {
    for (AttemptSlot place : places(attempt.mail(), attempt.address(), attempt.freeForAccount())) {
      jdbc.sql(
              """
              UPDATE identity.failed_sign_in SET
                failures = CASE WHEN :forget THEN 0 ELSE greatest(failures - 1, 0) END,
                blocked_until = CASE WHEN :forget OR failures - 1 < :free THEN NULL
                  ELSE blocked_until END
              WHERE place = :place
              """)
          .param("place", place.key())
          .param("free", place.free())
          .param("forget", place.isForgotten())
          .update();
    }
  }

  private static List<AttemptSlot> places(String mail, String address, int freeForAccount) {
    return List.of(
        new AttemptSlot(hash("account " + mail), freeForAccount, freeForAccount == FREE_FOR_BOTH),
        new AttemptSlot(hash("address " + address), FREE_FOR_ADDRESS, false),
        new AttemptSlot(hash("both " + mail + " " + address), FREE_FOR_BOTH, true));
  }

  private static byte[] hash(String text) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("Every Java platform has SHA-256", impossible);
    }
  }
}
