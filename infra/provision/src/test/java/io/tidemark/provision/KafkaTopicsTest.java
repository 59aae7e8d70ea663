package io.tidemark.provision;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.provision.TopicStore.Topic;
import io.tidemark.provision.TopicStore.TopicState;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KafkaTopicsTest {
  private static final Topic POINTS = new Topic("points", 4, Map.of("retention.ms", "7"));
  private static final Topic ROWS = new Topic("rows", 2, Map.of());

  private final TestingTopics broker = new TestingTopics();

  /** A broker that knows names, partitions and settings, and counts what changes it. */
  private static final class TestingTopics implements TopicStore {
    final Map<String, TopicState> topics = new TreeMap<>();
    int writes;

    /** What another run creates between the look and the creation. */
    List<Topic> createdMeanwhile = List.of();

    @Override
    public Set<String> names() {
      return new HashSet<>(topics.keySet());
    }

    @Override
    public Set<String> create(List<Topic> wanted) {
      createdMeanwhile.forEach(this::add);
      Set<String> created = new HashSet<>();
      for (Topic topic : wanted) {
        if (!topics.containsKey(topic.name())) {
          add(topic);
          created.add(topic.name());
        }
      }
      writes++;
      return created;
    }

    void add(Topic topic) {
      topics.put(topic.name(), new TopicState(topic.partitions(), topic.settings()));
    }

    @Override
    public Map<String, TopicState> describe(Collection<String> names) {
      Map<String, TopicState> described = new HashMap<>(topics);
      described.keySet().retainAll(names);
      return described;
    }

    @Override
    public void raisePartitions(String name, int partitions) {
      topics.put(name, new TopicState(partitions, topics.get(name).settings()));
      writes++;
    }

    @Override
    public void set(String name, Map<String, String> settings) {
      Map<String, String> all = new TreeMap<>(topics.get(name).settings());
      all.putAll(settings);
      topics.put(name, new TopicState(topics.get(name).partitions(), all));
      writes++;
    }
  }

  @Test
  void whatIsMissingIsCreatedAndASecondRunChangesNothing() throws Exception {
    assertThat(KafkaTopics.apply(List.of(POINTS, ROWS), broker))
        .isEqualTo(new StepReport("2 created", List.of()));
    broker.writes = 0;

    assertThat(KafkaTopics.apply(List.of(POINTS, ROWS), broker))
        .isEqualTo(new StepReport("as declared", List.of()));
    assertThat(broker.writes).isZero();
  }

  @Test
  void partitionsAndSettingsAreRaisedAndTold() throws Exception {
    broker.add(new Topic("points", 1, Map.of("retention.ms", "1", "compression.type", "zstd")));
    broker.add(ROWS);

    assertThat(KafkaTopics.apply(List.of(POINTS, ROWS), broker))
        .isEqualTo(
            new StepReport(
                "1 changed",
                List.of("points had 1 partitions instead of 4, had retention.ms 1 instead of 7")));
    assertThat(broker.topics.get("points"))
        .isEqualTo(new TopicState(4, Map.of("retention.ms", "7", "compression.type", "zstd")));
  }

  @Test
  void noTopicIsDeletedAndNoPartitionCountLowered() throws Exception {
    broker.add(new Topic("points", 9, POINTS.settings()));
    broker.add(new Topic("somebody-elses", 1, Map.of()));

    assertThat(KafkaTopics.apply(List.of(POINTS), broker).summary()).isEqualTo("as declared");
    assertThat(broker.topics).containsOnlyKeys("points", "somebody-elses");
    assertThat(broker.topics.get("points").partitions()).isEqualTo(9);
  }

  /** The other run may have older files. */
  @Test
  void aTopicThatAnotherRunCreatedMeanwhileIsAligned() throws Exception {
    broker.createdMeanwhile = List.of(new Topic("points", 2, Map.of("retention.ms", "7")));

    assertThat(KafkaTopics.apply(List.of(POINTS, ROWS), broker))
        .isEqualTo(
            new StepReport(
                "1 created, 1 changed", List.of("points had 2 partitions instead of 4")));
    assertThat(broker.topics.get("points").partitions()).isEqualTo(4);
  }

  @Test
  void aTopicTwiceOrWithoutPartitionsIsRefused(@TempDir Path root) throws Exception {
    Path file = root.resolve("infra/kafka/topics.yaml");
    Files.createDirectories(file.getParent());
    for (String topics :
        List.of(
            "topics: [{name: a, partitions: 1}, {name: a, partitions: 1}]",
            "topics: [{name: a}]")) {
      Files.writeString(file, topics);
      assertThatThrownBy(() -> KafkaTopics.read(new InfraFiles(root)))
          .isInstanceOf(ProvisionFailure.class)
          .hasMessageContaining("infra/kafka/topics.yaml: topic \"a\"");
    }
    Files.writeString(file, "topics: [{name: a, partitions: 1}]");
    assertThat(KafkaTopics.read(new InfraFiles(root))).containsExactly(new Topic("a", 1, Map.of()));
  }
}
