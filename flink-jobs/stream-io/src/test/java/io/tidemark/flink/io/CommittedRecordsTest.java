package io.tidemark.flink.io;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tidemark.flink.io.control.ControlSource;
import io.tidemark.flink.io.points.PointsSource;
import io.tidemark.flink.io.rows.RowSource;
import io.tidemark.flink.io.usage.IncrementSource;
import java.lang.reflect.Field;
import java.time.Duration;
import java.util.List;
import java.util.Properties;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.connector.base.DeliveryGuarantee;
import org.apache.flink.connector.kafka.sink.TransactionNamingStrategy;
import org.apache.flink.connector.kafka.source.KafkaSource;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;

/** The settings without which a record would count twice, or before it is committed. */
class CommittedRecordsTest {

  @Test
  void everySourceReadsCommittedRecordsOnly() throws Exception {
    for (KafkaSource<?> source :
        List.of(
            PointsSource.of(Brokers.at("broker:9092"), "points", "group"),
            PointsSource.gathered(Brokers.at("broker:9092"), "points", "group"),
            PointsSource.reading(Brokers.at("broker:9092"), "points", "group").build(),
            RowSource.of(Brokers.at("broker:9092"), "rows", "group"),
            IncrementSource.of(Brokers.at("broker:9092"), "increments", "group"),
            ControlSource.of(Brokers.at("broker:9092"), "controls", "group"))) {
      Properties settings = (Properties) field(source, "props");
      assertEquals("read_committed", settings.getProperty("isolation.level"));
    }
  }

  @Test
  void everySinkCommitsWithItsCheckpointUnderIdsThatOnlyCountUp() throws Exception {
    Sink<byte[]> sink =
        ExactlyOnceSinks.sink(
            Brokers.at("broker:9092"),
            new ExactlyOnce("rollup", Duration.ofHours(12)),
            "minutes",
            1_000,
            (row, context, timestamp) -> new ProducerRecord<>("rows", row));
    Object kafka = field(sink, "sink");

    assertEquals(DeliveryGuarantee.EXACTLY_ONCE, field(kafka, "deliveryGuarantee"));
    assertEquals(TransactionNamingStrategy.INCREMENTING, field(kafka, "transactionNamingStrategy"));
    assertEquals("rollup-minutes", field(kafka, "transactionalIdPrefix"));
    Properties producer = (Properties) field(kafka, "kafkaProducerConfig");
    assertEquals("43200000", producer.getProperty("transaction.timeout.ms"));
  }

  private static Object field(Object of, String name) throws ReflectiveOperationException {
    for (Class<?> type = of.getClass(); type != null; type = type.getSuperclass()) {
      for (Field field : type.getDeclaredFields()) {
        if (field.getName().equals(name)) {
          field.setAccessible(true);
          return field.get(of);
        }
      }
    }
    throw new NoSuchFieldException(of.getClass() + " has no field " + name);
  }
}
