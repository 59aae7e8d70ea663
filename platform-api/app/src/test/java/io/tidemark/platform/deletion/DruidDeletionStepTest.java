package io.tidemark.platform.deletion;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.platform.deletion.DeletableRows.TaskState;
import io.tidemark.platform.shared.EnvironmentId;
import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.testing.TestingDeletableRows;
import io.tidemark.platform.testing.TestingDeletableRows.Row;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DruidDeletionStepTest {

  private static final String DATASOURCE = "rollup_1m";
  private static final Instant DAY = Instant.parse("2026-03-01T00:00:00Z");
  private static final Map<String, Object> CPU =
      DeletionRule.filter(
          new TenantId("org-a"),
          new EnvironmentId("env-a"),
          List.of(new DeletionRule(null, "cpu", List.of(), null, null)));

  private final TestingDeletableRows rows = new TestingDeletableRows();
  private Instant now = DAY.plus(Duration.ofDays(3));
  private final Instant settled = now.plus(Duration.ofHours(1));
  private DruidDeletionStep step = DruidDeletionStep.begin(DATASOURCE);

  private void row(String organization, String metric, boolean isPublished) {
    rows.add(new Row(DATASOURCE, organization, "env-a", metric, "s", DAY, 2, 10, isPublished));
  }

  private void advance() {
    now = now.plusSeconds(30);
    step = step.advance(rows, CPU, settled, now);
  }

  @Test
  void publishedAndUnpublishedRowsGoAndNoOthers() {
    row("org-a", "cpu", true);
    row("org-a", "cpu", false);
    row("org-a", "disk", true);
    row("org-b", "cpu", true);
    advance();
    assertThat(step.panesFound()).isEqualTo(4);
    assertThat(step.task()).as("what is being taken in is published first").isNull();
    advance();
    assertThat(step.task()).as("while it is being published").isNull();
    rows.publish();
    advance();
    assertThat(step.task()).isNotNull();
    advance();
    assertThat(step.panesRemoved()).isZero();
    rows.endTasks(TaskState.SUCCEEDED);
    advance();
    assertThat(step.panesRemoved()).isEqualTo(4);
    assertThat(step.pointsRemoved()).isEqualTo(20);
    assertThat(rows.rows()).extracting(Row::metric).containsExactly("disk", "cpu");
    assertThat(step.isDone()).as("rows may still arrive").isFalse();

    row("org-a", "cpu", true);
    advance();
    assertThat(step.panesFound()).isEqualTo(6);
    rows.publish();
    advance();
    rows.endTasks(TaskState.SUCCEEDED);
    now = settled;
    rows.whole(false);
    advance();
    assertThat(step.isDone()).as("segments that cannot be queried may have rows").isFalse();
    rows.whole(true);
    advance();
    assertThat(step.isDone()).isTrue();
    assertThat(step.panesRemoved()).isEqualTo(6);
    assertThat(rows.rows()).hasSize(2);
  }

  @Test
  void aTaskThatFailedIsBegunAgain() {
    row("org-a", "cpu", true);
    advance();
    rows.publish();
    advance();
    rows.endTasks(TaskState.FAILED);
    advance();
    assertThat(step.problem()).contains("failed");
    for (int i = 0; i < 20 && step.task() == null; i++) {
      advance();
      rows.publish();
    }
    assertThat(step.task()).isNotNull();
    rows.endTasks(TaskState.SUCCEEDED);
    now = settled;
    advance();
    assertThat(step.isDone()).isTrue();
    assertThat(step.problem()).isNull();
    assertThat(step.panesRemoved()).isEqualTo(2);
  }

  /** Whoever goes on has nothing but what was stored. */
  @Test
  void whatIsNotThereIsDoneWithoutATask() {
    row("org-b", "cpu", true);
    now = settled;
    advance();
    assertThat(step.isDone()).isTrue();
    assertThat(step.panesFound()).isZero();
    assertThat(rows.begun()).isZero();
  }
}
