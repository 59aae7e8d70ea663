package io.tidemark.pipeline.bench;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;

/** Times of one thing, done often. */
final class Samples {
  private final List<Double> milliseconds = Collections.synchronizedList(new ArrayList<>());

  /** Does it once more, and takes its time. */
  public <T> T time(Callable<T> work) throws Exception {
    long begin = System.nanoTime();
    T result = work.call();
    add((System.nanoTime() - begin) / 1e6);
    return result;
  }

  public void add(double time) {
    milliseconds.add(time);
  }

  public int size() {
    return milliseconds.size();
  }

  /** The time that the part of all takes at most, by nearest rank. */
  public double quantile(double part) {
    List<Double> sorted = new ArrayList<>(milliseconds);
    Collections.sort(sorted);
    return sorted.get(Math.max(0, (int) Math.ceil(part * sorted.size()) - 1));
  }
}
