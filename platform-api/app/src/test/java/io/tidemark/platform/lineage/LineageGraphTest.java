package io.tidemark.platform.lineage;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.platform.alerting.AlertProgress.Decided;
import io.tidemark.platform.lineage.LineageGraph.Edge;
import io.tidemark.platform.lineage.LineageGraph.Node;
import io.tidemark.platform.lineage.LineageGraph.Observation;
import io.tidemark.platform.lineage.LineageGraph.State;
import io.tidemark.platform.metricstore.TimeInterval;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What a graph says of what is known and of what is not. */
class LineageGraphTest {

  private static final Instant NOW = Instant.parse("2026-11-23T10:10:30Z");
  private static final Instant END = Instant.parse("2026-11-23T10:10:00Z");
  private static final Instant START = Instant.parse("2026-11-23T10:00:00Z");
  private static final TimeInterval WINDOW = new TimeInterval(START, END);
  private static final Duration LATE_AFTER = Duration.ofMinutes(5);
  private static final Counts NOTHING = Counts.of(WINDOW, Map.of(), END);
  private static final Counts SOME = Counts.of(WINDOW, Map.of(START, 600L), END);
  private static final Reach FRESH = Reach.known(NOW.minusSeconds(60), LATE_AFTER);
  private static final Reach OLD = Reach.known(NOW.minusSeconds(301), LATE_AFTER);

  private static LineageGraph graph(Counts counts, Reach reach, Reach stored) {
    return LineageGraph.of(
        NOW,
        WINDOW,
        new Observation(counts, counts, counts, counts, reach, stored, reach, reach, reach));
  }

  private static Edge edge(LineageGraph graph, LineagePlace from, LineagePlace to) {
    return graph.edges().stream()
        .filter(edge -> edge.from() == from && edge.to() == to)
        .findFirst()
        .orElseThrow();
  }

  private static State node(LineageGraph graph, LineagePlace place) {
    return graph.nodes().stream()
        .filter(node -> node.place() == place)
        .map(Node::state)
        .findFirst()
        .orElseThrow();
  }

  @Test
  void everyPlaceIsThereOnceAndIsReachedFromTheGateway() {
    LineageGraph graph = graph(SOME, FRESH, FRESH);
    assertThat(graph.nodes()).extracting(Node::place).containsExactly(LineagePlace.values());
    Set<LineagePlace> reached = graph.edges().stream().map(Edge::to).collect(Collectors.toSet());
    reached.add(LineagePlace.GATEWAY);
    assertThat(reached).containsExactlyInAnyOrder(LineagePlace.values());
    assertThat(graph.edges()).doesNotHaveDuplicates().hasSize(11);
  }

  @Test
  void anOpenMinuteIsNoDrop() {
    Counts counts =
        Counts.of(
            WINDOW,
            Map.of(START, 100L, END.minusSeconds(120), 200L, END.minusSeconds(60), 1L),
            END.minusSeconds(60));
    assertThat(counts.minutes()).hasSize(10);
    assertThat(counts.minutes().get(8).isComplete()).isTrue();
    assertThat(counts.minutes().get(9).isComplete()).isFalse();
    assertThat(counts.perMinute().orElseThrow()).isEqualTo(300.0 / 9);
    assertThat(Counts.of(WINDOW, Map.of(START, 5L), Instant.MIN).perMinute())
        .as("no complete minute has no mean")
        .isEmpty();
    assertThat(Counts.unknown("Why.").perMinute()).isEmpty();
  }

  @Test
  void aStandingJobIsLateAndNotIdleAlsoWhenNothingFlows() {
    assertThat(LineageGraph.state(NOTHING, OLD, NOW)).isEqualTo(State.LATE);
    assertThat(LineageGraph.state(SOME, OLD, NOW)).isEqualTo(State.LATE);
    assertThat(LineageGraph.state(NOTHING, FRESH, NOW)).isEqualTo(State.IDLE);
    assertThat(LineageGraph.state(SOME, FRESH, NOW)).isEqualTo(State.FLOWING);
    assertThat(LineageGraph.state(SOME, Reach.known(NOW.minus(LATE_AFTER), LATE_AFTER), NOW))
        .as("as old as may be")
        .isEqualTo(State.FLOWING);
  }

