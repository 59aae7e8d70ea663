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
 * Counts wrong passwords by account, whether there is one or not, and by network address, for all
 * instances together. Past five for an account, or fifty from an address, none is looked at for a
 * while, which doubles with each further one up to a quarter of an hour. A quarter of an hour
 * without a wrong one forgets all.
 */
final class SignInThrottle {

  private static final int FREE_FOR_ACCOUNT = 5;
  private static final int FREE_FOR_ADDRESS = 50;
  private static final Duration LONGEST = Duration.ofMinutes(15);
  private static final Duration SHORTEST = Duration.ofSeconds(30);

  private record Place(byte[] key, int free) {}

  private final JdbcClient jdbc;
  private final Clock clock;

  SignInThrottle(JdbcClient jdbc, Clock clock) {
    this.jdbc = jdbc;
    this.clock = clock;
  }

  /**
   * Refuses while either is blocked.
   *
   * @throws ProblemException {@code rate_limited}
   */
  void refuseBlocked(String mail, String address) {
    Instant now = clock.instant();
    for (Place place : places(mail, address)) {
      jdbc
          .sql("SELECT blocked_until FROM identity.failed_sign_in WHERE place = :place")
          .param("place", place.key())
          .query(OffsetDateTime.class)
          .list()
          .stream()
          .filter(until -> until != null && until.toInstant().isAfter(now))
          .findFirst()
          .ifPresent(
              until -> {
                throw ProblemException.passing(
                    null,
                    ErrorCode.RATE_LIMITED,
                    "There were too many wrong passwords. Wait some minutes and try again.",
                    Duration.between(now, until.toInstant()).plusSeconds(1));
              });
    }
  }

  /** Counts a wrong one. */
  void failed(String mail, String address) {
    Instant now = clock.instant();
    jdbc.sql("DELETE FROM identity.failed_sign_in WHERE since < :old")
        .param("old", now.minus(LONGEST).atOffset(ZoneOffset.UTC))
        .update();
    for (Place place : places(mail, address)) {
      int failures =
          jdbc.sql(
                  """
                  INSERT INTO identity.failed_sign_in AS f (place, failures, since)
                  VALUES (:place, 1, :now)
                  ON CONFLICT (place) DO UPDATE SET failures = f.failures + 1, since = :now
                  RETURNING failures
                  """)
              .param("place", place.key())
              .param("now", now.atOffset(ZoneOffset.UTC))
              .query(Integer.class)
              .single();
      if (failures >= place.free()) {
        jdbc.sql("UPDATE identity.failed_sign_in SET blocked_until = :until WHERE place = :place")
            .param("place", place.key())
            .param("until", now.plus(block(failures - place.free())).atOffset(ZoneOffset.UTC))
            .update();
      }
    }
  }

  /** Forgets the wrong ones of the account; those of the address stay. */
  void succeeded(String mail) {
    jdbc.sql("DELETE FROM identity.failed_sign_in WHERE place = :place")
        .param("place", hash("account " + mail))
        .update();
  }

  static Duration block(int beyond) {
    Duration block = SHORTEST.multipliedBy(1L << Math.min(beyond, 10));
    return block.compareTo(LONGEST) < 0 ? block : LONGEST;
  }

  private static List<Place> places(String mail, String address) {
    return List.of(
        new Place(hash("account " + mail), FREE_FOR_ACCOUNT),
        new Place(hash("address " + address), FREE_FOR_ADDRESS));
  }

  private static byte[] hash(String text) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("Every Java platform has SHA-256", impossible);
    }
  }
}
