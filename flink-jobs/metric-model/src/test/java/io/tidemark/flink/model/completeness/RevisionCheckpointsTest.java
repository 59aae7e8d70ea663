package io.tidemark.flink.model.completeness;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class RevisionCheckpointsTest {

  private static final long NOW = 1_000_000_000L;

  private final RevisionCheckpoints revisions = new RevisionCheckpoints();

  @Test
  void aCheckpointWithoutLateRowsIsNotTold() {
    assertFalse(revisions.checkpoint(1));
    assertFalse(revisions.isCommitted(1, NOW));
  }

  @Test
  void lateRowsAreToldOnceWithTheirCheckpointOrOneThatStandsForIt() {
    revisions.revised(1);
    assertTrue(revisions.checkpoint(1));
    assertFalse(revisions.checkpoint(2));
    revisions.revised(1);
    assertTrue(revisions.isCommitted(2, NOW));
    assertFalse(revisions.isCommitted(2, NOW + 60_000));
    assertTrue(revisions.checkpoint(3));
    assertTrue(revisions.isCommitted(3, NOW + 120_000));
  }

  @Test
  void rowsThatAreLateAllTheTimeAreToldSeldom() {
    int told = 0;
    for (int checkpoint = 0; checkpoint < 600; checkpoint++) {
      revisions.revised(1);
      assertTrue(revisions.checkpoint(checkpoint));
      told += revisions.isCommitted(checkpoint, NOW + checkpoint * 100L) ? 1 : 0;
    }
    assertTrue(told == 15, "in 60 s: " + told);
  }

  @Test
  void aBacklogWaitsForTheInterval() {
    revisions.revised(RevisionCheckpoints.BACKLOG_ROWS - 1);
    revisions.checkpoint(1);
    revisions.revised(1);
    revisions.checkpoint(2);
    assertFalse(revisions.isCommitted(2, NOW));

    revisions.revised(RevisionCheckpoints.BACKLOG_ROWS - 1);
    revisions.checkpoint(3);
    assertTrue(revisions.isCommitted(3, NOW + 1));
  }
}
