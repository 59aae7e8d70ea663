package io.tidemark.platform.lineage;

import static io.tidemark.platform.lineage.LineagePlace.ALERT_JOB;
import static io.tidemark.platform.lineage.LineagePlace.DRUID;
import static io.tidemark.platform.lineage.LineagePlace.GATEWAY;
import static io.tidemark.platform.lineage.LineagePlace.LAKE;
import static io.tidemark.platform.lineage.LineagePlace.LAKE_JOB;
import static io.tidemark.platform.lineage.LineagePlace.LEDGER;
import static io.tidemark.platform.lineage.LineagePlace.POINTS_TOPIC;
import static io.tidemark.platform.lineage.LineagePlace.ROLLUP_JOB;
import static io.tidemark.platform.lineage.LineagePlace.ROLLUP_TOPICS;
import static io.tidemark.platform.lineage.LineagePlace.TRANSITIONS;
import static io.tidemark.platform.lineage.LineagePlace.USAGE_JOB;

import io.tidemark.platform.metricstore.TimeInterval;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The pipeline as one environment sees it at a moment. Pure. */
public record LineageGraph(
    Instant countedAt, TimeInterval window, List<Node> nodes, List<Edge> edges) {

  /** How it goes. */
  public enum State {
    FLOWING,
    IDLE,
    LATE,
    UNKNOWN
  }

  /** What flows. */
  public enum Unit {
    POINTS,
    ROWS,
    TRANSITIONS,
    ENTRIES
  }

  /** A place with how it goes there. */
  public record Node(LineagePlace place, State state) {}

  /**
   * The way from one place to the next.
   *
   * @param countedAt where counts were taken
   * @param lag null when it is not known
   */
  public record Edge(
      LineagePlace from,
      LineagePlace to,
      State state,
      Unit unit,
      LineagePlace countedAt,
      Counts counts,
      Reach reach,
      @Nullable Duration lag) {}

  /**
   * What is known.
   *
   * @param received points that the points topic took in
   * @param rows of minutes, as Druid has them
   * @param transitions that were recorded
   * @param entries of the ledger that were recorded
   * @param committed of the rollup job
   * @param stored of Druid
   * @param lake of the lake
   * @param decided of the alert job
   * @param reconciled of the ledger
   */
  record Observation(
      Counts received,
      Counts rows,
      Counts transitions,
      Counts entries,
      Reach committed,
      Reach stored,
      Reach lake,
      Reach decided,
      Reach reconciled) {}

  private static final Reach WRITTEN =
      Reach.immediate("Nothing waits here: the gateway answers when its record is written.");
  private static final Reach LAKE_POINTS =
      Reach.unknown(
          "How far the lake job has read the points topic is not followed; what it has of rows"
              + " stands on its other edges.");
  private static final Counts UNREAD =
      Counts.unknown(
          "Druid has rows of these minutes and the receipts have no points of them: their reader is"
              + " behind, or a sender's clock is ahead.");
  private static final Counts LAKE_COUNTS =
      Counts.unknown("What goes into the lake is not counted by environment.");

  public LineageGraph {
    nodes = List.copyOf(nodes);
    edges = List.copyOf(edges);
  }

  static LineageGraph of(Instant now, TimeInterval window, Observation seen) {
    Line line = new Line(now);
    Counts received = received(seen);
    List<Edge> edges =
        List.of(
            line.points(GATEWAY, POINTS_TOPIC, received, WRITTEN),
            line.points(POINTS_TOPIC, ROLLUP_JOB, received, seen.committed()),
            line.rows(ROLLUP_JOB, ROLLUP_TOPICS, seen.rows(), seen.committed()),
            line.rows(ROLLUP_TOPICS, DRUID, seen.rows(), seen.stored()),
            line.points(POINTS_TOPIC, LAKE_JOB, received, LAKE_POINTS),
            line.rows(ROLLUP_TOPICS, LAKE_JOB, seen.rows(), seen.lake()),
            line.rows(LAKE_JOB, LAKE, LAKE_COUNTS, seen.lake()),
            line.rows(ROLLUP_TOPICS, ALERT_JOB, seen.rows(), seen.decided()),
            line.edge(
                ALERT_JOB,
                TRANSITIONS,
                Unit.TRANSITIONS,
                TRANSITIONS,
                seen.transitions(),
                seen.decided()),
            line.points(ROLLUP_JOB, USAGE_JOB, received, seen.reconciled()),
            line.edge(USAGE_JOB, LEDGER, Unit.ENTRIES, LEDGER, seen.entries(), seen.reconciled()));
    List<Node> nodes =
        Arrays.stream(LineagePlace.values())
            .map(place -> new Node(place, stateOf(place, edges)))
            .toList();
    return new LineageGraph(now, window, nodes, edges);
  }

  /** Receipts are read from the topic, too: where rows have come, no points is no answer. */
  private static Counts received(Observation seen) {
    return seen.received().isNothing() && seen.rows().isSomething() ? UNREAD : seen.received();
  }

  /** Draws edges at a moment. */
  private record Line(Instant now) {

    Edge points(LineagePlace from, LineagePlace to, Counts counts, Reach reach) {
      return edge(from, to, Unit.POINTS, POINTS_TOPIC, counts, reach);
    }

    Edge rows(LineagePlace from, LineagePlace to, Counts counts, Reach reach) {
      return edge(from, to, Unit.ROWS, DRUID, counts, reach);
    }

    Edge edge(
        LineagePlace from,
        LineagePlace to,
        Unit unit,
        LineagePlace countedAt,
        Counts counts,
        Reach reach) {
      return new Edge(
          from,
          to,
          state(counts, reach, now),
          unit,
          countedAt,
          counts,
          reach,
          reach.lag(now).orElse(null));
    }
  }

  /** Late comes first: a job that stands has no rate, and must not look idle. */
  static State state(Counts counts, Reach reach, Instant now) {
    if (reach.isLate(now)) {
      return State.LATE;
    }
    return switch (reach.kind()) {
      case UNKNOWN -> State.UNKNOWN;
      case UNNEEDED -> State.IDLE;
      case KNOWN, IMMEDIATE -> counts.isNothing() ? State.IDLE : State.FLOWING;
    };
  }

  /** By what comes in; of the first place by what goes out. */
  private static State stateOf(LineagePlace place, List<Edge> edges) {
    Set<State> found =
        edges.stream()
            .filter(edge -> place == GATEWAY ? edge.from() == place : edge.to() == place)
            .map(Edge::state)
            .collect(Collectors.toSet());
    return Stream.of(State.LATE, State.FLOWING, State.UNKNOWN)
        .filter(found::contains)
        .findFirst()
        .orElse(State.IDLE);
  }
}
