package io.tidemark.stack;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.UUID;
import java.util.zip.CRC32;

/**
 * What is drawn once for a stack and then stays: passwords, API keys, cluster ids. Kept in {@code
 * secrets.env}, mode 0600.
 */
public record StackIdentity(Map<String, String> values) {
  private static final String BASE62 =
      "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
  private static final String TITLE =
      "Drawn once for this stack. Whoever has this file can act as any tenant.";
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

  public StackIdentity {
    values = Map.copyOf(values);
  }

  /** Reads the file, draws what is missing, and writes it back when something was drawn. */
  public static StackIdentity loadOrDraw(Path file, SecureRandom random) {
    Map<String, String> values = new LinkedHashMap<>(EnvironmentFile.read(file));
    int before = values.size();
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
    if (values.size() != before) {
      EnvironmentFile.write(file, TITLE, values);
    }
    return new StackIdentity(values);
  }

  /** Secrets that the next {@code make up} brings into force by itself. */
  static final Map<String, String> ROTATABLE =
      Map.of(
          "application-password",
          "TIDEMARK_POSTGRES_APPLICATION_PASSWORD",
          "catalog-reader-password",
          "TIDEMARK_CATALOG_READER_PASSWORD",
          "api-key-pepper",
          "TIDEMARK_API_KEY_PEPPER",
          "sign-in-secret",
          "TIDEMARK_SIGN_IN_SECRET");

  /** Where the one before is named while what was made with it is still taken. */
  private static final Map<String, String> ACCEPTED =
      Map.of(
          "TIDEMARK_API_KEY_PEPPER",
          "TIDEMARK_API_KEY_ACCEPTED_PEPPERS",
          "TIDEMARK_SIGN_IN_SECRET",
          "TIDEMARK_SIGN_IN_ACCEPTED_SECRETS");

  /**
   * Draws one secret anew.
   *
   * @param what a key of {@link #ROTATABLE}
   */
  static StackIdentity rotate(Path file, String what, SecureRandom random) {
    String name = ROTATABLE.get(what);
    if (name == null) {
      throw new StackFailure(
          "There is no secret '"
              + what
              + "' to rotate. Known: "
              + String.join(", ", new TreeSet<>(ROTATABLE.keySet()))
              + ", and certificates.");
    }
    Map<String, String> values = new LinkedHashMap<>(EnvironmentFile.read(file));
    String before = values.remove(name);
    if (values.isEmpty()) {
      throw new StackFailure(file + " holds no secrets: no stack has run there.");
    }
    if (before != null && ACCEPTED.containsKey(name)) {
      values.put(ACCEPTED.get(name), before);
    }
    EnvironmentFile.write(file, TITLE, values);
    return loadOrDraw(file, random);
  }

  /** The identity of a second region: its own, but for what both must have alike. */
  StackIdentity joining(FirstRegion first) {
    Map<String, String> joined = new LinkedHashMap<>(values);
    FirstRegion.SHARED.forEach(name -> joined.put(name, first.secret(name)));
    return new StackIdentity(joined);
  }

  /** Name of the password of a user of the broker. */
  public static String kafkaPassword(String user) {
    return "TIDEMARK_KAFKA_" + user.toUpperCase(Locale.ROOT).replace('-', '_') + "_PASSWORD";
  }

  public String get(String name) {
    String value = values.get(name);
    if (value == null) {
      throw new IllegalArgumentException("no " + name + " in the stack's identity");
    }
    return value;
  }

  /** An API key as the contract describes it: {@code tdm_<env>_<id>_<secret><checksum>}. */
  public static String apiKey(String environmentId, SecureRandom random) {
    String unsigned =
        "tdm_" + environmentId + "_" + text(random, BASE32, 16) + "_" + text(random, BASE62, 40);
    return unsigned + checksum(unsigned);
  }

  /** The key's id and its secret part, as Basic credentials use them. */
  public static Credentials credentials(String apiKey) {
    String[] parts = apiKey.split("_", 4);
    return new Credentials(parts[2], parts[3]);
  }

  /** Basic credentials of an API key. */
  public record Credentials(String id, String secret) {
    public String authorization() {
      String pair = id + ":" + secret;
      return "Basic "
          + Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.US_ASCII));
    }
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
