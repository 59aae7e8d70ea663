package io.tidemark.platform.query.domain;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * One value of an answer.
 *
 * @param bucket start of the bucket
 * @param labels one per group_by label, in that order; null where the series has no such label
 */
public record QueryRow(Instant bucket, List<String> labels, double value) {

  public QueryRow {
    labels = Collections.unmodifiableList(new ArrayList<>(labels));
  }
}
