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
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Worker categories, load rules, compaction and supervisors, from {@code infra/druid/operation},
 * {@code compaction} and {@code ingestion}.
 */
final class DruidSetup {
  /** Set in a supervisor's context: says which text it was made from. */
  private static final String REVISION = "tidemark_revision";

  private static final String REVISION_AT = "/context/" + REVISION;

  private static final String COMPACTION = "/druid/coordinator/v1/config/compaction";
  private static final String RULES = "/druid/coordinator/v1/rules/";
  private static final String SUPERVISORS = "/druid/indexer/v1/supervisor";

  private final Addresses addresses;
  private final JsonHttp http = new JsonHttp();

  /**
   * Something that Druid has to be told.
   *
   * @param file below {@code infra/}
   * @param wanted what Druid has to say when it is asked at {@code readAt}
   * @param body what it is told, at {@code writeAt}
   */
  private record Declared(
      String file, String readAt, JsonNode wanted, String writeAt, JsonNode body) {}

  DruidSetup(Addresses addresses) {
    this.addresses = addresses;
  }

  /** Returns how many settings were changed; what is as declared is left alone. */
  int apply() throws IOException, InterruptedException {
    int changed = 0;
    for (Declared one : declared()) {
      if (difference(one).isPresent()) {
        JsonHttp.Answer answer =
            http.post(addresses.druidCoordinator() + one.writeAt(), one.body());
        if (!answer.ok()) {
          throw new StackFailure(
              "Druid refused infra/" + one.file() + ": " + answer.status() + " " + answer.text());
        }
        changed++;
      }
    }
    return changed;
  }

  /** One line for everything that Druid has otherwise than it is declared, or undeclared. */
  List<String> drift() throws IOException, InterruptedException {
    List<String> drift = new ArrayList<>();
    for (Declared one : declared()) {
      difference(one).ifPresent(text -> drift.add("infra/" + one.file() + ": " + text));
    }
    Set<String> supervised = new HashSet<>();
    for (Path file : files("druid/ingestion")) {
      supervised.add(dataSource(file));
    }
    for (JsonNode name : read(SUPERVISORS)) {
      if (!supervised.contains(name.asText())) {
        drift.add("supervisor " + name.asText() + " is not declared in infra/druid/ingestion");
      }
    }
    Set<String> compacted = new HashSet<>();
    for (Path file : files("druid/compaction")) {
      compacted.add(JsonHttp.JSON.readTree(file.toFile()).path("dataSource").asText());
    }
    for (JsonNode config : read(COMPACTION).path("compactionConfigs")) {
      if (!compacted.contains(config.path("dataSource").asText())) {
        drift.add(
            "compaction of "
                + config.path("dataSource").asText()
                + " is not declared in infra/druid/compaction");
      }
    }
    return drift;
  }

  private List<Declared> declared() throws IOException {
    List<Declared> all = new ArrayList<>();
    all.add(setting("/druid/indexer/v1/worker", "druid/operation/worker-categories.json"));
    all.add(setting(RULES + "_default", "druid/operation/load-rules.json"));
    for (String minutes : List.of("rollup_1m", "rollup_1m_hc")) {
      all.add(setting(RULES + minutes, "druid/operation/load-rules-minutes.json"));
    }
    String slotsFile = "druid/operation/compaction-slots.json";
    JsonNode slots = JsonHttp.JSON.readTree(addresses.infra(slotsFile).toFile());
    all.add(
        new Declared(
            slotsFile,
            COMPACTION,
            slots,
            COMPACTION
                + "/taskslots?ratio="
                + slots.path("compactionTaskSlotRatio").asText()
                + "&max="
                + slots.path("maxCompactionTaskSlots").asText(),
            JsonHttp.JSON.createObjectNode()));
    for (Path file : files("druid/compaction")) {
      JsonNode config = JsonHttp.JSON.readTree(file.toFile());
      all.add(
          new Declared(
              "druid/compaction/" + file.getFileName(),
              COMPACTION + "/" + config.path("dataSource").asText(),
              config,
              COMPACTION,
              config));
    }
    for (Path file : files("druid/ingestion")) {
      all.add(supervisor(file));
    }
    return all;
  }

  static List<Path> supervisors(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(f -> f.toString().endsWith(".json")).sorted().toList();
    }
  }

  private List<Path> files(String folder) throws IOException {
    return supervisors(addresses.infra(folder));
  }

  private static String dataSource(Path ingestion) throws IOException {
    return JsonHttp.JSON.readTree(ingestion.toFile()).at("/spec/dataSchema/dataSource").asText();
  }

  private Declared setting(String path, String file) throws IOException {
    JsonNode wanted = JsonHttp.JSON.readTree(addresses.infra(file).toFile());
    return new Declared(file, path, wanted, path, wanted);
  }

  private Declared supervisor(Path file) throws IOException {
    String text = addresses.fill(Files.readString(file));
    ObjectNode spec = (ObjectNode) JsonHttp.JSON.readTree(text);
    spec.withObject("/context").put(REVISION, sha256(text));
    return new Declared(
        "druid/ingestion/" + file.getFileName(),
        SUPERVISORS + "/" + spec.at("/spec/dataSchema/dataSource").asText(),
        spec,
        SUPERVISORS,
        spec);
  }

  private Optional<String> difference(Declared one) throws IOException, InterruptedException {
    JsonNode present = read(one.readAt());
    Optional<String> difference = ConfigDiff.firstDifference(present, one.wanted());
    return difference.isPresent() || !one.writeAt().equals(SUPERVISORS)
        ? difference
        : changedSince(present, read(one.readAt() + "/history"));
  }

  /**
   * Where a supervisor is not what Druid made of our text when it was posted first: something was
   * added that the text leaves to defaults, or it was suspended.
   *
   * @param history newest first
   */
  static Optional<String> changedSince(JsonNode present, JsonNode history) {
    JsonNode posted = present;
    for (JsonNode version : history) {
      JsonNode spec = version.path("spec");
      if (spec.at(REVISION_AT).equals(present.at(REVISION_AT))) {
        posted = spec;
      }
    }
    Optional<String> changed = ConfigDiff.firstDifference(present, posted);
    return changed.isPresent()
        ? changed
        : ConfigDiff.firstDifference(posted, present).map(text -> "what was posted: " + text);
  }

  /** What Druid says; nothing when it has no such thing. */
  private JsonNode read(String path) throws IOException, InterruptedException {
    JsonHttp.Answer answer = http.get(addresses.druidCoordinator() + path);
    if (answer.ok()) {
      return answer.body();
    }
    if (answer.status() == 404) {
      return JsonHttp.JSON.missingNode();
    }
    throw new IOException("Druid answered " + answer.status() + " at " + path);
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
