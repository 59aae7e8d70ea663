package io.tidemark.platform.deletion;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The datasources of Druid, as far as rows are removed from them. Filters are native ones. */
public interface DeletableRows {

  /**
   * Rows that a filter finds, in segments and in what is being taken in.
   *
   * @param panes rows as they were written, before Druid added equal ones up
   * @param points that the rows stand for
   * @param oldest start of the earliest window; null when there is none
   * @param newest start of the latest
   */
  record Found(long panes, long points, @Nullable Instant oldest, @Nullable Instant newest) {
    boolean isNothing() {
      return oldest == null;
    }
  }

  /** How a task is. */
  enum TaskState {
    RUNNING,
    SUCCEEDED,
    FAILED
  }

  /** Counts rows, wherever they are. */
  Found find(String datasource, Map<String, Object> filter);

  /** Whether every segment of the datasource can be queried now, so that a count is whole. */
  boolean isWhole(String datasource);

  /**
   * Begins to write segments again without the rows, some of those that have any.
   *
   * @return the task; empty when no published segment has any of the rows
   */
  Optional<String> beginWithout(String datasource, Map<String, Object> filter);

  TaskState state(String task);

  /** Has what is being taken in published as segments. */
  void handOff(String datasource);

  /**
   * Deletes files of segments that were replaced before a time, or are not used for another reason.
   */
  void deleteUnused(String datasource, Instant unusedBefore);

  /** Whether some of what was taken in is being published. */
  boolean isHandingOff(String datasource);
}
