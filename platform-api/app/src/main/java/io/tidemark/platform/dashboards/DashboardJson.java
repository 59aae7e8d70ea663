package io.tidemark.platform.dashboards;

import java.nio.charset.StandardCharsets;
import tools.jackson.databind.json.JsonMapper;

/** Definitions as the database holds them. */
final class DashboardJson {

  private static final JsonMapper JSON = JsonMapper.builder().build();

  private DashboardJson() {}

  static String text(DashboardDefinition definition) {
    return JSON.writeValueAsString(definition);
  }

  static DashboardDefinition definition(String text) {
    return JSON.readValue(text, DashboardDefinition.class);
  }

  /** How large a definition is in UTF-8. */
  static int bytes(DashboardDefinition definition) {
    return text(definition).getBytes(StandardCharsets.UTF_8).length;
  }
}
