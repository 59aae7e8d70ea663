package io.tidemark.provision;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Worker categories, load rules, compaction and supervisors, from {@code infra/druid/operation},
 * {@code compaction} and {@code ingestion}.
 */
final class DruidSetup {
  /** Set in a supervisor's context: says which text it was made from. */
  static final String REVISION = "tidemark_revision";

  /** The revision of a supervisor that reads nothing until a rebuild has come to its end. */
  static final String REBUILD = "rebuild";

  private static final String REVISION_AT = "/context/" + REVISION;

  private static final String COMPACTION = "/druid/coordinator/v1/config/compaction";
  private static final String RULES = "/druid/coordinator/v1/rules/";
  private static final String SUPERVISORS = "/druid/indexer/v1/supervisor";

  /** Folders of files, and where a supervisor's names its datasource. */
  static final String INGESTION = "druid/ingestion";

  static final String COMPACTED = "druid/compaction";
  private static final String LOAD_RULES = "druid/operation/load-rules.json";
  private static final List<String> MINUTES = List.of("rollup_1m", "rollup_1m_hc");
  private static final String DATA_SOURCE = "/spec/dataSchema/dataSource";

  private final Addresses addresses;
  private final InfraFiles files;
  private final EngineClient http;

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
    this.http = addresses.access().http();
    this.files = addresses.files();
  }

  /** The file of the load rules that hold for a datasource. */
  static String loadRules(String datasource) {
    return MINUTES.contains(datasource) ? "druid/operation/load-rules-minutes.json" : LOAD_RULES;
  }

  /**
   * Creates and changes what is not as declared; the rest is left alone. So is a supervisor that a
   * rebuild suspended: its offsets may not fit the rows that Druid has.
   */
  StepReport apply() throws IOException, InterruptedException {
    return apply(false);
  }

  /** The same, and lets supervisors read again that a rebuild suspended. */
  StepReport applyAfterRebuild() throws IOException, InterruptedException {
    return apply(true);
  }

  private StepReport apply(boolean isRebuilt) throws IOException, InterruptedException {
    int created = 0;
    List<String> changes = new ArrayList<>();
    for (Declared one : declared()) {
      JsonNode present = read(one.readAt());
      if (!isRebuilt && present.at(REVISION_AT).asText().equals(REBUILD)) {
        changes.add(
            "infra/%s: left suspended, a rebuild of Druid did not come to its end. Run rebuild-druid."
                .formatted(one.file()));
        continue;
      }
      Optional<String> difference = difference(one, present);
      if (difference.isPresent()) {
        declare(one);
        if (present.isMissingNode()) {
          created++;
        } else {
          changes.add("infra/" + one.file() + ": " + difference.get());
        }
      }
    }
    return StepReport.of(created, changes);
  }

  /** Druid refuses one of two changes that come at once; the other may have been the same. */
  private void declare(Declared one) throws IOException, InterruptedException {
    EngineClient.Answer answer =
        http.post(addresses.druidCoordinator() + one.writeAt(), one.body());
    if (!answer.ok() && difference(one, read(one.readAt())).isPresent()) {
      throw ProvisionFailure.engine(
          "Druid refused infra/%s: %d %s. Correct the file, then provision again."
              .formatted(one.file(), answer.status(), answer.text()));
    }
  }

  /** One line for everything that Druid has otherwise than it is declared, or undeclared. */
  List<String> drift() throws IOException, InterruptedException {
    List<String> drift = new ArrayList<>();
    for (Declared one : declared()) {
      difference(one, read(one.readAt()))
          .ifPresent(text -> drift.add("infra/" + one.file() + ": " + text));
    }
    Set<String> supervised = new HashSet<>();
    for (String file : files.jsonFiles(INGESTION)) {
      supervised.add(files.json(file).at(DATA_SOURCE).asText());
    }
    for (JsonNode name : read(SUPERVISORS)) {
      if (!supervised.contains(name.asText())) {
        drift.add("supervisor " + name.asText() + " is not declared in infra/druid/ingestion");
      }
    }
    Set<String> compacted = new HashSet<>();
    for (String file : files.jsonFiles(COMPACTED)) {
      compacted.add(files.json(file).path("dataSource").asText());
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

  private List<Declared> declared() {
    List<Declared> all = new ArrayList<>();
    all.add(setting("/druid/indexer/v1/worker", "druid/operation/worker-categories.json"));
    all.add(setting(RULES + "_default", LOAD_RULES));
    for (String minutes : MINUTES) {
      all.add(setting(RULES + minutes, loadRules(minutes)));
    }
    String slotsFile = "druid/operation/compaction-slots.json";
    JsonNode slots = files.json(slotsFile);
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
            EngineClient.JSON.createObjectNode()));
    for (String file : files.jsonFiles(COMPACTED)) {
      JsonNode config = files.json(file);
      all.add(
          new Declared(
              file,
              COMPACTION + "/" + config.path("dataSource").asText(),
              config,
              COMPACTION,
              config));
    }
    for (String file : files.jsonFiles(INGESTION)) {
      all.add(supervisor(file));
    }
    return all;
  }

  private Declared setting(String path, String file) {
    JsonNode wanted = files.json(file);
    return new Declared(file, path, wanted, path, wanted);
  }

  private Declared supervisor(String file) {
    String text = addresses.fill(file, files.text(file));
    ObjectNode spec = (ObjectNode) files.json(file, text);
    ContentDigest revision = new ContentDigest().add(text);
    addresses
        .access()
        .druidConsumer()
        .ifPresent(
            client -> {
              spec.withObject("/spec/ioConfig/consumerProperties").setAll(client);
              revision.add(client.toString());
            });
    spec.withObject("/context").put(REVISION, revision.hex());
    return new Declared(
        file, SUPERVISORS + "/" + spec.at(DATA_SOURCE).asText(), spec, SUPERVISORS, spec);
  }

  private Optional<String> difference(Declared one, JsonNode present)
      throws IOException, InterruptedException {
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
    EngineClient.Answer answer = http.get(addresses.druidCoordinator() + path);
    if (answer.ok()) {
      return answer.body();
    }
    if (answer.status() == 404) {
      return EngineClient.JSON.missingNode();
    }
    throw new IOException("Druid answered " + answer.status() + " at " + path);
  }
}
