package io.tidemark.platform.druid;

import io.tidemark.platform.shared.TenantId;
import java.time.Instant;

/**
 * An organisation whose newer rows are in datasources of their own. Rows of windows that begin at
 * or after a moment are there, older ones in the datasources that all share; a row is never in
 * both. It never changes.
 *
 * @param name short; ends the names of the organisation's datasources
 * @param from the start of a day in UTC, so that no window of any level lies on both sides
 */
public record DatasourcePlacement(TenantId organization, String name, Instant from) {

  /** The organisation's own datasource of the same level as a shared one. */
  public String datasource(String shared) {
    return shared + "_" + name;
  }
}
