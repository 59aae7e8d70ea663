package io.tidemark.stack;

import io.tidemark.provision.StackSecrets;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeSet;

/**
 * What is drawn once for a stack and then stays: passwords, API keys, cluster ids. Kept in {@code
 * secrets.env}, mode 0600.
 */
public record StackIdentity(Map<String, String> values) {
  public StackIdentity {
    values = Map.copyOf(values);
  }

  /** Reads the file, draws what is missing, and writes it back when something was drawn. */
  public static StackIdentity loadOrDraw(Path file, SecureRandom random) {
    Map<String, String> values = EnvironmentFile.read(file);
    Map<String, String> complete = StackSecrets.complete(values, random);
    if (complete.size() != values.size()) {
      EnvironmentFile.write(file, StackSecrets.TITLE, complete);
    }
    return new StackIdentity(complete);
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
    EnvironmentFile.write(file, StackSecrets.TITLE, values);
    return loadOrDraw(file, random);
  }

  /** The identity of a second region: its own, but for what both must have alike. */
  StackIdentity joining(FirstRegion first) {
    Map<String, String> joined = new LinkedHashMap<>(values);
    FirstRegion.SHARED.forEach(name -> joined.put(name, first.secret(name)));
    return new StackIdentity(joined);
  }

  public String get(String name) {
    String value = values.get(name);
    if (value == null) {
      throw new IllegalArgumentException("no " + name + " in the stack's identity");
    }
    return value;
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
}
