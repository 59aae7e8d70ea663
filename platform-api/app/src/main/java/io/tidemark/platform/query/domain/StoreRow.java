package io.tidemark.platform.query.domain;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * What the store says of one bucket and group.
 *
 * @param bucket its start; for granularity ALL some time that says nothing
 * @param labels one per group_by label, in that order; null where the series has no such label
 * @param series empty when the row is not about one
 */
public record StoreRow(Instant bucket, List<String> labels, String series, Figures figures) {

  public StoreRow {
    labels = Collections.unmodifiableList(new ArrayList<>(labels));
  }
}
