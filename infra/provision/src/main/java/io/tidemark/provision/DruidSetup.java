package io.tidemark.provision;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
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
  static final String DATA_SOURCE = "/spec/dataSchema/dataSource";

  private final Addresses addresses;
  private final InfraFiles files;
  private final EngineClient http;
  private final PlacementGate gate;

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
    this(addresses, new PlacementGate(addresses, Clock.systemUTC()));
  }

  DruidSetup(Addresses addresses, PlacementGate gate) {
    this.addresses = addresses;
    this.gate = gate;
    this.http = addresses.access().http();
    this.files = addresses.files();
  }

  /** The file of the load rules that hold for a datasource: one of its own name goes first. */
  static String loadRules(InfraFiles files, String datasource) {
    String own = "druid/operation/load-rules-" + datasource + ".json";
    if (files.has(own)) {
      return own;
    }
    return datasource.startsWith(MINUTES.get(0))
        ? "druid/operation/load-rules-minutes.json"
        : LOAD_RULES;
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
    List<SupervisorSpec> supervisors = SupervisorSpec.all(addresses);
    List<SupervisorSpec> shared = supervisors.stream().filter(SupervisorSpec::isShared).toList();
    List<String> names = shared.stream().map(SupervisorSpec::name).toList();
    Set<DatasourcePlacement> fresh = fresh(shared);
    for (DatasourcePlacement placement : fresh) {
      gate.admit(placement, names);
    }
    Set<DatasourcePlacement> pending = new LinkedHashSet<>(fresh);
    for (SupervisorSpec own : supervisors) {
      if (own.placement().isPresent() && read(at(own)).isMissingNode()) {
        pending.add(own.placement().get());
      }
    }
    Application done = new Application(isRebuilt);
    for (Declared one : settings(supervisors)) {
      done.apply(one);
    }
    for (SupervisorSpec supervisor : shared) {
      done.apply(declared(supervisor));
    }
    if (done.isLeftSuspended && !pending.isEmpty()) {
      pending.forEach(
          placement ->
              done.changes.add(placement.name() + ": not in force before the rebuild's end"));
      return StepReport.of(done.created, done.changes);
    }
    if (!pending.isEmpty()) {
      // Own datasources begin when no other takes their rows.
      gate.awaitFilters(shared);
      for (DatasourcePlacement placement : pending) {
        gate.confirm(placement, names);
      }
    }
    for (SupervisorSpec supervisor : supervisors) {
      if (!supervisor.isShared()) {
        done.apply(declared(supervisor));
      }
    }
    pending.forEach(
        placement ->
            done.changes.add(
                "%s is placed: rows from %s on are in datasources of the name \"%s\""
                    .formatted(placement.organization(), placement.from(), placement.name())));
    return StepReport.of(done.created, done.changes);
  }

  /**
   * Placements that some supervisor of a shared datasource does not know yet.
   *
   * @throws ProvisionFailure when one that Druid knows is not declared any more
   */
  private Set<DatasourcePlacement> fresh(List<SupervisorSpec> shared)
      throws IOException, InterruptedException {
    List<DatasourcePlacement> declared = DatasourcePlacement.declared(files);
    Set<DatasourcePlacement> known = new LinkedHashSet<>();
    Set<DatasourcePlacement> lacking = new LinkedHashSet<>();
    int running = 0;
    for (SupervisorSpec supervisor : shared) {
      JsonNode present = read(at(supervisor));
      if (!present.isMissingNode()) {
        running++;
        List<DatasourcePlacement> its = DatasourcePlacement.known(present);
        known.addAll(its);
        declared.stream().filter(one -> !its.contains(one)).forEach(lacking::add);
      }
    }
    DatasourcePlacement.refuseChanges(declared, known);
    return running == 0 ? new LinkedHashSet<>(declared) : lacking;
  }

  /**
   * Whatever is declared fits what Druid was told of placements.
   *
   * @throws ProvisionFailure when one that Druid knows is not declared any more
   */
  void refuseChangedPlacements() throws IOException, InterruptedException {
    fresh(SupervisorSpec.all(addresses).stream().filter(SupervisorSpec::isShared).toList());
  }

  private static String at(SupervisorSpec supervisor) {
    return SUPERVISORS + "/" + supervisor.name();
  }

  /** Changes what is not as declared, and keeps account of it. */
  private final class Application {
    private final boolean isRebuilt;
    private final List<String> changes = new ArrayList<>();
    private int created;
    private boolean isLeftSuspended;

    private Application(boolean isRebuilt) {
      this.isRebuilt = isRebuilt;
    }

    private void apply(Declared one) throws IOException, InterruptedException {
      JsonNode present = read(one.readAt());
      if (!isRebuilt && present.at(REVISION_AT).asText().equals(REBUILD)) {
        isLeftSuspended = true;
        changes.add(
            "infra/%s: left suspended, a rebuild of Druid did not come to its end. Run rebuild-druid."
                .formatted(one.file()));
        return;
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
    List<SupervisorSpec> supervisors = SupervisorSpec.all(addresses);
    List<Declared> declared = settings(supervisors);
    supervisors.forEach(supervisor -> declared.add(declared(supervisor)));
    for (Declared one : declared) {
      difference(one, read(one.readAt()))
          .ifPresent(text -> drift.add("infra/" + one.file() + ": " + text));
    }
    Set<String> supervised = new HashSet<>();
    supervisors.forEach(supervisor -> supervised.add(supervisor.name()));
    for (JsonNode name : read(SUPERVISORS)) {
      if (!supervised.contains(name.asText())) {
        drift.add("supervisor " + name.asText() + " is not declared in infra/druid/ingestion");
      }
    }
    Set<String> compacted = new HashSet<>();
    for (Declared config : compaction(supervisors)) {
      compacted.add(config.wanted().path("dataSource").asText());
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

  /** All but supervisors. */
  private List<Declared> settings(List<SupervisorSpec> supervisors) {
    List<Declared> all = new ArrayList<>();
    all.add(setting("/druid/indexer/v1/worker", "druid/operation/worker-categories.json"));
    all.add(setting(RULES + "_default", LOAD_RULES));
    for (String minutes : MINUTES) {
      all.add(setting(RULES + minutes, loadRules(files, minutes)));
    }
    for (SupervisorSpec supervisor : supervisors) {
      if (!supervisor.isShared()) {
        all.add(setting(RULES + supervisor.name(), loadRules(files, supervisor.name())));
      }
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
    all.addAll(compaction(supervisors));
    return all;
  }

  /** Of each datasource; an own one is compacted as the shared one of its level. */
  private List<Declared> compaction(List<SupervisorSpec> supervisors) {
    List<Declared> all = new ArrayList<>();
    for (String file : files.jsonFiles(COMPACTED)) {
      JsonNode config = files.json(file);
      String shared = config.path("dataSource").asText();
      all.add(compaction(file, config));
      for (SupervisorSpec supervisor : supervisors) {
        if (!supervisor.isShared() && supervisor.shared().equals(shared)) {
          ObjectNode own = config.deepCopy();
          all.add(compaction(file, own.put("dataSource", supervisor.name())));
        }
      }
    }
    return all;
  }

  private static Declared compaction(String file, JsonNode config) {
    return new Declared(
        file, COMPACTION + "/" + config.path("dataSource").asText(), config, COMPACTION, config);
  }

  private Declared setting(String path, String file) {
    JsonNode wanted = files.json(file);
    return new Declared(file, path, wanted, path, wanted);
  }

  private static Declared declared(SupervisorSpec supervisor) {
    ObjectNode spec = supervisor.withRevision(supervisor.revision());
    return new Declared(supervisor.file(), at(supervisor), spec, SUPERVISORS, spec);
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
