package io.tidemark.platform.testing;

import io.tidemark.platform.deletion.DeletableRows;
import io.tidemark.platform.shared.ErrorCode;
import io.tidemark.platform.shared.ProblemException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Rows in memory that behave as Druid's: filters are read, tasks end when told, and only what was
 * published is removed by them.
 */
public final class TestingDeletableRows implements DeletableRows {

  /** A row; {@code published} once it is in a segment. */
  public record Row(
      String datasource,
      String organization,
      String environment,
      String metric,
      String series,
      Instant window,
      long panes,
      long points,
      boolean published) {}

  private record Task(String datasource, Map<String, Object> filter) {}

  private final List<Row> rows = new ArrayList<>();
  private final Map<String, Task> tasks = new LinkedHashMap<>();
  private final Map<String, TaskState> ended = new LinkedHashMap<>();
  private final List<String> handedOff = new ArrayList<>();
  private boolean isWhole = true;
  private boolean isAway;
  private int begun;

  public synchronized void add(Row row) {
    rows.add(row);
  }

  /** Rows that are there. */
  public synchronized List<Row> rows() {
    return List.copyOf(rows);
  }

  /** Forgets everything. */
  public synchronized void clear() {
    rows.clear();
    tasks.clear();
    handedOff.clear();
    isWhole = true;
    isAway = false;
  }

  /** Tasks that were begun so far. */
  public synchronized int begun() {
    return begun;
  }

  /** Whether all segments can be queried. */
  public synchronized void whole(boolean whole) {
    isWhole = whole;
  }

  /** Whether Druid cannot be reached. */
  public synchronized void away(boolean away) {
    isAway = away;
  }

  /** Running tasks end; when they succeed, without the rows. */
  public synchronized void endTasks(TaskState state) {
    tasks.forEach(
        (id, task) -> {
          if (state == TaskState.SUCCEEDED) {
            rows.removeIf(
                row ->
                    row.published()
                        && row.datasource().equals(task.datasource())
                        && fits(task.filter(), row));
          }
          ended.put(id, state);
        });
    tasks.clear();
  }

  /** What was handed off is published. */
  public synchronized void publish() {
    rows.replaceAll(
        row ->
            handedOff.contains(row.datasource())
                ? new Row(
                    row.datasource(),
                    row.organization(),
                    row.environment(),
                    row.metric(),
                    row.series(),
                    row.window(),
                    row.panes(),
                    row.points(),
                    true)
                : row);
    handedOff.clear();
  }

  @Override
  public synchronized Found find(String datasource, Map<String, Object> filter) {
    if (isAway) {
      throw ProblemException.of(ErrorCode.STORE_FAILED, "Druid is away, as the test wants it");
    }
    List<Row> found =
        rows.stream()
            .filter(row -> row.datasource().equals(datasource) && fits(filter, row))
            .toList();
    return new Found(
        found.stream().mapToLong(Row::panes).sum(),
        found.stream().mapToLong(Row::points).sum(),
        found.stream().map(Row::window).min(Instant::compareTo).orElse(null),
        found.stream().map(Row::window).max(Instant::compareTo).orElse(null));
  }

  @Override
  public synchronized boolean isWhole(String datasource) {
    return isWhole;
  }

  @Override
  public synchronized Optional<String> beginWithout(String datasource, Map<String, Object> filter) {
    boolean any =
        rows.stream()
            .anyMatch(
                row -> row.published() && row.datasource().equals(datasource) && fits(filter, row));
    if (!any) {
      return Optional.empty();
    }
    String id = "task-" + ++begun;
    tasks.put(id, new Task(datasource, filter));
    return Optional.of(id);
  }

  @Override
  public synchronized TaskState state(String task) {
    return tasks.containsKey(task) ? TaskState.RUNNING : ended.get(task);
  }

  @Override
  public synchronized void handOff(String datasource) {
    handedOff.add(datasource);
  }

  @Override
  public void deleteUnused(String datasource, Instant unusedBefore) {}

  @Override
  public synchronized boolean isHandingOff(String datasource) {
    return handedOff.contains(datasource);
  }

  @SuppressWarnings("unchecked")
  private static boolean fits(Map<String, Object> filter, Row row) {
    return switch ((String) filter.get("type")) {
      case "true" -> true;
      case "and" ->
          ((List<Map<String, Object>>) filter.get("fields"))
              .stream().allMatch(field -> fits(field, row));
      case "or" ->
          ((List<Map<String, Object>>) filter.get("fields"))
              .stream().anyMatch(field -> fits(field, row));
      case "not" -> !fits((Map<String, Object>) filter.get("field"), row);
      case "equals" -> filter.get("matchValue").equals(column((String) filter.get("column"), row));
      case "like" -> row.metric().startsWith(((String) filter.get("pattern")).replaceAll("%$", ""));
      case "range" -> row.window().toEpochMilli() < (Long) filter.get("upper");
      default -> throw new IllegalArgumentException("Not a filter of removals: " + filter);
    };
  }

  private static String column(String name, Row row) {
    return switch (name) {
      case "organization_id" -> row.organization();
      case "environment_id" -> row.environment();
      case "metric" -> row.metric();
      case "series_id" -> row.series();
      default -> throw new IllegalArgumentException("Not a column of removals: " + name);
    };
  }
}
