package io.tidemark.platform.deletion;

import io.tidemark.platform.druid.DatasourcePlacements;
import io.tidemark.platform.shared.TenantId;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Where data of environments are. Equal to the files of infra; a test compares. */
public final class DeletionTargets {

  /** Datasources of Druid that all share; their names begin with that of their level. */
  public static final List<String> DATASOURCES =
      List.of("rollup_1m", "rollup_1m_hc", "rollup_1h", "rollup_1d");

  /** Tables of the lake. */
  public static final List<String> TABLES =
      List.of("raw_points", "rollup_1m", "rollup_1m_hc", "rollup_1h", "rollup_1d");

  /** Topics that records with data go through, and for how long they keep them. */
  public static final Map<String, Duration> TOPICS = topics();

  /** Those of them that a second region has of its own: it reads the first one's points. */
  static final List<String> ROW_TOPICS =
      TOPICS.keySet().stream().filter(topic -> !topic.equals("telemetry.points.v1")).toList();

  private DeletionTargets() {}

  /** Datasources with rows of an organisation: those that all share, and its own. */
  static List<String> datasources(DatasourcePlacements placements, TenantId organization) {
    return DATASOURCES.stream()
        .flatMap(shared -> placements.datasources(organization, shared).stream())
        .toList();
  }

  /** Datasources with rows of anybody. */
  static List<String> datasources(DatasourcePlacements placements) {
    return DATASOURCES.stream().flatMap(shared -> placements.datasources(shared).stream()).toList();
  }

  /** Whether windows of a datasource are minutes, of which all others are made. */
  static boolean isOfMinutes(String datasource) {
    return datasource.startsWith("rollup_1m");
  }

  private static Map<String, Duration> topics() {
    Map<String, Duration> topics = new LinkedHashMap<>();
    topics.put("telemetry.points.v1", Duration.ofDays(7));
    topics.put("telemetry.rollup-1m.v1", Duration.ofDays(7));
    topics.put("telemetry.rollup-1m-hc.v1", Duration.ofDays(7));
    topics.put("telemetry.rollup-1h.v1", Duration.ofDays(7));
    topics.put("telemetry.rollup-1d.v1", Duration.ofDays(7));
    topics.put("telemetry.live.v1", Duration.ofMinutes(10));
    topics.put("telemetry.dead-letters.v1", Duration.ofDays(30));
    return java.util.Collections.unmodifiableMap(topics);
  }
}
