package io.tidemark.pipeline.faults;

import io.tidemark.pipeline.faults.FaultKind.Target;
import io.tidemark.stack.Link;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.regex.Pattern;

/** What fails, in which way, in which order and when. Everything follows from the seed. */
final class FaultPlan {
  /** Where uncommitted data lives: they fail twice as often as the others. */
  private static final List<String> CORE =
      List.of("flink-taskmanager", "flink-jobmanager", "kafka");

  /** What makes the faults does not fail itself. */
  private static final Set<String> APPARATUS = Set.of("network");

  /**
   * Of the components that keep files those that a failing write does not end at once: the object
   * store's runtime ends it, which is a kill.
   */
  private static final List<String> WRITERS =
      List.of(
          "kafka",
          "flink-taskmanager",
          "flink-jobmanager",
          "postgres",
          "druid-indexer",
          "druid-historical",
          "druid-coordinator",
          "zookeeper");

  /**
   * Those that decide or stamp by the time of day, and report metrics with it; of platform-api each
   * process.
   */
  private static final Pattern CLOCKS =
      Pattern.compile("kafka|flink-taskmanager|flink-jobmanager|platform-api(-\\d)?");

  /** Points that are ten minutes ahead of a gateway's clock are refused, and rightly so. */
  private static final Duration MAX_STEP = Duration.ofMinutes(8);

  /** Every so many faults one freezes something for long. */
  private static final int LONG_FREEZE_EVERY = 40;

  /** Every so many faults of a kind that can last long, one does. */
  private static final int LASTING_EVERY = 5;

  /**
   * One fault.
   *
   * @param targets components, or names of links
   * @param pointsBefore acknowledged points to wait for before it
   * @param delayMillis after that, so that it falls anywhere between two checkpoints
   * @param downMillis how long nobody repairs
   * @param millis how late answers are, when connections are reset, how far a clock jumps; 0 for
   *     others
   */
  record PlannedFault(
      FaultKind kind,
      List<String> targets,
      long pointsBefore,
      long delayMillis,
      long downMillis,
      int millis) {
    Duration down() {
      return Duration.ofMillis(downMillis);
    }
  }

  /**
   * What can fail.
   *
   * @param components of the stack
   * @param links that go through a proxy
   * @param hasClocks whether processes have clocks of their own
   */
  record Targets(List<String> components, List<Link> links, boolean hasClocks) {
    boolean hasStore() {
      return components.contains("object-store");
    }
  }

  /**
   * How long faults may last.
   *
   * @param freeze length of a long freeze
   * @param lasting of the other kinds than kills and stops, the first and every fifth fault; zero
   *     for none that lasts
   * @param part the others last at most this part of the longest: 3 for a third
   */
  record Lengths(Duration freeze, Duration lasting, int part) {}

  private final Random random;
  private final Targets targets;
  private final Lengths lengths;
  private final Map<Target, Deque<String>> decks = new EnumMap<>(Target.class);
  private final Map<FaultKind, Integer> lasting = new EnumMap<>(FaultKind.class);

  private FaultPlan(long seed, Targets targets, Lengths lengths) {
    this.random = new Random(seed);
    this.targets = targets;
    this.lengths = lengths;
  }

  /**
   * The faults of a seed. Every kind that is possible here occurs when there are as many faults as
   * kinds, and with as many faults of a kind as targets, each target fails.
   *
   * @param kinds which are wanted
   */
  static List<PlannedFault> of(
      long seed, int count, Set<FaultKind> kinds, Targets targets, Lengths lengths) {
    return new FaultPlan(seed, targets, lengths).faults(count, kinds);
  }

