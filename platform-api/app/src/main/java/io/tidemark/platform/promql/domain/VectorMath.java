package io.tidemark.platform.promql.domain;

import io.tidemark.platform.promql.domain.Expression.Aggregator;
import io.tidemark.platform.promql.domain.Expression.Binary;
import io.tidemark.platform.promql.domain.Expression.Grouping;
import io.tidemark.platform.promql.domain.Expression.ManySide;
import io.tidemark.platform.promql.domain.Value.Numbers;
import io.tidemark.platform.promql.domain.Value.Vector;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Arithmetic of series, step by step, as Prometheus does it. */
public final class VectorMath {

  private VectorMath() {}

  /** Groups of series brought together. */
  public static Vector aggregate(Aggregator aggregator, Grouping grouping, Vector vector) {
    Map<SortedMap<String, String>, List<SeriesValues>> groups = new LinkedHashMap<>();
    for (SeriesValues series : vector.series()) {
      groups.computeIfAbsent(series.labels(grouping), ignored -> new ArrayList<>()).add(series);
    }
    List<SeriesValues> results = new ArrayList<>();
    groups.forEach((labels, members) -> results.add(aggregated(aggregator, labels, members)));
    return new Vector(results);
  }

  private static SeriesValues aggregated(
      Aggregator aggregator, SortedMap<String, String> labels, List<SeriesValues> members) {
    SeriesValues result = new SeriesValues(labels, members.get(0).steps());
    for (int step = 0; step < result.steps(); step++) {
      double sum = 0;
      double extreme = Double.NaN;
      int count = 0;
      for (SeriesValues member : members) {
        if (!member.has(step)) {
          continue;
        }
        double value = member.at(step);
        sum += value;
        count++;
        boolean isFurther = aggregator == Aggregator.MIN ? value < extreme : value > extreme;
        // NaN gives way to every number.
        extreme = Double.isNaN(extreme) || isFurther ? value : extreme;
      }
      if (count > 0) {
        result.put(
            step,
            switch (aggregator) {
              case SUM -> sum;
              case AVG -> sum / count;
              case COUNT -> count;
              case MIN, MAX -> extreme;
            });
      }
    }
    return result;
  }

  /** The other sign. */
  public static Value negated(Value value) {
    if (value instanceof Numbers numbers) {
      double[] negated = new double[numbers.values().length];
      for (int i = 0; i < negated.length; i++) {
        negated[i] = -numbers.values()[i];
      }
      return new Numbers(negated);
    }
    List<SeriesValues> results = new ArrayList<>();
    for (SeriesValues series : ((Vector) value).series()) {
      SeriesValues result = new SeriesValues(series.nameless(), series.steps());
      for (int step = 0; step < series.steps(); step++) {
        if (series.has(step)) {
          result.put(step, -series.at(step));
        }
      }
      results.add(result);
    }
    return new Vector(results);
  }

  /** Two sides brought together. */
  public static Value apply(Binary binary, Value left, Value right) {
    Operation operation = binary.operation();
    if (operation.isSet() && !(left instanceof Vector && right instanceof Vector)) {
      throw PromQlFault.wrong(
          "set operator \"" + operation.text() + "\" not allowed in binary scalar expression");
    }
    if (left instanceof Numbers one && right instanceof Numbers other) {
      if (operation.isComparison() && !binary.bool()) {
        throw PromQlFault.wrong("comparisons between scalars must use BOOL modifier");
      }
      double[] results = new double[one.values().length];
      for (int i = 0; i < results.length; i++) {
        results[i] = operation.apply(one.values()[i], other.values()[i]);
      }
      return new Numbers(results);
    }
    if (left instanceof Vector vector && right instanceof Numbers numbers) {
      return withNumbers(binary, vector, numbers, false);
    }
    if (left instanceof Numbers numbers && right instanceof Vector vector) {
      return withNumbers(binary, vector, numbers, true);
    }
    if (binary.many() != ManySide.NONE) {
      return manyToOne(binary, (Vector) left, (Vector) right);
    }
    return operation.isSet()
        ? sets(binary, (Vector) left, (Vector) right)
        : oneToOne(binary, (Vector) left, (Vector) right);
  }

  private static Vector withNumbers(
      Binary binary, Vector vector, Numbers numbers, boolean numbersFirst) {
    boolean filters = binary.operation().isComparison() && !binary.bool();
    List<SeriesValues> results = new ArrayList<>();
    for (SeriesValues series : vector.series()) {
      SeriesValues result =
          new SeriesValues(filters ? series.labels() : series.nameless(), series.steps());
      for (int step = 0; step < series.steps(); step++) {
        if (series.has(step)) {
          double value = series.at(step);
          double number = numbers.values()[step];
          double applied =
              numbersFirst
                  ? binary.operation().apply(number, value)
                  : binary.operation().apply(value, number);
          if (!filters) {
            result.put(step, applied);
          } else if (applied == 1) {
            result.put(step, value);
          }
        }
      }
      results.add(result);
    }
    return new Vector(results);
  }

