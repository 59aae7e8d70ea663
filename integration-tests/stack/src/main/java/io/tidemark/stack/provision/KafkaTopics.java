package io.tidemark.stack.provision;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.config.ConfigResource;

/**
 * Makes the broker's topics equal {@code infra/kafka/topics.yaml}, without ever deleting one or
 * lowering a partition count.
 */
public final class KafkaTopics {
  private static final int TRIES = 20;

  /** One topic of the file. */
  record Topic(String name, int partitions, Map<String, String> settings) {}

  private KafkaTopics() {}

  static List<Topic> read(Path file) throws IOException {
    List<Topic> topics = new ArrayList<>();
    for (JsonNode node : new YAMLMapper().readTree(file.toFile()).path("topics")) {
      Map<String, String> settings = new HashMap<>();
      node.path("settings")
          .properties()
          .forEach(e -> settings.put(e.getKey(), e.getValue().asText()));
      topics.add(new Topic(node.path("name").asText(), node.path("partitions").asInt(), settings));
    }
    return topics;
  }

  /**
   * Returns how many topics were created or changed.
   *
   * @param file {@code infra/kafka/topics.yaml}
   * @param bootstrapServers host:port, comma separated
   */
  public static int apply(Path file, String bootstrapServers)
      throws IOException, InterruptedException, ExecutionException {
    List<Topic> wanted = read(file);
    int changed = 0;
    try (Admin admin =
        Admin.create(
            Map.of("bootstrap.servers", bootstrapServers, "default.api.timeout.ms", "30000"))) {
      Set<String> present = admin.listTopics().names().get();
      List<NewTopic> missing =
          wanted.stream()
              .filter(t -> !present.contains(t.name()))
              .map(t -> new NewTopic(t.name(), t.partitions(), (short) -1).configs(t.settings()))
              .toList();
      admin.createTopics(missing).all().get();
      changed += missing.size();
      awaitDescribable(admin, wanted.stream().map(Topic::name).toList());
      for (Topic topic : wanted) {
        changed += present.contains(topic.name()) ? align(admin, topic) : 0;
      }
    }
    return changed;
  }

  private static int align(Admin admin, Topic topic)
      throws InterruptedException, ExecutionException {
    int changed = 0;
    int partitions =
        admin
            .describeTopics(List.of(topic.name()))
            .allTopicNames()
            .get()
            .get(topic.name())
            .partitions()
            .size();
    if (partitions < topic.partitions()) {
      admin
          .createPartitions(Map.of(topic.name(), NewPartitions.increaseTo(topic.partitions())))
          .all()
          .get();
      changed = 1;
    }
    ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic.name());
    Config current = admin.describeConfigs(List.of(resource)).all().get().get(resource);
    List<AlterConfigOp> operations = new ArrayList<>();
    topic
        .settings()
        .forEach(
            (name, value) -> {
              ConfigEntry entry = current.get(name);
              if (entry == null || !value.equals(entry.value())) {
                operations.add(
                    new AlterConfigOp(new ConfigEntry(name, value), AlterConfigOp.OpType.SET));
              }
            });
    if (!operations.isEmpty()) {
      admin.incrementalAlterConfigs(Map.of(resource, operations)).all().get();
      changed = 1;
    }
    return changed;
  }

  /** A topic that was just created is unknown to the broker's metadata for a moment. */
  private static void awaitDescribable(Admin admin, List<String> names)
      throws InterruptedException, ExecutionException {
    for (int attempt = 1; ; attempt++) {
      try {
        admin.describeTopics(names).allTopicNames().get();
        return;
      } catch (ExecutionException e) {
        if (attempt == TRIES) {
          throw e;
        }
        Thread.sleep(100);
      }
    }
  }
}
