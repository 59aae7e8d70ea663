package io.tidemark.stack.provision;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.stack.JsonHttp;
import io.tidemark.stack.StackFailure;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Worker categories, load rules and supervisors, from {@code infra/druid/operation} and {@code
 * infra/druid/ingestion}.
 */
final class DruidSetup {
  /**
   * Set in a supervisor's context: says which text it was made from, so an unchanged one is left
   * alone.
   */
  private static final String REVISION = "tidemark_revision";

  private final Addresses addresses;
  private final JsonHttp http = new JsonHttp();

  DruidSetup(Addresses addresses) {
    this.addresses = addresses;
  }

  /** Returns how many settings were changed. */
  int apply() throws IOException, InterruptedException {
    int changed = 0;
    changed += setting("/druid/indexer/v1/worker", "druid/operation/worker-categories.json");
    changed += setting("/druid/coordinator/v1/rules/_default", "druid/operation/load-rules.json");
    for (Path spec : supervisors(addresses.infra("druid/ingestion"))) {
      changed += supervisor(spec);
    }
    return changed;
  }

  static List<Path> supervisors(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(f -> f.toString().endsWith(".json")).sorted().toList();
    }
  }

  private int setting(String path, String file) throws IOException, InterruptedException {
    JsonNode wanted = JsonHttp.JSON.readTree(addresses.infra(file).toFile());
    JsonNode present = http.get(addresses.druidCoordinator() + path).body();
    if (contains(present, wanted)) {
      return 0;
    }
    JsonHttp.Answer answer = http.post(addresses.druidCoordinator() + path, wanted);
    if (!answer.ok()) {
      throw new StackFailure(
          "Druid refused infra/" + file + ": " + answer.status() + " " + answer.text());
    }
    return 1;
  }

  /**
   * True when {@code present} says all that {@code wanted} says; Druid answers with its defaults
   * filled in.
   */
  static boolean contains(JsonNode present, JsonNode wanted) {
    if (wanted.isObject()) {
      return present.isObject()
          && wanted.properties().stream()
              .allMatch(e -> contains(present.path(e.getKey()), e.getValue()));
    }
    if (wanted.isArray()) {
      return present.isArray()
          && present.size() == wanted.size()
          && IntStream.range(0, wanted.size())
              .allMatch(i -> contains(present.get(i), wanted.get(i)));
    }
    return present.equals(wanted);
  }

  private int supervisor(Path file) throws IOException, InterruptedException {
    String text = addresses.fill(Files.readString(file));
    String revision = sha256(text);
    ObjectNode spec = (ObjectNode) JsonHttp.JSON.readTree(text);
    String name = spec.at("/spec/dataSchema/dataSource").asText();
    String url = addresses.druidCoordinator() + "/druid/indexer/v1/supervisor";
    JsonHttp.Answer present = http.get(url + "/" + name);
    if (present.ok() && present.body().path("context").path(REVISION).asText().equals(revision)) {
      return 0;
    }
    spec.withObject("/context").put(REVISION, revision);
    JsonHttp.Answer answer = http.post(url, spec);
    if (!answer.ok()) {
      throw new StackFailure(
          "Druid refused supervisor "
              + file.getFileName()
              + ": "
              + answer.status()
              + " "
              + answer.text());
    }
    return 1;
  }

  private static String sha256(String text) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      return HexFormat.of().formatHex(digest.digest(text.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("SHA-256 is part of every JDK", e);
    }
  }
}
