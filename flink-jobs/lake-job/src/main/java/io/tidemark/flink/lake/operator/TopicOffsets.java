package io.tidemark.flink.lake.operator;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import org.apache.iceberg.Table;

/**
 * How far a topic was taken: by partition, the offset after the last record. As text it is JSON, an
 * object of partitions.
 *
 * @param next partition and offset of the first record that was not taken
 */
public record TopicOffsets(Map<Integer, Long> next) {

  static final TopicOffsets NONE = new TopicOffsets(Map.of());

  /** Begins what operators send; a file is JSON and begins with a brace. */
  private static final String ELEMENT = "topic-offsets ";

  private static final ObjectMapper JSON = new ObjectMapper();

  public TopicOffsets {
    next = Collections.unmodifiableMap(new TreeMap<>(next));
  }

  /**
   * What the table's current snapshot says that it holds; empty when its committer did not say it.
   * Rows that were deleted since do not change it.
   */
  public static TopicOffsets of(Table table) {
    return CommittedCheckpoint.offsets(table);
  }

  boolean isEmpty() {
    return next.isEmpty();
  }

  /**
   * These, and what later ones say of their partitions instead. A lower offset is a topic that was
   * made anew.
   */
  TopicOffsets then(TopicOffsets later) {
    Map<Integer, Long> both = new TreeMap<>(next);
    both.putAll(later.next);
    return new TopicOffsets(both);
  }

  String toJson() {
    ObjectNode object = JSON.createObjectNode();
    next.forEach((partition, offset) -> object.put(Integer.toString(partition), offset));
    return object.toString();
  }

  static TopicOffsets parse(String json) {
    Map<Integer, Long> next = new TreeMap<>();
    try {
      for (Map.Entry<String, JsonNode> member : JSON.readTree(json).properties()) {
        next.put(Integer.valueOf(member.getKey()), member.getValue().longValue());
      }
    } catch (JsonProcessingException | NumberFormatException e) {
      throw new IllegalStateException("Not offsets of a topic: " + json, e);
    }
    return new TopicOffsets(next);
  }

  String toElement() {
    return ELEMENT + toJson();
  }

  static boolean isElement(String sent) {
    return sent.startsWith(ELEMENT);
  }

  static TopicOffsets ofElement(String sent) {
    return parse(sent.substring(ELEMENT.length()));
  }
}
