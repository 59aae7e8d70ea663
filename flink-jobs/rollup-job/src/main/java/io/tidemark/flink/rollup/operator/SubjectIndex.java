package io.tidemark.flink.rollup.operator;

import io.tidemark.flink.io.usage.IncrementSubject;
import io.tidemark.flink.model.usage.UsageSubject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A small number for every subject met since the start, so that units lie in plain arrays. */
final class SubjectIndex {

  private final Map<UsageSubject, Integer> numbers = new HashMap<>();
  private final List<IncrementSubject> subjects = new ArrayList<>();

  /** The number of a subject, a new one if it has none. */
  int numberOf(UsageSubject subject) {
    Integer known = numbers.putIfAbsent(subject, subjects.size());
    if (known != null) {
      return known;
    }
    subjects.add(IncrementSubject.of(subject));
    return subjects.size() - 1;
  }

  /** As increments name it. */
  IncrementSubject subject(int number) {
    return subjects.get(number);
  }

  /** Forgets every subject; numbers given out before mean nothing any more. */
  void clear() {
    numbers.clear();
    subjects.clear();
  }
}
