package io.tidemark.flink.lake;

import io.tidemark.contracts.pipeline.v1.RemovalReport;
import io.tidemark.flink.io.removals.RemovalOrder;
import io.tidemark.flink.io.removals.Removals;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** Orders and reports in memory, of one test at a time. */
record TestingRemovals() implements Removals {

  private static final Map<String, RemovalOrder> ORDERS = new ConcurrentHashMap<>();
  private static final List<RemovalReport> REPORTS = new CopyOnWriteArrayList<>();
  private static final AtomicInteger FAILURES = new AtomicInteger();
  private static volatile long readUpTo = Long.MAX_VALUE;

  static void reset() {
    ORDERS.clear();
    REPORTS.clear();
    FAILURES.set(0);
    readUpTo = Long.MAX_VALUE;
  }

  static void order(RemovalOrder order) {
    ORDERS.put(order.key(), order);
  }

  /** The job has not read what was sent after this time. */
  static void readUpTo(long timeMs) {
    readUpTo = timeMs;
  }

  /** So many reports are not taken. */
  static void fail(int times) {
    FAILURES.set(times);
  }

  static List<RemovalReport> reports() {
    return REPORTS;
  }

  /** Rows of the reports, a snapshot counted once. */
  static long removedRows() {
    return REPORTS.stream()
        .filter(RemovalReport::hasRemoved)
        .map(RemovalReport::getRemoved)
        .distinct()
        .mapToLong(removed -> removed.getRows())
        .sum();
  }

  static boolean nothingIsLeft() {
    return REPORTS.stream().anyMatch(RemovalReport::hasNothingLeft);
  }

  @Override
  public Opened open(String table) {
    return new Opened() {
      @Override
      public List<RemovalOrder> current() {
        return List.copyOf(ORDERS.values());
      }

      @Override
      public boolean hasReadUpTo(long timeMs) {
        return timeMs <= readUpTo;
      }

      @Override
      public void tell(List<RemovalReport> reports) {
        if (!reports.isEmpty() && FAILURES.getAndDecrement() > 0) {
          throw new IllegalStateException("Kafka is away, as the test wants it");
        }
        REPORTS.addAll(reports);
      }

      @Override
      public void close() {}
    };
  }
}
