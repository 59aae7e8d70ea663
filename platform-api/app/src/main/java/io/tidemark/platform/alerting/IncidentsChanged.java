package io.tidemark.platform.alerting;

import java.util.List;

/**
 * What happened to incidents of an organisation in one transaction, in its order. Heard in that
 * transaction: whoever tells others of it keeps there what it will tell.
 *
 * @param changes at least one
 */
public record IncidentsChanged(List<IncidentChanged> changes) {

  public IncidentsChanged {
    changes = List.copyOf(changes);
  }
}
