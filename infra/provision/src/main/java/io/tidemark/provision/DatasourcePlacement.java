package io.tidemark.provision;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * An organisation whose rows go to datasources of its own from a moment on. Once made it never
 * changes: rows are where it says.
 *
 * @param name ends the names of its datasources
 * @param from the start of a day in UTC, so that no row of a minute, an hour or a day is of both
 *     sides; a segment of days may be
 */
record DatasourcePlacement(String organization, String name, Instant from) {
  /** What is declared, below {@code infra/}. */
  static final String FILE = "druid/operation/placements.json";

  /** The list in the context of every supervisor of a shared datasource; platform-api reads it. */
  static final String CONTEXT = "tidemark_placements";

  private static final Pattern ORGANIZATION = Pattern.compile("[a-z0-9][a-z0-9-]{0,62}");

  /** Without an underscore: a level of detail ends in one, {@code rollup_1m_hc}. */
  private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9]{1,19}");

  private static final String DETAIL = "hc";

  /**
   * All that are declared.
   *
   * @throws ProvisionFailure that names everything that is wrong with them
   */
  static List<DatasourcePlacement> declared(InfraFiles files) {
    JsonNode list = files.json(FILE);
    List<String> faults = new ArrayList<>();
    List<DatasourcePlacement> placements = new ArrayList<>();
    Set<String> organizations = new HashSet<>();
    Set<String> names = new HashSet<>();
    if (!list.isArray()) {
      faults.add("it is no list");
    }
    for (JsonNode each : list) {
      int before = faults.size();
      String organization = each.path("organization_id").asText();
      String name = each.path("name").asText();
      String from = each.path("from").asText();
      if (!ORGANIZATION.matcher(organization).matches()) {
        faults.add("organization_id \"" + organization + "\" is no id of an organisation");
      } else if (!organizations.add(organization)) {
        faults.add(organization + " is placed twice");
      }
      if (!NAME.matcher(name).matches() || name.equals(DETAIL)) {
        faults.add(
            "name \"%s\" must be 2 to 20 of a-z and 0-9, begin with a letter and not be \"%s\""
                .formatted(name, DETAIL));
      } else if (!names.add(name)) {
        faults.add("name \"" + name + "\" is given twice");
      }
      if (!isStartOfDay(from)) {
        faults.add(
            "from \"%s\" must be the start of a day in UTC, such as 2026-12-01T00:00:00Z"
                .formatted(from));
      }
      if (faults.size() == before) {
        placements.add(of(each));
      }
    }
    if (!faults.isEmpty()) {
      throw ProvisionFailure.input(
          "infra/" + FILE + ": " + String.join("; ", faults) + ". Correct the file.");
    }
    return placements;
  }

  private static boolean isStartOfDay(String text) {
    try {
      Instant from = Instant.parse(text);
      return from.equals(from.truncatedTo(ChronoUnit.DAYS));
    } catch (DateTimeException unreadable) {
      return false;
    }
  }

  /** Those that a supervisor knows. */
  static List<DatasourcePlacement> known(JsonNode supervisor) {
    List<DatasourcePlacement> known = new ArrayList<>();
    supervisor.path("context").path(CONTEXT).forEach(each -> known.add(of(each)));
    return known;
  }

  private static DatasourcePlacement of(JsonNode text) {
    return new DatasourcePlacement(
        text.path("organization_id").asText(),
        text.path("name").asText(),
        Instant.parse(text.path("from").asText()));
  }

  /** As it is declared and as supervisors carry it. */
  ObjectNode json() {
    return EngineClient.JSON
        .createObjectNode()
        .put("organization_id", organization)
        .put("name", name)
        .put("from", from.toString());
  }

  /** The own datasource of the same level as a shared one. */
  String datasource(String shared) {
    return shared + "_" + name;
  }

  /**
   * Refuses what would leave rows where nobody looks for them.
   *
   * @param known those that some supervisor of Druid was told
   * @throws ProvisionFailure when one of them is declared otherwise, or not at all
   */
  static void refuseChanges(List<DatasourcePlacement> declared, Set<DatasourcePlacement> known) {
    for (DatasourcePlacement placement : known) {
      if (!declared.contains(placement)) {
        throw ProvisionFailure.input(
            ("infra/%s does not have %s, which Druid was told. A placement never changes: rows from"
                    + " %s on are in datasources of the name \"%s\". Put it back.")
                .formatted(FILE, placement.json(), placement.from(), placement.name()));
      }
    }
  }
}
