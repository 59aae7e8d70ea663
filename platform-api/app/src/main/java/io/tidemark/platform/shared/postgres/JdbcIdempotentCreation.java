package io.tidemark.platform.shared.postgres;

import io.tidemark.platform.shared.ErrorCode;
import io.tidemark.platform.shared.IdempotentCreation;
import io.tidemark.platform.shared.ProblemException;
import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.shared.TenantTransactions;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/**
 * Remembers in the table idempotent_request which object a key made: neither request nor answer, so
 * that no secret is kept. The row is written first, which makes a second request wait for the end
 * of the first.
 */
@Component
class JdbcIdempotentCreation implements IdempotentCreation {

  private static final Duration REMEMBERED = Duration.ofHours(24);
  private static final Pattern KEY = Pattern.compile("[!-~]{1,128}");

  private record StoredCreation(byte[] fingerprint, String objectId) {}

  private final TenantTransactions transactions;
  private final JdbcClient jdbc;
  private final Clock clock;

  JdbcIdempotentCreation(TenantTransactions transactions, JdbcClient jdbc, Clock clock) {
    this.transactions = transactions;
    this.jdbc = jdbc;
    this.clock = clock;
  }

  @Override
  public <T> Created<T> once(
      TenantId organization,
      String operation,
      @Nullable String key,
      String request,
      Creation<T> creation) {
    if (key == null) {
      return transactions.within(organization, () -> new Created<>(creation.make().get(), false));
    }
    if (!KEY.matcher(key).matches()) {
      throw ProblemException.of(
          ErrorCode.INVALID_REQUEST,
          "Idempotency-Key must be 1 to 128 visible ASCII characters, without blanks.");
    }
    byte[] fingerprint = fingerprint(request);
    return transactions.within(
        organization,
        () -> {
          forgetOld(organization);
          if (!remember(organization, operation, key, fingerprint)) {
            return new Created<>(
                creation.find().apply(objectOf(organization, operation, key, fingerprint)), true);
          }
          T object = creation.make().get();
          keep(organization, operation, key, creation.id().apply(object));
          return new Created<>(object, false);
        });
  }

  private void forgetOld(TenantId organization) {
    Instant before = clock.instant().minus(REMEMBERED);
    jdbc.sql(
            """
            DELETE FROM idempotent_request
            WHERE organization_id = :organization AND created_at < :before
            """)
        .param("organization", organization.value())
        .param("before", before.atOffset(ZoneOffset.UTC))
        .update();
  }

  private boolean remember(
      TenantId organization, String operation, String key, byte[] fingerprint) {
    return jdbc.sql(
                """
                INSERT INTO idempotent_request
                  (organization_id, operation, idempotency_key, fingerprint, created_at)
                VALUES (:organization, :operation, :key, :fingerprint, :now)
                ON CONFLICT DO NOTHING
                """)
            .param("organization", organization.value())
            .param("operation", operation)
            .param("key", key)
            .param("fingerprint", fingerprint)
            .param("now", clock.instant().atOffset(ZoneOffset.UTC))
            .update()
        == 1;
  }

  private String objectOf(TenantId organization, String operation, String key, byte[] fingerprint) {
    StoredCreation first =
        jdbc.sql(
                """
                SELECT fingerprint, object_id FROM idempotent_request
                WHERE organization_id = :organization AND operation = :operation
                  AND idempotency_key = :key
                """)
            .param("organization", organization.value())
            .param("operation", operation)
            .param("key", key)
            .query((row, number) -> new StoredCreation(row.getBytes(1), row.getString(2)))
            .single();
    if (!MessageDigest.isEqual(first.fingerprint(), fingerprint)) {
      throw ProblemException.of(
          ErrorCode.IDEMPOTENCY_KEY_REUSED,
          "This Idempotency-Key came with another request before. Use a new one for a new object.");
    }
    return first.objectId();
  }

  private void keep(TenantId organization, String operation, String key, String objectId) {
    jdbc.sql(
            """
            UPDATE idempotent_request SET object_id = :object
            WHERE organization_id = :organization AND operation = :operation
              AND idempotency_key = :key
            """)
        .param("organization", organization.value())
        .param("operation", operation)
        .param("key", key)
        .param("object", objectId)
        .update();
  }

  private static byte[] fingerprint(String request) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(request.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("Every Java platform has SHA-256", impossible);
    }
  }
}
