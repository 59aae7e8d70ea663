package io.tidemark.platform.tenancy;

import io.tidemark.platform.shared.TenantId;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import org.jspecify.annotations.Nullable;

/**
 * Identifiers of new organisations: 80 bits as base32. Nobody chooses one, so nobody learns from a
 * refusal which exist.
 */
final class OrganizationIdGenerator {

  private static final String CHARACTERS = "abcdefghijklmnopqrstuvwxyz234567";
  private static final SecureRandom RANDOM = new SecureRandom();

  private OrganizationIdGenerator() {}

  /** A new one; the same one again for the same person and key, when there is a key. */
  static TenantId of(String person, @Nullable String idempotencyKey) {
    byte[] bytes = new byte[16];
    RANDOM.nextBytes(bytes);
    if (idempotencyKey != null) {
      bytes = hash(person + "\n" + idempotencyKey);
    }
    StringBuilder id = new StringBuilder("org-");
    for (int i = 0; i < 16; i++) {
      id.append(CHARACTERS.charAt(bytes[i] & 31));
    }
    return new TenantId(id.toString());
  }

  private static byte[] hash(String text) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("Every Java platform has SHA-256", impossible);
    }
  }
}
