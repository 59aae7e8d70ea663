package io.tidemark.platform.ingest.domain;

import io.tidemark.platform.shared.EnvironmentId;
import io.tidemark.platform.shared.TenantId;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * Identifies a batch by its content and, when it has one, its Idempotency-Key, so that a retry of
 * the same bytes to the same environment is recognised behind Kafka: SHA-256 as
 * events/record-headers.yaml says. Also the identifier of the batch's receipt.
 */
public final class BatchId {

  private final byte[] digest;

  private BatchId(byte[] digest) {
    this.digest = digest;
  }

  /** The identity of a body sent to an environment without Idempotency-Key. */
  public static BatchId of(TenantId organization, EnvironmentId environment, byte[] body) {
    return of(organization, environment, null, body);
  }

  /**
   * The identity of a body sent to an environment: the same body sent to two counts in both.
   *
   * @param key null for none
   */
  public static BatchId of(
      TenantId organization, EnvironmentId environment, @Nullable IdempotencyKey key, byte[] body) {
    try {
      MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
      // Neither identifier has a slash.
      sha256.update(
          (organization.value() + "/" + environment.value()).getBytes(StandardCharsets.UTF_8));
      if (key != null) {
        sha256.update((byte) 1);
        sha256.update(key.value().getBytes(StandardCharsets.US_ASCII));
      }
      sha256.update((byte) 0);
      return new BatchId(sha256.digest(body));
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("Every Java platform has SHA-256", impossible);
    }
  }

  /** 32 bytes. */
  public byte[] bytes() {
    return digest.clone();
  }

  /** 64 lower-case hexadecimal digits. */
  public String hex() {
    return HexFormat.of().formatHex(digest);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof BatchId that && Arrays.equals(digest, that.digest);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(digest);
  }

  @Override
  public String toString() {
    return hex();
  }
}
