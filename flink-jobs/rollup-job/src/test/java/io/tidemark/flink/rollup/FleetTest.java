package io.tidemark.flink.rollup;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tidemark.flink.io.points.PointsRecord;
import io.tidemark.flink.io.points.fastdecode.BatchDecoder;
import io.tidemark.flink.io.points.fastdecode.PointBatch;
import io.tidemark.flink.model.distribution.BucketGrid;
import io.tidemark.flink.model.point.PointTimeLimits;
import io.tidemark.flink.testing.Fleet;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What benchmarks measure with: every form has the same figures and is read in place. */
class FleetTest {

  private static final long FIRST = 1_772_323_200_000L;

  @ParameterizedTest
  @EnumSource(Fleet.Form.class)
  void everyFormHasTheSameFigures(Fleet.Form form) {
    Fleet fleet = new Fleet(1_000, 10_000, FIRST, false, form);
    BatchDecoder decoder = new BatchDecoder(PointTimeLimits.DEFAULT);
    PointsRecord record =
        new PointsRecord(
            "points",
            0,
            3,
            "org-a",
            "env-a",
            "0".repeat(64),
            Long.toString(fleet.timeMs(3)),
            fleet.timeMs(3),
            fleet.bytes(3));

    PointBatch batch =
        decoder.decode(record, letter -> Assertions.fail(letter.reason() + letter.detail()));

    assertEquals(1, decoder.plainBatches());
    assertEquals(Fleet.POINTS_PER_BATCH, batch.size());
    for (int i = 0; i < batch.size(); i++) {
      double value = Fleet.value(1, Fleet.POINTS_PER_BATCH + i);
      assertEquals(value, batch.sum(i));
      assertEquals(fleet.timeMs(3) * 1_000_000, batch.timeUnixNano(i));
      if (form.hasBuckets()) {
        assertNotNull(batch.distribution(i));
        assertEquals(1, batch.distribution(i).count(0));
        assertTrue(isNear(value, batch.distribution(i).bucket(0)), () -> "bucket of " + value);
      } else {
        assertNull(batch.distribution(i));
      }
      if (form != Fleet.Form.GAUGE) {
        assertEquals(1, batch.count(i));
        assertEquals(value, batch.min(i));
        assertEquals(value, batch.max(i));
      }
    }
  }

  /** Bounds that senders choose may be a factor of two and a half apart. */
  private static boolean isNear(double value, int bucket) {
    double bound = BucketGrid.outerBound(bucket);
    return value < 10 || (value > bound / 2 && value < bound * 2);
  }
}
