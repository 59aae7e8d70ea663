package io.tidemark.provision;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.provision.TopicStore.Topic;
import io.tidemark.provision.TopicStore.TopicState;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;

/**
 * Makes the broker's topics equal {@code infra/kafka/topics.yaml}, without ever deleting one or
 * lowering a partition count.
 */
public final class KafkaTopics {
  private static final String FILE = "kafka/topics.yaml";

  private KafkaTopics() {}

  static List<Topic> read(InfraFiles files) {
    List<Topic> topics = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (JsonNode node : files.yamlList(FILE, "topics")) {
      Map<String, String> settings = new HashMap<>();
      node.path("settings")
          .properties()
          .forEach(e -> settings.put(e.getKey(), e.getValue().asText()));
      Topic topic =
          new Topic(node.path("name").asText(), node.path("partitions").asInt(), settings);
      if (topic.name().isBlank() || topic.partitions() < 1 || !names.add(topic.name())) {
        throw ProvisionFailure.input(
            "infra/"
                + FILE
                + ": topic \""
                + topic.name()
                + "\" needs a name of its own and at least one partition.");
      }
      topics.add(topic);
    }
    return topics;
  }

  /**
   * Creates and changes topics, and rights at them where the broker knows users.
   *
   * @param root checkout
   * @param bootstrapServers host:port, comma separated
   */
  public static void apply(Path root, String bootstrapServers, EngineAccess access)
      throws InterruptedException, ExecutionException {
    apply(new InfraFiles(root), bootstrapServers, access);
  }

  static StepReport apply(InfraFiles files, String bootstrapServers, EngineAccess access)
      throws InterruptedException, ExecutionException {
    List<Topic> wanted = read(files);
    Map<String, Object> client = access.kafka(bootstrapServers);
    StepReport topics;
    try (BrokerTopics broker = new BrokerTopics(client)) {
      topics = apply(wanted, broker).noting(broker.faultOfRelease());
    }
    if (!access.hasUsers()) {
      return topics;
    }
    try (BrokerRights broker = new BrokerRights(client)) {
      return topics.and("rights", KafkaUsers.apply(KafkaUsers.read(files), broker));
    }
  }

  /** Another run may do the same meanwhile. */
  static StepReport apply(List<Topic> wanted, TopicStore store)
      throws InterruptedException, ExecutionException {
    Set<String> present = store.names();
    List<Topic> missing = wanted.stream().filter(t -> !present.contains(t.name())).toList();
    Set<String> created = missing.isEmpty() ? Set.of() : store.create(missing);
    Map<String, TopicState> states = store.describe(wanted.stream().map(Topic::name).toList());
    List<String> changes = new ArrayList<>();
    for (Topic topic : wanted) {
      if (!created.contains(topic.name())) {
        TopicState state = Objects.requireNonNull(states.get(topic.name()), topic.name());
        align(store, topic, state).ifChanged(changes);
      }
    }
    return StepReport.of(created.size(), changes);
  }

  private static Differences align(TopicStore store, Topic topic, TopicState state)
      throws InterruptedException, ExecutionException {
    List<String> told = new ArrayList<>();
    if (state.partitions() < topic.partitions()) {
      store.raisePartitions(topic.name(), topic.partitions());
      told.add("had " + state.partitions() + " partitions instead of " + topic.partitions());
    }
    Map<String, String> differing = new TreeMap<>(topic.settings());
    differing.entrySet().removeIf(e -> e.getValue().equals(state.settings().get(e.getKey())));
    if (!differing.isEmpty()) {
      store.set(topic.name(), differing);
      differing.forEach(
          (name, value) ->
              told.add(
                  "had %s %s instead of %s".formatted(name, state.settings().get(name), value)));
    }
    return new Differences(topic.name(), told);
  }

  private record Differences(String topic, List<String> told) {
    void ifChanged(List<String> changes) {
      if (!told.isEmpty()) {
        changes.add(topic + " " + String.join(", ", told));
      }
    }
  }
}
