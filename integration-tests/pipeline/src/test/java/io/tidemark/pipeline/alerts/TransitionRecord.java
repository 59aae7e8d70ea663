package io.tidemark.pipeline.alerts;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.WireFormat;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * A committed record of the topic of alert transitions, as the contract describes it.
 *
 * @param group values of labels
 * @param since first minute of the incident, by number; of other transitions of the state
 * @param until first minute after the incident; {@link AlertTruth#OPEN} while it lasts
 */
record TransitionRecord(
    byte[] record,
    String id,
    String ruleId,
    String groupId,
    Map<String, String> group,
    long sequence,
    Kind kind,
    String incidentId,
    long since,
    long until,
    boolean early,
    boolean revised) {

  static final String TOPIC = "alerts.transitions.v1";
  private static final Duration POLL = Duration.ofMillis(200);
  private static final long MINUTE_MS = 60_000;

  /** As numbered in the contract. */
  enum Kind {
    UNSPECIFIED,
    CHANGED,
    FIRED,
    RESOLVED,
    CORRECTED,
    RETRACTED
  }

  /** Everything that is committed now; transitions of a group in their order. */
  public static List<TransitionRecord> all(String kafka) throws IOException {
    List<TransitionRecord> all = new ArrayList<>();
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(
            Map.of("bootstrap.servers", kafka, "isolation.level", "read_committed"),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer())) {
      List<TopicPartition> partitions =
          consumer.partitionsFor(TOPIC).stream()
              .map(one -> new TopicPartition(one.topic(), one.partition()))
              .toList();
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
      while (ends.entrySet().stream()
          .anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
          all.add(read(record.value()));
        }
      }
    }
    return all;
  }

  private static TransitionRecord read(byte[] record) throws IOException {
    Map<Integer, String> texts = new HashMap<>();
    Map<Integer, Long> numbers = new HashMap<>();
    Map<String, String> group = new HashMap<>();
    CodedInputStream in = CodedInputStream.newInstance(record);
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      int field = WireFormat.getTagFieldNumber(tag);
      switch (WireFormat.getTagWireType(tag)) {
        case WireFormat.WIRETYPE_VARINT -> numbers.put(field, in.readUInt64());
        case WireFormat.WIRETYPE_LENGTH_DELIMITED -> {
          byte[] bytes = in.readByteArray();
          if (field == 7) {
            readLabel(bytes, group);
          } else {
            texts.put(field, new String(bytes, java.nio.charset.StandardCharsets.UTF_8));
          }
        }
        default -> in.skipField(tag);
      }
    }
    long until = numbers.getOrDefault(15, 0L);
    return new TransitionRecord(
        record,
        texts.getOrDefault(1, ""),
        texts.getOrDefault(4, ""),
        texts.getOrDefault(6, ""),
        group,
        numbers.getOrDefault(8, 0L),
        Kind.values()[numbers.getOrDefault(9, 0L).intValue()],
        texts.getOrDefault(12, ""),
        numbers.getOrDefault(14, 0L) / MINUTE_MS,
        until == 0 ? AlertTruth.OPEN : until / MINUTE_MS,
        numbers.getOrDefault(20, 0L) != 0,
        numbers.getOrDefault(21, 0L) != 0);
  }

  private static void readLabel(byte[] entry, Map<String, String> to) throws IOException {
    CodedInputStream in = CodedInputStream.newInstance(entry);
    String name = "";
    String value = "";
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      if (WireFormat.getTagFieldNumber(tag) == 1) {
        name = in.readStringRequireUtf8();
      } else {
        value = in.readStringRequireUtf8();
      }
    }
    to.put(name, value);
  }

  /** Begins, ends or changes an incident, as complete minutes have it. */
  boolean isOfIncident() {
    return !early && kind != Kind.CHANGED;
  }

  @Override
  public String toString() {
    return "%s #%d %s of incident %s, %d to %s%s%s"
        .formatted(
            kind,
            sequence,
            id,
            incidentId,
            since,
            until == AlertTruth.OPEN ? "open" : Long.toString(until),
            early ? ", early" : "",
            revised ? ", revised" : "");
  }
}
