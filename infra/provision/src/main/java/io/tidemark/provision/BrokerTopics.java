package io.tidemark.provision;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.SupportedVersionRange;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.InvalidPartitionsException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/** The topics of a Kafka cluster. Not for several threads. */
final class BrokerTopics implements TopicStore, AutoCloseable {
  private static final int TRIES = 20;
  private static final short DEFAULT_REPLICATION = -1;

  /**
   * Of Kafka 4.3.0. Brokers do not tell their release, but which versions of metadata they take.
   */
  private static final short METADATA_OF_4_3 = 30;

  private final Admin admin;

  /**
   * @param client settings of a client of Kafka
   */
  BrokerTopics(Map<String, Object> client) {
    Map<String, Object> settings = new HashMap<>(client);
    settings.put("default.api.timeout.ms", "30000");
    this.admin = Admin.create(settings);
  }

  /** Says what the release of the brokers does to transactions; empty when that is nothing. */
  List<String> faultOfRelease() throws InterruptedException, ExecutionException {
    SupportedVersionRange metadata =
        admin
            .describeFeatures()
            .featureMetadata()
            .get()
            .supportedFeatures()
            .get("metadata.version");
    return metadata == null ? List.of() : faultOfRelease(metadata.maxVersion());
  }

  static List<String> faultOfRelease(short newestMetadata) {
    return newestMetadata < METADATA_OF_4_3
        ? List.of()
        : List.of(
            "Kafka is 4.3 or later: 4.3.0 to 4.4.0 lose the end of a transaction whose partition has no leader,"
                + " and nobody reads on there (KAFKA-20734). Run 4.2, or a release with the repair.");
  }

  @Override
  public Set<String> names() throws InterruptedException, ExecutionException {
    return admin.listTopics().names().get();
  }

  @Override
  public Set<String> create(List<Topic> topics) throws InterruptedException, ExecutionException {
    Map<String, KafkaFuture<Void>> results =
        admin
            .createTopics(
                topics.stream()
                    .map(
                        topic ->
                            new NewTopic(topic.name(), topic.partitions(), DEFAULT_REPLICATION)
                                .configs(topic.settings()))
                    .toList())
            .values();
    Set<String> created = new HashSet<>();
    for (Topic topic : topics) {
      try {
        Objects.requireNonNull(results.get(topic.name())).get();
        created.add(topic.name());
      } catch (ExecutionException e) {
        if (!(e.getCause() instanceof TopicExistsException)) {
          throw refusal(topic.name(), e);
        }
      }
    }
    return created;
  }

  @Override
  public Map<String, TopicState> describe(Collection<String> names)
      throws InterruptedException, ExecutionException {
    for (int attempt = 1; ; attempt++) {
      try {
        return states(names);
      } catch (ExecutionException e) {
        // Each broker learns of a new topic in its own time.
        if (attempt == TRIES || !(e.getCause() instanceof UnknownTopicOrPartitionException)) {
          throw e;
        }
        Thread.sleep(100);
      }
    }
  }

  private Map<String, TopicState> states(Collection<String> names)
      throws InterruptedException, ExecutionException {
    Map<String, TopicDescription> described = admin.describeTopics(names).allTopicNames().get();
    List<ConfigResource> resources =
        names.stream().map(name -> new ConfigResource(ConfigResource.Type.TOPIC, name)).toList();
    Map<ConfigResource, Config> configured = admin.describeConfigs(resources).all().get();
    Map<String, TopicState> states = new HashMap<>();
    configured.forEach(
        (resource, config) -> {
          Map<String, String> settings = new HashMap<>();
          config.entries().forEach(entry -> settings.put(entry.name(), entry.value()));
          int partitions =
              Objects.requireNonNull(described.get(resource.name())).partitions().size();
          states.put(resource.name(), new TopicState(partitions, settings));
        });
    return states;
  }

  @Override
  public void raisePartitions(String name, int partitions)
      throws InterruptedException, ExecutionException {
    try {
      admin.createPartitions(Map.of(name, NewPartitions.increaseTo(partitions))).all().get();
    } catch (ExecutionException e) {
      if (!(e.getCause() instanceof InvalidPartitionsException)
          || !awaitPartitions(name, partitions)) {
        throw refusal(name, e);
      }
    }
  }

  /** What another run raised is known to the controller before this broker tells it. */
  private boolean awaitPartitions(String name, int partitions)
      throws InterruptedException, ExecutionException {
    for (int attempt = 1; attempt <= TRIES; attempt++) {
      if (Objects.requireNonNull(states(List.of(name)).get(name)).partitions() >= partitions) {
        return true;
      }
      Thread.sleep(100);
    }
    return false;
  }

  @Override
  public void set(String name, Map<String, String> settings)
      throws InterruptedException, ExecutionException {
    List<AlterConfigOp> operations =
        settings.entrySet().stream()
            .map(
                setting ->
                    new AlterConfigOp(
                        new ConfigEntry(setting.getKey(), setting.getValue()),
                        AlterConfigOp.OpType.SET))
            .toList();
    try {
      admin
          .incrementalAlterConfigs(
              Map.of(new ConfigResource(ConfigResource.Type.TOPIC, name), operations))
          .all()
          .get();
    } catch (ExecutionException e) {
      throw refusal(name, e);
    }
  }

  /** A broker that is away is not a refusal. */
  private static ExecutionException refusal(String topic, ExecutionException failure) {
    if (failure.getCause() instanceof ApiException refused
        && !(refused instanceof RetriableException)) {
      throw ProvisionFailure.engine(
          "Kafka refused topic "
              + topic
              + " of infra/kafka/topics.yaml: "
              + ProvisionFailure.reason(refused)
              + ". Correct the file or the broker's limits, then provision again.",
          failure);
    }
    return failure;
  }

  @Override
  public void close() {
    admin.close();
  }
}
