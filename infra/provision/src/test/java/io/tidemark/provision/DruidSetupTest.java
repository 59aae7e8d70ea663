package io.tidemark.provision;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is told to Druid, by a Druid that fills in defaults and remembers what it was told. */
class DruidSetupTest {
  private static final String DAYS = TestingDruid.SUPERVISORS + "/rollup_1d";

  private TestingDruid druid;
  private DruidSetup setup;

  @BeforeEach
  void declare() throws Exception {
    druid = new TestingDruid();
    setup = new DruidSetup(druid.addresses());
    assertThat(setup.apply().summary()).matches("\\d+ created");
    assertNothingChanges();
    assertThat(setup.drift()).isEmpty();
    assertThat(druid.posts).hasSizeGreaterThan(8);
    druid.posts.clear();
  }

  @AfterEach
  void stop() {
    druid.close();
  }

  private void assertNothingChanges() throws Exception {
    assertThat(setup.apply()).isEqualTo(new StepReport("as declared", List.of()));
  }

  private ObjectNode days() {
    return druid.told.get(DAYS).deepCopy();
  }

  /** Somebody posts what Druid said, with a change. */
  private void postByHand(ObjectNode changed) {
    druid.post(TestingDruid.SUPERVISORS, "", changed);
  }

  private void assertToldAndRepaired(String what) throws Exception {
    JsonNode declared = druid.histories.get(DAYS + "/history").get(1).path("spec");
    assertThat(setup.drift()).singleElement().asString().contains("rollup_1d.json: ", what);
    assertThat(druid.posts).isEmpty();
    StepReport report = setup.apply();
    assertThat(report.summary()).isEqualTo("1 changed");
    assertThat(report.changes()).singleElement().asString().contains("rollup_1d.json: ", what);
    assertThat(druid.posts).containsExactly(TestingDruid.SUPERVISORS);
    assertThat(druid.told.get(DAYS)).isEqualTo(declared);
    assertThat(setup.drift()).isEmpty();
    assertNothingChanges();
  }

  @Test
  void aSupervisorThatWasChangedByHandIsToldAndRepaired() throws Exception {
    ObjectNode changed = days();
    changed.withObject("/spec/ioConfig").put("taskDuration", "PT7H");
    postByHand(changed);
    assertToldAndRepaired("/spec/ioConfig/taskDuration is \"PT7H\"");
  }

  /** The file leaves it to defaults; rows that come late would be thrown away. */
  @Test
  void whatWasAddedByHandIsToldAndRepaired() throws Exception {
    ObjectNode changed = days();
    changed.withObject("/spec/ioConfig").put("lateMessageRejectionPeriod", "PT1H");
    postByHand(changed);
    assertToldAndRepaired("/spec/ioConfig/lateMessageRejectionPeriod is \"PT1H\" instead of null");
  }

  @Test
  void aFieldThatDruidDoesNotFillInIsFoundToo() throws Exception {
    ObjectNode changed = days();
    changed.withObject("/spec/tuningConfig").put("surprise", 1);
    postByHand(changed);
    assertToldAndRepaired("/spec/tuningConfig/surprise is absent instead of 1");
  }

  @Test
  void aSuspendedSupervisorIsToldAndRepaired() throws Exception {
    postByHand(days().put("suspended", true));
    assertToldAndRepaired("/suspended is true instead of false");
  }

  @Test
  void aSupervisorOfNobodyKnowsWhatIsRepaired() throws Exception {
    ObjectNode changed = days();
    changed.withObject("/context").remove("tidemark_revision");
    postByHand(changed);
    assertToldAndRepaired("/context/tidemark_revision is absent");
  }

  @Test
  void aSupervisorThatWasEndedIsStartedAgain() throws Exception {
    druid.told.remove(DAYS);
    assertThat(setup.drift()).singleElement().asString().contains("rollup_1d.json");
    assertThat(setup.apply().summary()).isEqualTo("1 created");
    assertThat(setup.drift()).isEmpty();
  }

  @Test
  void rulesAndCompactionAreRepaired() throws Exception {
    druid.told.put("/druid/coordinator/v1/rules/_default", EngineClient.JSON.createArrayNode());
    ((ObjectNode) druid.told.get(TestingDruid.COMPACTION + "/rollup_1h"))
        .put("skipOffsetFromLatest", "P9D");
    assertThat(setup.drift()).hasSize(2);
    assertThat(setup.apply().summary()).isEqualTo("2 changed");
    assertThat(setup.drift()).isEmpty();
    assertThat(druid.posts)
        .containsExactly("/druid/coordinator/v1/rules/_default", TestingDruid.COMPACTION);
  }

  /** Druid refuses one of two changes of its compaction that come at once. */
  @Test
  void aRefusalIsNoneWhenAnotherRunHasDeclaredTheSame() throws Exception {
    druid.told.remove(DAYS);
    druid.refuses =
        (path, body) -> {
          druid.post(path, "", body);
          return true;
        };
    assertThat(setup.apply().summary()).isEqualTo("1 created");
    assertThat(druid.posts).containsExactly(TestingDruid.SUPERVISORS);
    assertNothingChanges();
  }

  @Test
  void aRefusalNamesTheFileAndDruidsWords() {
    druid.told.remove(DAYS);
    druid.refuses = (path, body) -> true;
    assertThatThrownBy(setup::apply)
        .isInstanceOf(ProvisionFailure.class)
        .hasMessageContaining("infra/druid/ingestion/rollup_1d.json: 400")
        .hasMessageContaining("not so")
        .hasMessageContaining("provision again");
  }
}
