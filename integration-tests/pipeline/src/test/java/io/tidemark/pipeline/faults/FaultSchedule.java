package io.tidemark.pipeline.faults;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** What fails, in which way, in which order and when. Everything follows from the seed. */
final class FaultSchedule {
  /** Where uncommitted data lives. Each fails in every run. */
  private static final List<String> CORE =
      List.of("flink-taskmanager", "flink-jobmanager", "kafka");

  private static final List<String> AROUND =
      List.of(
          "platform-api",
          "druid-indexer",
          "druid-indexer-batch",
          "druid-coordinator",
          "druid-broker",
          "druid-historical",
          "druid-historical-hot",
          "postgres",
          "zookeeper",
          "object-store");

  /** A process frozen for longer than its neighbours wait for it is taken for dead, and wakes. */
  private static final int LONGEST_FREEZE_MILLIS = 45_000;

  /** In which way a process fails. */
  public enum Kind {
    /** kill -9. */
    KILL,
    /** SIGSTOP, and SIGCONT later: it holds its connections and answers nothing. */
    FREEZE
  }

  /**
   * One fault: the victims fail at the same moment.
   *
   * @param pointsBefore acknowledged points to wait for before it
   * @param delayMillis after that, so that it falls anywhere between two checkpoints
   * @param downMillis how long nobody repairs
   */
  public record Fault(
      Kind kind, List<String> victims, long pointsBefore, long delayMillis, long downMillis) {}

  private FaultSchedule() {}

  /**
   * At least {@code count} processes fail, every fourth by being frozen.
   *
   * @param present components of this stack
   */
  public static List<Fault> of(long seed, int count, List<String> present) {
    Random random = new Random(seed);
    List<String> around = AROUND.stream().filter(present::contains).toList();
    List<String> victims = new ArrayList<>();
    while (victims.size() < count) {
      victims.addAll(CORE);
      victims.add(around.get(random.nextInt(around.size())));
    }
    victims = victims.subList(0, count);
    Collections.shuffle(victims, random);
    List<Fault> faults = new ArrayList<>();
    for (int i = 0; i < victims.size(); i++) {
      List<String> together = new ArrayList<>(List.of(victims.get(i)));
      boolean isLast = i + 1 == victims.size();
      if (!isLast && !victims.get(i + 1).equals(victims.get(i)) && random.nextInt(6) == 0) {
        together.add(victims.get(++i));
      }
      Kind kind = random.nextInt(4) == 0 ? Kind.FREEZE : Kind.KILL;
      faults.add(
          new Fault(
              kind,
              together,
              500 + random.nextInt(4_000),
              random.nextInt(6_000),
              random.nextInt(kind == Kind.FREEZE ? LONGEST_FREEZE_MILLIS : 8_000)));
    }
    return faults;
  }
}
