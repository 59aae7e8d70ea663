package io.tidemark.platform.druid;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;

/**
 * Counts the segments of datasources that no server has, as the coordinator knows them.
 *
 * <p>The coordinator's count of all datasources is as old as its last round, and has segments that
 * others replaced before a server loaded them: nobody will ever load these, and they stay until it
 * marks them unused, a quarter of an hour after its start. So a datasource that has some in it is
 * asked for by itself.
 */
public final class UnavailableSegments {
  private static final String ALL_TIMES = "1000-01-01/3000-01-01";

  private final Function<String, JsonNode> coordinator;

  /**
   * A coordinator.
   *
   * @param coordinator what it answers to a path
   */
  public UnavailableSegments(Function<String, JsonNode> coordinator) {
    this.coordinator = coordinator;
  }

  /**
   * Asks now.
   *
   * @return by datasource; zero for one without segments
   */
  public Map<String, Long> count(Collection<String> datasources) {
    JsonNode rough = coordinator.apply("/druid/coordinator/v1/loadstatus?simple");
    Map<String, Long> found = new HashMap<>();
    for (String datasource : datasources) {
      long count = rough.path(datasource).asLong(0);
      found.put(datasource, count == 0 ? 0 : exact(datasource));
    }
    return found;
  }

  private long exact(String datasource) {
    return coordinator
        .apply(
            "/druid/coordinator/v1/datasources/"
                + datasource
                + "/loadstatus?simple&forceMetadataRefresh=false&interval="
                + ALL_TIMES)
        .path(datasource)
        .asLong(0);
  }
}
