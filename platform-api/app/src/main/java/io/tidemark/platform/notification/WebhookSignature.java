package io.tidemark.platform.notification;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.List;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Signs messages as the Standard Webhooks specification says: {@code v1}, HMAC-SHA-256. */
final class WebhookSignature {

  static final String PREFIX = "whsec_";

  private WebhookSignature() {}

  /**
   * The header webhook-signature.
   *
   * @param keys one, or two while a secret is being replaced
   * @param seconds the header webhook-timestamp
   */
  static String header(List<byte[]> keys, String id, long seconds, String body) {
    return keys.stream()
        .map(key -> "v1," + sign(key, id + "." + seconds + "." + body))
        .collect(Collectors.joining(" "));
  }

  private static String sign(byte[] key, String content) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(key, "HmacSHA256"));
      return Base64.getEncoder()
          .encodeToString(mac.doFinal(content.getBytes(StandardCharsets.UTF_8)));
    } catch (GeneralSecurityException impossible) {
      throw new IllegalStateException("Every Java platform has HMAC-SHA-256", impossible);
    }
  }

  /** A key as people get it. */
  static String text(byte[] key) {
    return PREFIX + Base64.getEncoder().encodeToString(key);
  }
}
