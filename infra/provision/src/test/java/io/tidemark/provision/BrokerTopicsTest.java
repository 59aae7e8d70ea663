package io.tidemark.provision;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.provision.TopicStore.Topic;
import io.tidemark.provision.TopicStore.TopicState;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** On a real broker. */
class BrokerTopicsTest {
  private static final InfraFiles FILES =
      new InfraFiles(Path.of("../..").toAbsolutePath().normalize());

  @TempDir private static Path folder;
  private static TestingBroker broker;
  private static BrokerTopics topics;

  @BeforeAll
  static void start() throws Exception {
    broker = new TestingBroker(folder);
    topics = new BrokerTopics(EngineAccess.OPEN.kafka(broker.address()));
  }

  @AfterAll
  static void stop() {
    topics.close();
    broker.close();
  }

  private static TopicState state(String topic) throws Exception {
    return topics.describe(List.of(topic)).get(topic);
  }

  /** What the controller took is told by the broker a moment later. */
  private static void await(Callable<Boolean> condition) throws Exception {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (!condition.call()) {
      assertThat(System.nanoTime()).as("30 s without it").isLessThan(deadline);
      TimeUnit.MILLISECONDS.sleep(20);
    }
  }

  @Test
  void everyDeclaredTopicIsTakenAndASecondRunFindsItAsDeclared() throws Exception {
    List<Topic> declared = KafkaTopics.read(FILES);
    assertThat(KafkaTopics.apply(FILES, broker.address(), EngineAccess.OPEN).summary())
        .isEqualTo(declared.size() + " created");
    assertThat(KafkaTopics.apply(FILES, broker.address(), EngineAccess.OPEN))
        .isEqualTo(new StepReport("as declared", List.of()));

    Topic first = declared.get(0);
    topics.set(first.name(), Map.of("retention.ms", "60000"));
    topics.raisePartitions(declared.get(1).name(), 9);
    await(() -> "60000".equals(state(first.name()).settings().get("retention.ms")));
    await(() -> state(declared.get(1).name()).partitions() == 9);
    assertThat(KafkaTopics.apply(FILES, broker.address(), EngineAccess.OPEN).changes())
        .containsExactly(
            first.name()
                + " had retention.ms 60000 instead of "
                + first.settings().get("retention.ms"));
    assertThat(state(declared.get(1).name()).partitions()).isEqualTo(9);
  }

  @Test
  void aReleaseThatLosesEndsOfTransactionsIsTold() throws Exception {
    assertThat(topics.faultOfRelease()).isEmpty();
    assertThat(BrokerTopics.faultOfRelease((short) 29)).isEmpty();
    assertThat(BrokerTopics.faultOfRelease((short) 30)).singleElement().asString().contains("4.2");
  }

  @Test
  void whatAnotherRunDidIsNoFailure() throws Exception {
    Topic topic = new Topic("twice", 2, Map.of());
    assertThat(topics.create(List.of(topic))).containsExactly("twice");
    assertThat(topics.create(List.of(topic))).isEmpty();

    topics.describe(List.of("twice"));
    topics.raisePartitions("twice", 4);
    topics.raisePartitions("twice", 4);
    topics.raisePartitions("twice", 3);
    await(() -> state("twice").partitions() == 4);
  }

  @Test
  void aRefusalNamesTheTopicAndTheBrokersWords() {
    assertThatThrownBy(
            () -> topics.create(List.of(new Topic("odd", 1, Map.of("retention.ms", "soon")))))
        .isInstanceOf(ProvisionFailure.class)
        .hasMessageContaining("Kafka refused topic odd of infra/kafka/topics.yaml")
        .hasMessageContaining("soon")
        .hasMessageContaining("provision again");
  }
}
