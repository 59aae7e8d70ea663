package io.tidemark.platform.billing.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.contracts.usage.v1.Quantity;
import io.tidemark.contracts.usage.v1.UsageRecord;
import io.tidemark.platform.billing.MeteredRecord;
import io.tidemark.platform.billing.UsageRepair.Repaired;
import io.tidemark.platform.shared.TenantId;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.clients.consumer.OffsetResetStrategy;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class UsageRecordReplayerTest {

  private static final String TOPIC = "usage.records.v1";
  private static final TopicPartition PLACE = new TopicPartition(TOPIC, 0);
  private static final Instant HOUR = Instant.parse("2026-11-20T10:00:00Z");

  private final List<MeteredRecord> entered = new ArrayList<>();

  private static byte[] record(String organization, Instant hour, int number) {
    return UsageRecord.newBuilder()
        .setRecordId("%064x".formatted(number))
        .setOrganizationId(organization)
        .setEnvironmentId("env-a")
        .setMetric("cpu")
        .setHourUnixMs(hour.toEpochMilli())
        .setMeteredAtUnixMs(hour.toEpochMilli())
        .setMetersVersion(2)
        .addQuantities(Quantity.newBuilder().setMeter("points").setUnits(number))
        .build()
        .toByteArray();
  }

  /** A topic with one partition, of which the first two records are older than the hour. */
  private static MockConsumer<byte[], byte[]> topic(List<byte[]> values) {
    MockConsumer<byte[], byte[]> consumer =
        new MockConsumer<>(OffsetResetStrategy.EARLIEST) {
          @Override
          public Map<TopicPartition, OffsetAndTimestamp> offsetsForTimes(
              Map<TopicPartition, Long> times) {
            Map<TopicPartition, OffsetAndTimestamp> places = new HashMap<>();
            times.forEach((place, time) -> places.put(place, new OffsetAndTimestamp(2, time)));
            return places;
          }
        };
    consumer.updatePartitions(
        TOPIC, List.of(new PartitionInfo(TOPIC, 0, new Node(0, "a", 1), new Node[0], new Node[0])));
    consumer.updateBeginningOffsets(Map.of(PLACE, 0L));
    consumer.updateEndOffsets(Map.of(PLACE, (long) values.size()));
    consumer.schedulePollTask(
        () -> {
          for (int i = 0; i < values.size(); i++) {
            consumer.addRecord(new ConsumerRecord<>(TOPIC, 0, i, null, values.get(i)));
          }
        });
    return consumer;
  }

  @Test
  void recordsOfTheHoursAndTheOrganisationAreEnteredAgain() {
    List<byte[]> values =
        List.of(
            record("org-a", HOUR, 1),
            record("org-a", HOUR, 2),
            record("org-a", HOUR, 3),
            record("org-b", HOUR, 4),
            record("org-a", HOUR.plus(1, ChronoUnit.HOURS), 5),
            new byte[] {1},
            record("org-a", HOUR, 6));
    UsageRecordReplayer replayer =
        new UsageRecordReplayer(
            TOPIC,
            () -> topic(values),
            records -> {
              entered.addAll(records);
              return 1;
            });

    Repaired repaired =
        replayer.repair(new TenantId("org-a"), HOUR, HOUR.plus(1, ChronoUnit.HOURS));

    assertThat(entered.stream().map(one -> one.quantities().get("points").intValueExact()))
        .containsExactly(3, 6);
    assertThat(repaired).isEqualTo(new Repaired(2, 1));
  }
}
