package io.tidemark.platform.completeness;

import io.tidemark.platform.metricstore.Level;
import io.tidemark.platform.metricstore.SplitInterval;
import io.tidemark.platform.shared.TenantId;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;

/** What the pipeline says about its rows, as far as the store has them. */
public interface PipelineProgress {

  /** Everything that ends at or before this time can be read; empty while that is not known. */
  Optional<Instant> completeUntil(TenantId organization);

  /**
   * Everything that ends at or before this time is committed to the topics of rows, whether a store
   * has read it or not; empty while the pipeline has not said.
   */
  Optional<Instant> committedUntil(TenantId organization);

  /** How far the pipeline has read what the doors acknowledged, of all organisations. */
  ReadProgress read();

  /** Everything that ends at or before this time was given to the lake; empty while not known. */
  Optional<Instant> lakeCompleteUntil(TenantId organization);

  /**
   * Rows that late points added after windows were complete, by start of window in ms and metric;
   * an empty name stands for any metrics.
   */
  NavigableMap<Long, Map<String, Long>> lateRows(TenantId organization, Level level);

  /**
   * When a metric of an organisation was split; without a metric, when any was.
   *
   * @throws io.tidemark.platform.shared.ProblemException {@code store_unavailable} while that is
   *     not known
   */
  List<SplitInterval> splits(TenantId organization, Optional<String> metric);
}