  private static Vector oneToOne(Binary binary, Vector left, Vector right) {
    Map<SortedMap<String, String>, List<SeriesValues>> others = byLabels(binary, right);
    Map<SortedMap<String, String>, BitSet> met = new HashMap<>();
    List<SeriesValues> results = new ArrayList<>();
    boolean filters = binary.operation().isComparison() && !binary.bool();
    for (SeriesValues one : left.series()) {
      SortedMap<String, String> group = one.labels(binary.matching());
      List<SeriesValues> candidates = others.getOrDefault(group, List.of());
      SeriesValues result = new SeriesValues(labels(binary, one, filters), one.steps());
      for (int step = 0; step < one.steps(); step++) {
        if (!one.has(step)) {
          continue;
        }
        SeriesValues other = only(candidates, step);
        if (other == null) {
          continue;
        }
        // Whether or not a comparison lets both pass, which would change from step to step.
        BitSet steps = met.computeIfAbsent(group, ignored -> new BitSet());
        if (steps.get(step)) {
          throw ambiguous("left", group);
        }
        steps.set(step);
        double applied = binary.operation().apply(one.at(step), other.at(step));
        if (!filters) {
          result.put(step, applied);
        } else if (applied == 1) {
          result.put(step, one.at(step));
        }
      }
      results.add(result);
    }
    return new Vector(results);
  }

  /** The series of one side meet the one of the other together, and take labels from it. */
  private static Vector manyToOne(Binary binary, Vector left, Vector right) {
    boolean isLeftMany = binary.many() == ManySide.LEFT;
    boolean filters = binary.operation().isComparison() && !binary.bool();
    Map<SortedMap<String, String>, List<SeriesValues>> ones =
        byLabels(binary, isLeftMany ? right : left);
    List<SeriesValues> results = new ArrayList<>();
    for (SeriesValues many : (isLeftMany ? left : right).series()) {
      List<SeriesValues> candidates = ones.getOrDefault(many.labels(binary.matching()), List.of());
      for (SeriesValues one : candidates) {
        SortedMap<String, String> labels = filters ? new TreeMap<>(many.labels()) : many.nameless();
        for (String label : binary.included()) {
          String text = one.labels().get(label);
          if (text == null) {
            labels.remove(label);
          } else {
            labels.put(label, text);
          }
        }
        SeriesValues result = new SeriesValues(labels, many.steps());
        for (int step = 0; step < many.steps(); step++) {
          if (many.has(step) && one.has(step) && only(candidates, step) == one) {
            double first = isLeftMany ? many.at(step) : one.at(step);
            double second = isLeftMany ? one.at(step) : many.at(step);
            double applied = binary.operation().apply(first, second);
            if (!filters) {
              result.put(step, applied);
            } else if (applied == 1) {
              result.put(step, first);
            }
          }
        }
        results.add(result);
      }
    }
    return new Vector(results);
  }

  /** Of a result: those by which both sides met, and the name where the value is still its own. */
  private static SortedMap<String, String> labels(
      Binary binary, SeriesValues one, boolean keepsName) {
    SortedMap<String, String> labels = one.labels(binary.matching());
    String name = one.labels().get(LabelMatcher.NAME);
    if (!keepsName) {
      labels.remove(LabelMatcher.NAME);
    } else if (binary.matching().without() && name != null) {
      labels.put(LabelMatcher.NAME, name);
    }
    return labels;
  }

  private static @Nullable SeriesValues only(List<SeriesValues> candidates, int step) {
    SeriesValues found = null;
    for (SeriesValues candidate : candidates) {
      if (candidate.has(step)) {
        if (found != null) {
          throw ambiguous("right", candidate.labels());
        }
        found = candidate;
      }
    }
    return found;
  }

  private static PromQlFault ambiguous(String side, SortedMap<String, String> labels) {
    return PromQlFault.unsupported(
        "many-to-many matching: several series on the " + side + " side meet at " + labels);
  }

  private static Vector sets(Binary binary, Vector left, Vector right) {
    Map<SortedMap<String, String>, List<SeriesValues>> others = byLabels(binary, right);
    List<SeriesValues> results = new ArrayList<>();
    if (binary.operation() == Operation.OR) {
      results.addAll(left.series());
      Map<SortedMap<String, String>, List<SeriesValues>> own = byLabels(binary, left);
      for (SeriesValues other : right.series()) {
        results.add(
            where(other, own.getOrDefault(other.labels(binary.matching()), List.of()), false));
      }
    } else {
      for (SeriesValues one : left.series()) {
        results.add(
            where(
                one,
                others.getOrDefault(one.labels(binary.matching()), List.of()),
                binary.operation() == Operation.AND));
      }
    }
    return new Vector(results);
  }

  /** The steps at which some of the others have a value, or none. */
  private static SeriesValues where(SeriesValues one, List<SeriesValues> others, boolean some) {
    SeriesValues kept = new SeriesValues(one.labels(), one.steps());
    for (int step = 0; step < one.steps(); step++) {
      int at = step;
      if (one.has(step) && others.stream().anyMatch(other -> other.has(at)) == some) {
        kept.put(step, one.at(step));
      }
    }
    return kept;
  }

  private static Map<SortedMap<String, String>, List<SeriesValues>> byLabels(
      Binary binary, Vector vector) {
    Map<SortedMap<String, String>, List<SeriesValues>> byLabels = new HashMap<>();
    for (SeriesValues series : vector.series()) {
      byLabels
          .computeIfAbsent(series.labels(binary.matching()), ignored -> new ArrayList<>())
          .add(series);
    }
    return byLabels;
  }
}
