package io.tidemark.pipeline.bench;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * Contenders that do the same thing in turns: one round is a block of each. What is told of a
 * contender is the median over the rounds, of two the median of the rounds' ratios.
 */
final class Contest {
  /** What one contender did in one round. */
  record Block(Samples samples, double cpuSeconds) {
    double cpuMillisEach() {
      return cpuSeconds * 1_000 / samples.size();
    }

    double p95() {
      return samples.quantile(0.95);
    }
  }

  /** Seconds of CPU used up to now by whatever is measured. */
  interface Cpu {
    double seconds() throws Exception;
  }

  private record Contender(int each, Callable<?> work) {}

  private final Map<String, Contender> contenders = new LinkedHashMap<>();
  private final Map<String, List<Block>> blocks = new LinkedHashMap<>();
  private final int each;
  private Cpu cpu = () -> 0;

  /**
   * No contenders yet.
   *
   * @param each how often one does it in a round
   */
  Contest(int each) {
    this.each = each;
  }

  public Contest with(String name, Callable<?> work) {
    return with(name, each, work);
  }

  /** One that does it as often in a round. */
  public Contest with(String name, int often, Callable<?> work) {
    contenders.put(name, new Contender(often, work));
    blocks.put(name, new ArrayList<>());
    return this;
  }

  Contest measuring(Cpu used) {
    this.cpu = used;
    return this;
  }

  /** Lets all work before anything counts: the time of a young process is its compiler's. */
  Contest warmingUp(WarmUp warmUp) throws Exception {
    List<Callable<?>> all = new ArrayList<>();
    contenders.values().forEach(contender -> all.add(contender.work()));
    warmUp.run(all);
    return this;
  }

  public Contest run(int rounds) throws Exception {
    for (int round = 0; round < rounds; round++) {
      for (Map.Entry<String, Contender> contender : contenders.entrySet()) {
        Samples samples = new Samples();
        double before = cpu.seconds();
        for (int i = 0; i < contender.getValue().each(); i++) {
          samples.time(contender.getValue().work());
        }
        blocks.get(contender.getKey()).add(new Block(samples, cpu.seconds() - before));
      }
    }
    return this;
  }

  double median(String name, Function<Block, Double> figure) {
    return median(blocks.get(name).stream().map(figure).toList());
  }

  double median(String name, String other, BiFunction<Block, Block, Double> figure) {
    List<Double> all = new ArrayList<>();
    for (int i = 0; i < blocks.get(name).size(); i++) {
      all.add(figure.apply(blocks.get(name).get(i), blocks.get(other).get(i)));
    }
    return median(all);
  }

  /** Median quantiles, and lowest and highest of the rounds' 95th percentiles. */
  String times(String name) {
    List<Double> p95 = blocks.get(name).stream().map(Block::p95).toList();
    return "p50 %.1f ms, p95 %.1f ms (%.1f–%.1f)"
        .formatted(
            median(name, block -> block.samples().quantile(0.5)),
            median(p95),
            Collections.min(p95),
            Collections.max(p95));
  }

  /** How much was measured. */
  public String size() {
    List<Block> any = blocks.values().iterator().next();
    return any.size() + " rounds of " + each;
  }

  private static double median(List<Double> values) {
    List<Double> sorted = new ArrayList<>(values);
    Collections.sort(sorted);
    int half = sorted.size() / 2;
    return sorted.size() % 2 == 1
        ? sorted.get(half)
        : (sorted.get(half - 1) + sorted.get(half)) / 2;
  }
}