  @Test
  void whatIsNotKnownIsNeitherIdleNorWell() {
    assertThat(LineageGraph.state(SOME, Reach.unknown("Why."), NOW)).isEqualTo(State.UNKNOWN);
    assertThat(LineageGraph.state(NOTHING, Reach.unknown("Why."), NOW)).isEqualTo(State.UNKNOWN);
    assertThat(LineageGraph.state(Counts.unknown("Why."), FRESH, NOW))
        .as("an unknown rate is not none")
        .isEqualTo(State.FLOWING);
    assertThat(LineageGraph.state(SOME, Reach.unneeded("Why."), NOW)).isEqualTo(State.IDLE);
  }

  @Test
  void theEdgeThatIsBehindIsTheOneThatShowsIt() {
    LineageGraph graph = graph(SOME, FRESH, OLD);
    Edge druid = edge(graph, LineagePlace.ROLLUP_TOPICS, LineagePlace.DRUID);
    assertThat(druid.state()).isEqualTo(State.LATE);
    assertThat(druid.lag()).isEqualTo(Duration.ofSeconds(301));
    assertThat(node(graph, LineagePlace.DRUID)).isEqualTo(State.LATE);
    assertThat(node(graph, LineagePlace.ROLLUP_JOB)).isEqualTo(State.FLOWING);
    assertThat(node(graph, LineagePlace.LAKE)).isEqualTo(State.FLOWING);
  }

  @Test
  void nothingWaitsAtTheGatewayAndAClockAheadIsNoNegativeLag() {
    LineageGraph graph = graph(NOTHING, Reach.known(NOW.plusSeconds(5), LATE_AFTER), FRESH);
    Edge gateway = edge(graph, LineagePlace.GATEWAY, LineagePlace.POINTS_TOPIC);
    assertThat(gateway.lag()).isZero();
    assertThat(gateway.reach().until()).isNull();
    assertThat(node(graph, LineagePlace.GATEWAY)).isEqualTo(State.IDLE);
    assertThat(edge(graph, LineagePlace.POINTS_TOPIC, LineagePlace.ROLLUP_JOB).lag()).isZero();
  }

  @Test
  void receiptsThatAreBehindDoNotSayThatNothingWasSent() {
    LineageGraph graph =
        LineageGraph.of(
            NOW,
            WINDOW,
            new Observation(NOTHING, SOME, NOTHING, NOTHING, FRESH, FRESH, FRESH, FRESH, FRESH));
    Edge gateway = edge(graph, LineagePlace.GATEWAY, LineagePlace.POINTS_TOPIC);
    assertThat(gateway.counts().missing()).contains("reader is behind");
    assertThat(gateway.state()).isEqualTo(State.FLOWING);
    assertThat(edge(graph, LineagePlace.ROLLUP_TOPICS, LineagePlace.DRUID).counts())
        .isEqualTo(SOME);
  }

  @Test
  void anEdgeThatNobodyFollowsSaysWhy() {
    LineageGraph graph = graph(SOME, FRESH, FRESH);
    Edge points = edge(graph, LineagePlace.POINTS_TOPIC, LineagePlace.LAKE_JOB);
    assertThat(points.state()).isEqualTo(State.UNKNOWN);
    assertThat(points.reach().missing()).contains("not followed");
    assertThat(edge(graph, LineagePlace.LAKE_JOB, LineagePlace.LAKE).counts().missing())
        .isNotBlank();
    assertThat(node(graph, LineagePlace.LAKE_JOB))
        .as("what it has of rows is known")
        .isEqualTo(State.FLOWING);
  }

  @Test
  void alertsAreDecidedAsFarAsTheRuleThatIsDecidedLeast() {
    assertThat(PipelineLineage.decided(new Decided(true, 0, 0, null)).kind())
        .isEqualTo(Reach.Kind.UNNEEDED);
    assertThat(PipelineLineage.decided(new Decided(false, 2, 2, null)).kind())
        .isEqualTo(Reach.Kind.UNKNOWN);
    assertThat(PipelineLineage.decided(new Decided(true, 3, 1, END)).missing())
        .contains("1 of 3 rules");
    assertThat(PipelineLineage.decided(new Decided(true, 1, 0, null)).missing()).contains("new");
    assertThat(PipelineLineage.decided(new Decided(true, 3, 0, END)).until()).isEqualTo(END);
    assertThat(Reach.of(Optional.empty(), LATE_AFTER, "Why.").missing()).isEqualTo("Why.");
  }
}