  private List<PlannedFault> faults(int count, Set<FaultKind> wanted) {
    List<FaultKind> possible = new ArrayList<>();
    List<FaultKind> weighted = new ArrayList<>();
    for (FaultKind kind : FaultKind.values()) {
      if (wanted.contains(kind) && !candidates(kind).isEmpty()) {
        possible.add(kind);
        weighted.addAll(Collections.nCopies(kind.weight(), kind));
      }
    }
    if (possible.isEmpty()) {
      throw new IllegalArgumentException("none of " + wanted + " is possible here");
    }
    List<FaultKind> kinds = new ArrayList<>(possible);
    Collections.shuffle(kinds, random);
    while (kinds.size() < count) {
      boolean isLong =
          weighted.isEmpty()
              || (kinds.size() % LONG_FREEZE_EVERY == 0
                  && possible.contains(FaultKind.LONG_FREEZE));
      kinds.add(isLong ? FaultKind.LONG_FREEZE : weighted.get(random.nextInt(weighted.size())));
    }
    kinds = new ArrayList<>(kinds.subList(0, count));
    Collections.shuffle(kinds, random);
    return kinds.stream().map(this::fault).toList();
  }

  private PlannedFault fault(FaultKind kind) {
    List<String> victims = new ArrayList<>(List.of(draw(kind)));
    if (kind.target() == Target.TWO_COMPONENTS) {
      String second = draw(kind);
      while (second.equals(victims.get(0))) {
        second = draw(kind);
      }
      victims.add(second);
    }
    boolean lasts = lasts(kind);
    return new PlannedFault(
        kind,
        victims,
        500 + random.nextInt(4_000),
        random.nextInt(6_000),
        down(kind, lasts),
        millis(kind, lasts));
  }

  private boolean lasts(FaultKind kind) {
    boolean canLast = kind.longestSeconds() >= 40 && kind != FaultKind.FREEZE;
    return canLast
        && lasting.merge(kind, 1, Integer::sum) % LASTING_EVERY == 1
        && !lengths.lasting().isZero();
  }

  private long down(FaultKind kind, boolean lasts) {
    if (kind == FaultKind.LONG_FREEZE) {
      return lengths.freeze().toMillis();
    }
    int drawn = random.nextInt(1000 * kind.longestSeconds() / lengths.part());
    return lasts ? lengths.lasting().toMillis() : drawn;
  }

  /** What lasts is bad enough to be noticed. */
  private int millis(FaultKind kind, boolean lasts) {
    return switch (kind) {
      case SLOW_LINK -> lasts ? 6_000 + random.nextInt(3_000) : 200 + random.nextInt(2_800);
      case RESET_LINK -> random.nextInt(lasts ? 50 : 2_000);
      case CLOCK_AHEAD, CLOCK_BEHIND ->
          (lasts ? 180_000 : 1_000)
              + random.nextInt(Math.toIntExact(MAX_STEP.toMillis()) - 180_000);
      default -> 0;
    };
  }

  /** The next of a shuffled deck of all candidates. */
  private String draw(FaultKind kind) {
    // Kinds with the same targets share a deck, so that few faults already reach all of them.
    Target target = kind.target() == Target.TWO_COMPONENTS ? Target.COMPONENT : kind.target();
    Deque<String> deck = decks.computeIfAbsent(target, name -> new ArrayDeque<>());
    if (deck.isEmpty()) {
      List<String> cards = new ArrayList<>(candidates(kind));
      Collections.shuffle(cards, random);
      deck.addAll(cards);
    }
    return deck.pop();
  }

  private List<String> candidates(FaultKind kind) {
    List<String> components =
        targets.components().stream().filter(id -> !APPARATUS.contains(id)).toList();
    return switch (kind.target()) {
      case COMPONENT, TWO_COMPONENTS -> {
        List<String> cards = new ArrayList<>(components);
        cards.addAll(components.stream().filter(CORE::contains).toList());
        yield cards;
      }
      case WRITER -> components.stream().filter(WRITERS::contains).toList();
      case LINK -> targets.links().stream().map(Link::id).toList();
      case STORE ->
          targets.hasStore() && !targets.links().isEmpty() ? List.of("object-store") : List.of();
      case CLOCK ->
          targets.hasClocks()
              ? components.stream().filter(CLOCKS.asMatchPredicate()).toList()
              : List.of();
    };
  }
}
