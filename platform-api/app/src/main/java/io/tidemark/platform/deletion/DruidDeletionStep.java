package io.tidemark.platform.deletion;

import io.tidemark.platform.deletion.DeletableRows.Found;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A datasource that rows are removed from: counted, then segments are written again without them,
 * some at a time, and counted again, until a count finds nothing. What is still being taken in is
 * published first, because only segments can be written again. Each step is a function of what was
 * before and of what Druid says now, so it does not matter who takes it or what failed on the way.
 *
 * @param panesFound rows as they were written, those that arrived meanwhile too
 * @param left of the last count; null before the first
 * @param leftBefore panes left when the last task began
 * @param task that runs; null when none does
 * @param taskEndedAt of the last one
 * @param handedOffAt when what was being taken in was last told to be published
 * @param doneAt a count at this time found nothing; null before
 * @param problem what stood against it last; null when nothing did
 */
public record DruidDeletionStep(
    String datasource,
    long panesFound,
    long panesRemoved,
    long pointsRemoved,
    @Nullable Left left,
    long leftBefore,
    int passes,
    @Nullable String task,
    @Nullable Instant taskEndedAt,
    @Nullable Instant handedOffAt,
    @Nullable Instant doneAt,
    @Nullable String problem) {

  /** Segments that a task has written are loaded within this time, as a rule. */
  private static final Duration LOADING = Duration.ofSeconds(60);

  /** A supervisor does what it is told within this time. */
  private static final Duration SETTING_OUT = Duration.ofSeconds(10);

  /** Publishing that is not over after this time is not waited for. */
  private static final Duration PUBLISHING = Duration.ofMinutes(10);

  /** So long after it was told to publish, what is taken in may be told so again. */
  private static final Duration HAND_OFF_AGAIN = Duration.ofMinutes(2);

  /** What a count left. */
  public record Left(long panes, long points) {}

  static DruidDeletionStep begin(String datasource) {
    return new DruidDeletionStep(datasource, 0, 0, 0, null, -1, 0, null, null, null, null, null);
  }

  public boolean isDone() {
    return doneAt != null;
  }

  /**
   * The next step.
   *
   * @param filter of the rows
   * @param settledFrom a count before it is not the last one
   */
  DruidDeletionStep advance(
      DeletableRows rows, Map<String, Object> filter, @Nullable Instant settledFrom, Instant now) {
    if (isDone()) {
      return this;
    }
    DruidDeletionStep step = this;
    if (task != null) {
      DeletableRows.TaskState state = rows.state(task);
      if (state == DeletableRows.TaskState.RUNNING) {
        return this;
      }
      step = step.ended(state, now);
    }
    Found found = rows.find(datasource, filter);
    boolean hasChanged = step.left == null || step.left.panes() != found.panes();
    step = step.counted(found);
    if (found.isNothing()) {
      boolean isLast = !now.isBefore(settledFrom) && rows.isWhole(datasource);
      return isLast ? step.done(now) : step;
    }
    boolean isLoading =
        !hasChanged && step.taskEndedAt != null && now.isBefore(step.taskEndedAt.plus(LOADING));
    return isLoading ? step : step.begin(rows, filter, now);
  }

  /** Publishes what is being taken in, or begins to write segments again. */
  private DruidDeletionStep begin(DeletableRows rows, Map<String, Object> filter, Instant now) {
    boolean wasInVain = taskEndedAt != null && leftBefore == Objects.requireNonNull(left).panes();
    if (handedOffAt == null || (wasInVain && now.isAfter(handedOffAt.plus(HAND_OFF_AGAIN)))) {
      rows.handOff(datasource);
      return handedOff(now);
    }
    boolean isPublishing =
        now.isBefore(handedOffAt.plus(SETTING_OUT))
            || (now.isBefore(handedOffAt.plus(PUBLISHING)) && rows.isHandingOff(datasource));
    if (isPublishing || (wasInVain && Objects.requireNonNull(taskEndedAt).isAfter(handedOffAt))) {
      return this;
    }
    Optional<String> begun = rows.beginWithout(datasource, filter);
    if (begun.isPresent()) {
      return begun(begun.get());
    }
    if (now.isAfter(handedOffAt.plus(HAND_OFF_AGAIN))) {
      rows.handOff(datasource);
      return handedOff(now);
    }
    return this;
  }

  private DruidDeletionStep ended(DeletableRows.TaskState state, Instant now) {
    return new DruidDeletionStep(
        datasource,
        panesFound,
        panesRemoved,
        pointsRemoved,
        left,
        leftBefore,
        passes + 1,
        null,
        now,
        handedOffAt,
        null,
        state == DeletableRows.TaskState.FAILED ? "Druid's task " + task + " failed." : null);
  }

  /** What is less than before was removed; what is more has arrived. */
  private DruidDeletionStep counted(Found found) {
    long panes = left == null ? found.panes() : found.panes() - left.panes();
    long points = left == null ? found.points() : found.points() - left.points();
    return new DruidDeletionStep(
        datasource,
        panesFound + Math.max(0, panes),
        panesRemoved + Math.max(0, -panes),
        pointsRemoved + Math.max(0, -points),
        new Left(found.panes(), found.points()),
        leftBefore,
        passes,
        task,
        taskEndedAt,
        handedOffAt,
        null,
        problem);
  }

  private DruidDeletionStep done(Instant now) {
    return with(task, leftBefore, handedOffAt, now, null);
  }

  private DruidDeletionStep handedOff(Instant now) {
    return with(task, leftBefore, now, null, problem);
  }

  private DruidDeletionStep begun(String newTask) {
    return with(newTask, Objects.requireNonNull(left).panes(), handedOffAt, null, problem);
  }

  /** The same, with what stands against it now. */
  DruidDeletionStep failed(String sentence) {
    return with(task, leftBefore, handedOffAt, doneAt, sentence);
  }

  private DruidDeletionStep with(
      @Nullable String newTask,
      long newLeftBefore,
      @Nullable Instant handOff,
      @Nullable Instant done,
      @Nullable String newProblem) {
    return new DruidDeletionStep(
        datasource,
        panesFound,
        panesRemoved,
        pointsRemoved,
        left,
        newLeftBefore,
        passes,
        newTask,
        taskEndedAt,
        handOff,
        done,
        newProblem);
  }
}
