package io.tidemark.platform.signin.web;

import io.tidemark.platform.signin.SecretSealer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Base64;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Codes that a browser hands to a program on its machine, in PostgreSQL, because another instance
 * may redeem them. A code alone is worth nothing: who redeems it has to know what its challenge was
 * made of.
 */
final class CommandLineCodes {

  static final Duration LIFETIME = Duration.ofMinutes(1);

  private static final String PURPOSE = "command line code";
  private static final int BYTES = 32;

  private final JdbcClient jdbc;
  private final SecretSealer sealing;
  private final Clock clock;
  private final SecureRandom random;

  CommandLineCodes(JdbcClient jdbc, SecretSealer sealing, Clock clock, SecureRandom random) {
    this.jdbc = jdbc;
    this.sealing = sealing;
    this.clock = clock;
    this.random = random;
  }

  /** A code for the person, for whoever has what the challenge was made of. */
  String draw(String person, String challenge) {
    OffsetDateTime now = clock.instant().atOffset(ZoneOffset.UTC);
    jdbc.sql("DELETE FROM identity.command_line_code WHERE expires_at < :now")
        .param("now", now)
        .update();
    byte[] drawn = new byte[BYTES];
    random.nextBytes(drawn);
    String code = Base64.getUrlEncoder().withoutPadding().encodeToString(drawn);
    jdbc.sql(
            """
            INSERT INTO identity.command_line_code (code_hash, person_id, challenge, expires_at)
            VALUES (:hash, :person, :challenge, :expires)
            """)
        .param("hash", sealing.mark(PURPOSE, code))
        .param("person", person)
        .param("challenge", challenge)
        .param("expires", now.plus(LIFETIME))
        .update();
    return code;
  }

  /** Whose code it is, once; empty when it is wrong, used, too old, or of another program. */
  Optional<String> redeem(String code, String verifier) {
    record Row(String person, String challenge, OffsetDateTime expires) {}
    return jdbc.sql(
            """
            DELETE FROM identity.command_line_code WHERE code_hash IN (:hashes)
            RETURNING person_id, challenge, expires_at
            """)
        .param("hashes", sealing.marks(PURPOSE, code))
        .query(
            (row, number) ->
                new Row(row.getString(1), row.getString(2), row.getObject(3, OffsetDateTime.class)))
        .optional()
        .filter(row -> row.expires().toInstant().isAfter(clock.instant()))
        .filter(row -> row.challenge().equals(challenge(verifier)))
        .map(Row::person);
  }

  /** The challenge of a verifier: SHA-256, Base64 for addresses (RFC 7636, S256). */
  static String challenge(String verifier) {
    try {
      return Base64.getUrlEncoder()
          .withoutPadding()
          .encodeToString(
              MessageDigest.getInstance("SHA-256")
                  .digest(verifier.getBytes(StandardCharsets.US_ASCII)));
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("Every Java platform has SHA-256", impossible);
    }
  }
}
