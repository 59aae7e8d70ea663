package io.tidemark.provision;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.provision.KafkaUsers.Kind;
import io.tidemark.provision.KafkaUsers.Operation;
import io.tidemark.provision.KafkaUsers.Right;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class KafkaUsersTest {
  private static final InfraFiles FILES =
      new InfraFiles(Path.of("../..").toAbsolutePath().normalize());

  private final Set<Right> declared = KafkaUsers.read(FILES);

  /** A broker's memory. */
  private static final class RecordedRights implements KafkaUsers.RightStore {
    private final Set<Right> rights = new HashSet<>();

    @Override
    public Set<Right> of(Set<String> users) {
      return rights.stream().filter(r -> users.contains(r.user())).collect(Collectors.toSet());
    }

    @Override
    public void give(Set<Right> given) {
      rights.addAll(given);
    }

    @Override
    public void take(Set<Right> taken) {
      rights.removeAll(taken);
    }
  }

  @Test
  void whatIsMissingIsGivenAndWhatIsBesidesIsTakenBack() throws Exception {
    RecordedRights broker = new RecordedRights();
    Right others = new Right("somebody", Kind.TOPIC, "x", false, Operation.READ);
    Right besides = new Right("druid", Kind.TOPIC, "control.tenants.v1", false, Operation.READ);
    broker.rights.add(others);
    broker.rights.add(besides);
    assertThat(KafkaUsers.apply(declared, broker).changes())
        .containsExactly("had the right druid read topic control.tenants.v1");
    assertThat(broker.rights).contains(others).doesNotContain(besides).containsAll(declared);
    assertThat(KafkaUsers.apply(declared, broker).summary()).isEqualTo("as declared");
  }

  @Test
  void everyNamedTopicExistsAndEveryTopicIsWrittenBySomebody() {
    Set<String> topics =
        KafkaTopics.read(FILES).stream().map(TopicStore.Topic::name).collect(Collectors.toSet());
    Set<String> named =
        declared.stream()
            .filter(right -> right.kind() == Kind.TOPIC)
            .map(Right::name)
            .collect(Collectors.toSet());
    assertThat(named).isEqualTo(topics);
    assertThat(
            declared.stream()
                .filter(right -> right.operation() == Operation.WRITE)
                .map(Right::name)
                .collect(Collectors.toSet()))
        .containsAll(topics);
    assertThat(declared).filteredOn(right -> right.kind() == Kind.TOPIC).noneMatch(Right::isPrefix);
  }

  /** A job that is given a topic it may not use fails on a broker with users only. */
  @Test
  void jobsHaveTheRightsThatTheirArgumentsNeed() {
    for (FlinkJobs.Job job : FlinkJobs.read(FILES)) {
      job.arguments()
          .forEach(
              (name, value) -> {
                if (name.endsWith(".topic")) {
                  assertThat(declared)
                      .as(job.name() + " --" + name)
                      .anyMatch(
                          right ->
                              right.user().equals(job.name())
                                  && right.kind() == Kind.TOPIC
                                  && right.name().equals(value));
                }
              });
      String prefix = job.arguments().get("transactional-id-prefix");
      if (prefix != null) {
        assertThat(declared)
            .contains(new Right(job.name(), Kind.TRANSACTIONAL_ID, prefix, true, Operation.WRITE));
      }
    }
  }

  @Test
  void jobsOfASecondRegionMayReadUnderGroupsOfTheirOwn() {
    for (FlinkJobs.Job job : FlinkJobs.read(FILES)) {
      if (job.arguments().containsKey("points.topic")) {
        assertThat(declared)
            .contains(
                new Right(
                    job.name(), Kind.GROUP, "tidemark-" + job.name() + "-", true, Operation.READ));
      }
    }
  }

  @Test
  void druidMayReadWhatItsSupervisorsReadAndNothingElse() {
    Set<Right> needed =
        FILES.jsonFiles(DruidSetup.INGESTION).stream()
            .map(file -> FILES.json(file).at("/spec/ioConfig/topic").asText())
            .map(topic -> new Right("druid", Kind.TOPIC, topic, false, Operation.READ))
            .collect(Collectors.toSet());
    assertThat(declared)
        .filteredOn(right -> right.user().equals("druid"))
        .hasSameElementsAs(needed);
  }

  @Test
  void settingsOfTheEnvironmentThatBelongTogetherAreAskedForTogether() {
    assertThat(EngineAccess.fromEnvironment(Map.of())).isEqualTo(EngineAccess.OPEN);
    assertThatThrownBy(
            () -> EngineAccess.fromEnvironment(Map.of(EngineAccess.CERTIFICATE, "/c.pem")))
        .isInstanceOf(ProvisionFailure.class)
        .hasMessageContaining("belong together");
    assertThat(List.of(EngineAccess.OPEN.kafka("k:1")))
        .containsExactly(Map.of("bootstrap.servers", "k:1"));
  }
}
