package io.tidemark.platform.metricstore.recent;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.platform.metricstore.AggregateState;
import io.tidemark.platform.metricstore.StoreRow;
import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.testing.InterruptibleDelay;
import io.tidemark.platform.testing.TestingRecentRows;
import io.tidemark.platform.testing.TestingRowsTopic;
import io.tidemark.platform.testing.TestingStore.Row;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.KafkaException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RecentRowConsumerTest {

  private static final TenantId TENANT = new TenantId("org-a");
  private static final int ROOM = 400;

  private final BlockingQueue<TestingRowsTopic> connections = new LinkedBlockingQueue<>();
  private final Instant minute = Instant.now().truncatedTo(ChronoUnit.MINUTES);
  private volatile Optional<Map<Integer, Long>> taken = Optional.of(Map.of(0, 0L));
  private final RecentRowConsumer reader =
      new RecentRowConsumer(
          this::next,
          () -> taken,
          (organization, source) -> (environment, metric) -> 0,
          new RecentRowConsumer.Size(Duration.ofHours(2), ROOM, 1_000),
          Clock.systemUTC());

  private Consumer<byte[], byte[]> next() {
    try {
      return connections.take();
    } catch (InterruptedException stopped) {
      throw new KafkaException(stopped);
    }
  }

  @AfterEach
  void stop() {
    reader.stop();
  }

  private TestingRowsTopic begin() {
    TestingRowsTopic topic = new TestingRowsTopic();
    connections.add(topic);
    reader.start();
    return topic;
  }

  private static void until(BooleanSupplier condition) {
    InterruptibleDelay.until(
        "such a state",
        Duration.ofSeconds(20),
        () -> Optional.of(condition.getAsBoolean()),
        isSo -> isSo);
  }

  private static Row row(String organization, String series, Instant minute, double value) {
    return new Row(
        organization,
        "env-1",
        "load",
        Map.of("metric.n", series),
        series,
        minute.toEpochMilli(),
        AggregateState.of(value),
        null);
  }

  private Optional<List<StoreRow>> rows(Instant of) {
    return reader.rows(TENANT, TestingRecentRows.ofOneMinute(of));
  }

  private double sum() {
    return rows(minute)
        .filter(rows -> !rows.isEmpty())
        .map(rows -> rows.get(0).figures().sum)
        .orElse(Double.NaN);
  }

  @Test
  void nothingIsAnsweredBeforeEverythingIsReadThatDruidHasTaken() {
    taken = Optional.of(Map.of(0, 2L));
    TestingRowsTopic topic = begin();
    topic.send(List.of(row("org-a", "1", minute, 1)));
    until(() -> reader.size() > 0);
    assertThat(rows(minute)).isEmpty();
    topic.send(List.of(row("org-a", "1", minute, 4), row("org-b", "1", minute, 8)));
    until(() -> sum() == 5);
    taken = Optional.of(Map.of(0, 3L));
    assertThat(rows(minute)).isEmpty();
    taken = Optional.of(Map.of(0, 1L));
    assertThat(sum()).isEqualTo(5);
    taken = Optional.of(Map.of(0, 1L, 1, 0L));
    assertThat(rows(minute)).as("a partition that is not read").isEmpty();
    taken = Optional.empty();
    assertThat(rows(minute)).as("nobody knows what Druid has").isEmpty();
  }

  @Test
  void aLostConnectionAnswersNothingAndTheNextBeginsAgain() {
    taken = Optional.of(Map.of(0, 1L));
    TestingRowsTopic topic = begin();
    topic.send(List.of(row("org-a", "1", minute, 1)));
    until(() -> sum() == 1);
    topic.schedulePollTask(() -> topic.setPollException(new KafkaException("gone")));
    until(() -> rows(minute).isEmpty());
    connections.add(new TestingRowsTopic().send(List.of(row("org-a", "1", minute, 1))));
    until(() -> sum() == 1);
  }

  @Test
  void whatFindsNoRoomIsForgottenTheOldestFirstOfTheLargestOnly() {
    TestingRowsTopic topic = begin();
    List<Row> rows = new ArrayList<>();
    Instant older = minute.minus(Duration.ofMinutes(60));
    for (int i = 0; i < ROOM / 20; i++) {
      rows.add(row("org-a", "old-" + i, older, 1));
      rows.add(row("org-a", "new-" + i, minute, 1));
    }
    rows.add(row("org-b", "1", older, 1));
    topic.send(rows);
    taken = Optional.of(Map.of(0, 1L));
    until(() -> rows(minute).isPresent() && rows(older).isEmpty());
    assertThat(sum()).isEqualTo(ROOM / 20);
    assertThat(reader.rows(new TenantId("org-b"), TestingRecentRows.ofOneMinute(older)))
        .as("another organisation")
        .isPresent();
    topic.send(List.of(row("org-a", "late", older, 1), row("org-a", "late", minute, 1)));
    until(() -> sum() == ROOM / 20 + 1);
    assertThat(rows(older)).as("a late row alone is no answer").isEmpty();
  }

  @Test
  void asManyMinutesAreLeftAsFindRoom() {
    TestingRowsTopic topic = begin();
    int series = ROOM / 25;
    List<Row> rows = new ArrayList<>();
    for (int ago = 0; ago < 20; ago++) {
      for (int i = 0; i < series; i++) {
        rows.add(row("org-a", "series-" + i, minute.minus(Duration.ofMinutes(ago)), 1));
      }
    }
    topic.send(rows);
    taken = Optional.of(Map.of(0, 1L));
    // Each series takes eight rows beside its own.
    int minutes = (ROOM / 2 - 8 * series) / series - 1;
    until(
        () ->
            rows(minute).isPresent() && rows(minute.minus(Duration.ofMinutes(minutes))).isEmpty());
    for (int ago = 0; ago < minutes; ago++) {
      assertThat(rows(minute.minus(Duration.ofMinutes(ago)))).as(ago + " minutes ago").isPresent();
    }
    topic.send(List.of(row("org-a", "series-0", minute, 1)));
    until(() -> sum() == series + 1);
  }

  @Test
  void whatGetsOldIsForgotten() {
    TestingRowsTopic topic = begin();
    Instant old = minute.minus(Duration.ofHours(3));
    topic.send(List.of(row("org-a", "1", old, 1), row("org-a", "1", minute, 2)));
    until(() -> sum() == 2);
    assertThat(rows(old)).isEmpty();
  }

  /** Whatever it held is of minutes that had begun when it was written. */
  @Test
  void ofARecordThatCannotBeReadNoMinuteIsAnsweredAndNewerOnesAre() {
    for (String unreadable :
        List.of("{\"timestamp\":", "7", "{\"timestamp\":\"x\"}", "{\"timestamp\":1}", "\u0000")) {
      TestingRowsTopic topic = begin();
      Instant before = minute.minus(Duration.ofMinutes(20));
      topic.send(List.of(row("org-a", "1", before, 1), row("org-a", "1", minute, 2)));
      taken = Optional.of(Map.of(0, 1L));
      until(() -> sum() == 2 && rows(before).isPresent());
      // Half an hour before the minute; the last one it may hold rows of is the one before it.
      topic.send(unreadable, minute.minus(Duration.ofMinutes(30)).toEpochMilli());
      topic.send(List.of(row("org-a", "1", before, 4), row("org-a", "1", minute, 8)));
      taken = Optional.of(Map.of(0, 3L));
      until(() -> sum() == 10);
      assertThat(rows(before)).as(unreadable).isEmpty();
      reader.stop();
    }
  }

  @Test
  void aRecordWithoutATimeMayHoldAnyMinuteUpToNow() {
    TestingRowsTopic topic = begin();
    topic.send(List.of(row("org-a", "1", minute, 1)));
    topic.send("7", -1);
    taken = Optional.of(Map.of(0, 2L));
    until(
        () ->
            reader
                .rows(TENANT, TestingRecentRows.ofOneMinute(minute.plusSeconds(3600)))
                .isPresent());
    assertThat(rows(minute)).isEmpty();
  }
}
