package io.tidemark.platform.alerting;

import static io.tidemark.platform.alerting.StoredTime.time;

import io.tidemark.platform.shared.EnvironmentId;
import java.sql.ResultSet;
import java.sql.SQLException;

/** A row of the table alert_rule. */
final class AlertRuleRow {

  private AlertRuleRow() {}

  static AlertRule read(ResultSet row) throws SQLException {
    return new AlertRule(
        row.getString("id"),
        new EnvironmentId(row.getString("environment_id")),
        StoredJson.JSON.readValue(row.getString("definition"), AlertRuleDefinition.class),
        row.getLong("version"),
        time(row, "effective_from"),
        time(row, "enabled_from"),
        time(row, "created_at"),
        time(row, "updated_at"));
  }
}
