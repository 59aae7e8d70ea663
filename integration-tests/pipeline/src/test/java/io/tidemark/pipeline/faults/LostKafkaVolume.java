package io.tidemark.pipeline.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.pipeline.support.Await;
import io.tidemark.pipeline.support.LedgerLoad;
import io.tidemark.pipeline.support.OtlpSender;
import io.tidemark.pipeline.support.RunningStack;
import io.tidemark.stack.engine.DeletedTree;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.ListTopicsOptions;
import org.apache.kafka.clients.admin.QuorumInfo.ReplicaState;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.Uuid;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * {@code make test-kafka-volume}: one of three brokers loses its disk under load and comes back
 * with an empty one, as docs/operations/kafka-volume.md says. Points are taken all the time, and
 * each counts once.
 */
@ExtendWith(RunningStack.class)
@Isolated("a broker is killed")
class LostKafkaVolume {
  private static final Duration PATIENCE = Duration.ofSeconds(300);
  private static final String ORGANIZATION = "org-ledger";
  private static final String METRIC = "operations.kafka-volume";
  private static final int LOST = 2;
  private static final String COMPONENT = "kafka-" + LOST;

  private final RunningStack.Started stack = RunningStack.get();
  private final StoredLedger ledger =
      new StoredLedger(
          stack, ORGANIZATION, Instant.now().truncatedTo(ChronoUnit.MINUTES).minusSeconds(600));

  @BeforeEach
  void threeBrokersAreThere() {
    assertThat(stack.settings().brokers()).as("-Dstack.brokers").isEqualTo(3);
  }

  @Test
  void aBrokerWithoutItsDiskCopiesEverythingBackAndNothingIsMissingOrDoubled() throws Exception {
    LedgerLoad.Habits habits = new LedgerLoad.Habits(Duration.ofMinutes(20), 0, Duration.ZERO, 0);
    OtlpSender sender =
        new OtlpSender(
            stack.coordinates().get("TIDEMARK_OTLP_HTTP"), stack.authorization(ORGANIZATION));
    try (LedgerLoad load = new LedgerLoad(sender, METRIC, habits);
        Admin admin = admin()) {
      awaitMore(load);
      awaitCopied(admin);
      Uuid before = directories(admin).get(LOST);
      assertThat(before).as("directory of the quorum's voter %d", LOST).isNotNull();

      stack.stack().kill(COMPONENT);
      DeletedTree.delete(stack.settings().data(COMPONENT));
      awaitMore(load);
      assertThat(lagging(admin)).as("partitions that lack a copy").isNotEmpty();

      Instant repaired = Instant.now();
      stack.stack().up();
      awaitCopied(admin);
      Map<Integer, Uuid> voters =
          Await.until(
              "the quorum has the new disk",
              PATIENCE,
              () -> directories(admin),
              now -> now.size() == 3 && !before.equals(now.get(LOST)));
      System.out.printf(
          "OPERATIONS copied back after %d s, voters %s%n",
          Duration.between(repaired, Instant.now()).toSeconds(), voters);
      awaitMore(load);
      load.finish();
      ledger.assertHolds(METRIC, load);
    }
  }

  private Admin admin() {
    return Admin.create(
        Map.of(
            AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, stack.coordinates().get("TIDEMARK_KAFKA")));
  }

  private static void awaitMore(LedgerLoad load) throws InterruptedException {
    long before = load.acknowledged();
    Await.until("load flows", PATIENCE, load::acknowledged, now -> now > before + 2_000);
  }

  private static void awaitCopied(Admin admin) throws InterruptedException {
    Await.until("each partition has three copies", PATIENCE, () -> lagging(admin), Set::isEmpty);
  }

  /** Partitions with fewer than three copies that are up to date. */
  private static Set<String> lagging(Admin admin) throws Exception {
    Set<String> names = admin.listTopics(new ListTopicsOptions().listInternal(true)).names().get();
    return admin.describeTopics(names).allTopicNames().get().values().stream()
        .flatMap(
            topic ->
                topic.partitions().stream()
                    .filter(partition -> partition.isr().size() < 3)
                    .map(TopicPartitionInfo::partition)
                    .map(partition -> topic.name() + "-" + partition))
        .collect(Collectors.toSet());
  }

  /** The disk of each voter, by its node. */
  private static Map<Integer, Uuid> directories(Admin admin)
      throws ExecutionException, InterruptedException {
    List<ReplicaState> voters = admin.describeMetadataQuorum().quorumInfo().get().voters();
    return voters.stream()
        .collect(Collectors.toMap(ReplicaState::replicaId, ReplicaState::replicaDirectoryId));
  }
}
