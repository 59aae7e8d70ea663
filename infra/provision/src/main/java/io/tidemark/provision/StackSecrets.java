package io.tidemark.provision;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.zip.CRC32;

/** What is drawn once for a stack and then stays: passwords, API keys, cluster ids. */
public final class StackSecrets {
  /** What stands above them in a file. */
  public static final String TITLE =
      "Drawn once for this stack. Whoever has this file can act as any tenant.";

  private static final String BASE62 =
      "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
  private static final String BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

  /** Users of the broker, where it asks for one. */
  private static final List<String> KAFKA_USERS =
      List.of(
          "broker",
          "provision",
          "platform-api",
          "rollup",
          "lake",
          "alert",
          "usage",
          "druid",
          "replay");

  private StackSecrets() {}

  /**
   * Draws what is missing.
   *
   * @param known by the names of environment variables; what is there stays
   * @return all, in the order of the file
   */
  public static Map<String, String> complete(Map<String, String> known, SecureRandom random) {
    Map<String, String> values = new LinkedHashMap<>(known);
    values.computeIfAbsent("TIDEMARK_POSTGRES_PASSWORD", k -> text(random, BASE62, 32));
    values.computeIfAbsent("TIDEMARK_POSTGRES_APPLICATION_PASSWORD", k -> text(random, BASE62, 32));
    values.computeIfAbsent("TIDEMARK_CATALOG_PASSWORD", k -> text(random, BASE62, 32));
    values.computeIfAbsent("TIDEMARK_CATALOG_READER_PASSWORD", k -> text(random, BASE62, 32));
    values.computeIfAbsent("TIDEMARK_POSTGRES_OWNER_PASSWORD", k -> text(random, BASE62, 32));
    values.computeIfAbsent("TIDEMARK_KEYSTORE_PASSWORD", k -> text(random, BASE62, 32));
    for (String user : KAFKA_USERS) {
      values.computeIfAbsent(kafkaPassword(user), k -> text(random, BASE62, 32));
    }
    values.computeIfAbsent("TIDEMARK_API_KEY_PEPPER", k -> text(random, BASE62, 48));
    values.computeIfAbsent("TIDEMARK_SIGN_IN_SECRET", k -> text(random, BASE62, 48));
    values.computeIfAbsent("TIDEMARK_API_KEY_ACCEPTED_PEPPERS", k -> "");
    values.computeIfAbsent("TIDEMARK_SIGN_IN_ACCEPTED_SECRETS", k -> "");
    values.computeIfAbsent("TIDEMARK_BOOTSTRAP_SELF_KEY", k -> apiKey("env-self", random));
    values.computeIfAbsent("TIDEMARK_BOOTSTRAP_DEMO_KEY", k -> apiKey("env-demo", random));
    values.computeIfAbsent("TIDEMARK_S3_ACCESS_KEY", k -> text(random, BASE32, 20));
    values.computeIfAbsent("TIDEMARK_S3_SECRET_KEY", k -> text(random, BASE62, 40));
    values.computeIfAbsent("TIDEMARK_KAFKA_CLUSTER_ID", k -> kafkaClusterId(random));
    values.computeIfAbsent(
        "TIDEMARK_FLINK_CLUSTER_ID", k -> "flink-" + text(random, "0123456789abcdef", 8));
    return values;
  }

  /** Name of the password of a user of the broker. */
  public static String kafkaPassword(String user) {
    return "TIDEMARK_KAFKA_" + user.toUpperCase(Locale.ROOT).replace('-', '_') + "_PASSWORD";
  }

  /** An API key as the contract describes it: {@code tdm_<env>_<id>_<secret><checksum>}. */
  public static String apiKey(String environmentId, SecureRandom random) {
    String unsigned =
        "tdm_" + environmentId + "_" + text(random, BASE32, 16) + "_" + text(random, BASE62, 40);
    return unsigned + checksum(unsigned);
  }

  static String checksum(String text) {
    CRC32 crc = new CRC32();
    crc.update(text.getBytes(StandardCharsets.US_ASCII));
    long rest = crc.getValue();
    char[] digits = new char[6];
    for (int i = 5; i >= 0; i--) {
      digits[i] = BASE62.charAt((int) (rest % 62));
      rest /= 62;
    }
    return new String(digits);
  }

  private static String kafkaClusterId(SecureRandom random) {
    UUID uuid = new UUID(random.nextLong(), random.nextLong());
    ByteBuffer bytes =
        ByteBuffer.allocate(16)
            .putLong(uuid.getMostSignificantBits())
            .putLong(uuid.getLeastSignificantBits());
    String id = Base64.getUrlEncoder().withoutPadding().encodeToString(bytes.array());
    // Kafka's tools take an id that starts with a dash for an option.
    return id.startsWith("-") ? "A" + id.substring(1) : id;
  }

  private static String text(SecureRandom random, String alphabet, int length) {
    StringBuilder drawn = new StringBuilder(length);
    for (int i = 0; i < length; i++) {
      drawn.append(alphabet.charAt(random.nextInt(alphabet.length())));
    }
    return drawn.toString();
  }
}
