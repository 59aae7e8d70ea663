package io.tidemark.flink.rollup.bench;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.common.TopicPartition;

/**
 * What a Flink process is asked to run; one line of text between processes.
 *
 * @param job what runs
 * @param bootstrapServers Kafka
 * @param topic input
 * @param ends where reading ends, by partition
 * @param outputs beginning of the names of all topics written
 * @param restoredFrom folder of a checkpoint, or a dash
 */
record RunOrder(
    Contestant job,
    String bootstrapServers,
    String topic,
    Map<TopicPartition, Long> ends,
    String outputs,
    String restoredFrom) {

  static final String NOTHING = "-";

  /** The consumer group whose offsets tell what a completed checkpoint has read. */
  String group() {
    return outputs;
  }

  /** The same of a topic with one transaction: its end takes a place in every partition. */
  RunOrder withTransaction() {
    Map<TopicPartition, Long> later = new HashMap<>(ends);
    later.replaceAll((partition, end) -> end + 1);
    return new RunOrder(job, bootstrapServers, topic, later, outputs, restoredFrom);
  }

  /** Another job over what the first wrote. */
  RunOrder by(Contestant other) {
    return new RunOrder(other, bootstrapServers, topic, ends, outputs, NOTHING);
  }

  /** The same run from a checkpoint on. */
  RunOrder restored(String checkpoint) {
    return new RunOrder(job, bootstrapServers, topic, ends, outputs, checkpoint);
  }

  String line() {
    StringBuilder text = new StringBuilder();
    new TreeMap<>(byNumber()).forEach((partition, end) -> text.append(',').append(end));
    return String.join(
        " ", job.name(), bootstrapServers, topic, text.substring(1), outputs, restoredFrom);
  }

  static RunOrder parse(String line) {
    String[] words = line.split(" ");
    Map<TopicPartition, Long> ends = new HashMap<>();
    String[] numbers = words[3].split(",");
    for (int partition = 0; partition < numbers.length; partition++) {
      ends.put(new TopicPartition(words[2], partition), Long.parseLong(numbers[partition]));
    }
    return new RunOrder(Contestant.valueOf(words[0]), words[1], words[2], ends, words[4], words[5]);
  }

  private Map<Integer, Long> byNumber() {
    Map<Integer, Long> byNumber = new HashMap<>();
    ends.forEach((partition, end) -> byNumber.put(partition.partition(), end));
    return byNumber;
  }
}
