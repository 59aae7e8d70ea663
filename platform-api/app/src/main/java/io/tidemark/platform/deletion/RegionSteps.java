package io.tidemark.platform.deletion;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A deletion in the stores of a second region.
 *
 * @param seenAt when a process of the region last said that it is there
 * @param settledFrom only a look after it is the last one; null before the region has begun
 * @param doneAt when no store of the region had any of the rows; null before
 */
public record RegionSteps(
    String region,
    Instant seenAt,
    @Nullable Instant settledFrom,
    List<DruidDeletionStep> druid,
    List<LakeDeletionStep> lake,
    @Nullable Instant doneAt) {

  /** A region that has said nothing for so long is away. */
  private static final Duration AWAY = Duration.ofMinutes(5);

  public RegionSteps {
    druid = List.copyOf(druid);
    lake = List.copyOf(lake);
  }

  public boolean isDone() {
    return doneAt != null;
  }

  /** What stands against it as a whole; null when nothing does. */
  public @Nullable String problem(Instant now) {
    return !isDone() && now.isAfter(seenAt.plus(AWAY))
        ? "The region " + region + " was last there at " + seenAt + "; it goes on when it is back."
        : null;
  }

  /** One that has not begun has everything to do that the first one has. */
  RegionSteps orAsIn(List<DruidDeletionStep> firstDruid, List<LakeDeletionStep> firstLake) {
    return settledFrom != null
        ? this
        : new RegionSteps(
            region,
            seenAt,
            null,
            firstDruid.stream().map(step -> DruidDeletionStep.begin(step.datasource())).toList(),
            firstLake.stream().map(step -> LakeDeletionStep.begin(step.table())).toList(),
            null);
  }
}
