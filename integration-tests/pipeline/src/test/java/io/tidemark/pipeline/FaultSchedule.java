package io.tidemark.pipeline;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** What is killed, in which order and when. Everything follows from the seed. */
final class FaultSchedule {
  /** Where uncommitted data lives. Each is killed in every run. */
  private static final List<String> CORE =
      List.of("flink-taskmanager", "flink-jobmanager", "kafka");

  private static final List<String> AROUND =
      List.of(
          "platform-api",
          "druid-indexer",
          "druid-coordinator",
          "druid-broker",
          "druid-historical",
          "postgres",
          "zookeeper");

  /**
   * One fault: the victims die at the same moment.
   *
   * @param pointsBefore acknowledged points to wait for before it
   * @param delayMillis after that, so that it falls anywhere between two checkpoints
   * @param downMillis how long nobody repairs
   */
  record Fault(List<String> victims, long pointsBefore, long delayMillis, long downMillis) {}

  private FaultSchedule() {}

  /** At least {@code kills} processes are killed. */
  static List<Fault> of(long seed, int kills) {
    Random random = new Random(seed);
    List<String> victims = new ArrayList<>();
    while (victims.size() < kills) {
      victims.addAll(CORE);
      victims.add(AROUND.get(random.nextInt(AROUND.size())));
    }
    victims = victims.subList(0, kills);
    Collections.shuffle(victims, random);
    List<Fault> faults = new ArrayList<>();
    for (int i = 0; i < victims.size(); i++) {
      List<String> together = new ArrayList<>(List.of(victims.get(i)));
      boolean isLast = i + 1 == victims.size();
      if (!isLast && !victims.get(i + 1).equals(victims.get(i)) && random.nextInt(6) == 0) {
        together.add(victims.get(++i));
      }
      faults.add(
          new Fault(
              together, 500 + random.nextInt(4_000), random.nextInt(6_000), random.nextInt(8_000)));
    }
    return faults;
  }
}
