package io.tidemark.platform.testing;

import io.tidemark.platform.metricstore.AggregateColumn;
import io.tidemark.platform.metricstore.Granularity;
import io.tidemark.platform.metricstore.IntervalSet;
import io.tidemark.platform.metricstore.Lane;
import io.tidemark.platform.metricstore.RecentMinutes;
import io.tidemark.platform.metricstore.ScanSpec;
import io.tidemark.platform.metricstore.Source;
import io.tidemark.platform.metricstore.StoreQuery;
import io.tidemark.platform.metricstore.StoreQuery.Shape;
import io.tidemark.platform.metricstore.StoreRow;
import io.tidemark.platform.metricstore.TimeInterval;
import io.tidemark.platform.metricstore.VisibleRows;
import io.tidemark.platform.metricstore.recent.RecentRowConsumer;
import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.testing.TestingStore.Row;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** Recent minutes of the real reader, which has read a topic of the given rows to its end. */
public final class TestingRecentRows implements RecentMinutes, AutoCloseable {

  private static final int ROWS_OF_A_RECORD = 50;
  private static final TenantId ANY = new TenantId("org-any");

  private final RecentRowConsumer reader;
  private int answered;

  /** Rows of minutes, in any order. */
  public TestingRecentRows(
      List<Row> rows, VisibleRows shown, RecentRowConsumer.Size size, Clock clock) {
    TestingRowsTopic topic = new TestingRowsTopic();
    for (int from = 0; from < rows.size(); from += ROWS_OF_A_RECORD) {
      topic.send(rows.subList(from, Math.min(rows.size(), from + ROWS_OF_A_RECORD)));
    }
    reader =
        new RecentRowConsumer(
            () -> topic, () -> Optional.of(Map.of(0, topic.end())), shown, size, clock);
    reader.start();
    InterruptibleDelay.until(
        "the end of the topic",
        Duration.ofSeconds(20),
        () -> Optional.of(reader.estimate(ANY, ofOneMinute(clock.instant()))),
        OptionalLong::isPresent);
  }

  /** A question about all series of a minute. */
  public static StoreQuery ofOneMinute(Instant minute) {
    return new StoreQuery(
        Optional.empty(),
        Optional.empty(),
        Granularity.PT1M,
        List.of(),
        ScanSpec.of(
            Source.MINUTES,
            IntervalSet.of(List.of(new TimeInterval(minute, minute.plusSeconds(60))))),
        Set.of(AggregateColumn.SUM, AggregateColumn.COUNT),
        new Shape.Flat(),
        1,
        Optional.empty(),
        Lane.INTERACTIVE);
  }

  @Override
  public Optional<List<StoreRow>> rows(TenantId organization, StoreQuery query) {
    Optional<List<StoreRow>> rows = reader.rows(organization, query);
    answered += rows.isPresent() ? 1 : 0;
    return rows;
  }

  /** How many questions were answered. */
  public int answered() {
    return answered;
  }

  @Override
  public OptionalLong estimate(TenantId organization, StoreQuery query) {
    return reader.estimate(organization, query);
  }

  @Override
  public void close() {
    reader.stop();
  }
}
