package io.tidemark.platform.promql.application;

import io.tidemark.platform.promql.application.PrometheusNameIndex.Meaning;
import io.tidemark.platform.promql.application.RangeVectorReader.Reader;
import io.tidemark.platform.promql.domain.BucketQuantile;
import io.tidemark.platform.promql.domain.Expression;
import io.tidemark.platform.promql.domain.Expression.Aggregate;
import io.tidemark.platform.promql.domain.Expression.Binary;
import io.tidemark.platform.promql.domain.Expression.Call;
import io.tidemark.platform.promql.domain.Expression.GroupCall;
import io.tidemark.platform.promql.domain.Expression.GroupFunction;
import io.tidemark.platform.promql.domain.Expression.Grouping;
import io.tidemark.platform.promql.domain.Expression.Negation;
import io.tidemark.platform.promql.domain.Expression.Scalar;
import io.tidemark.platform.promql.domain.Expression.Selector;
import io.tidemark.platform.promql.domain.Expression.Subquery;
import io.tidemark.platform.promql.domain.Expression.Text;
import io.tidemark.platform.promql.domain.ExpressionFormatter;
import io.tidemark.platform.promql.domain.ExpressionParser;
import io.tidemark.platform.promql.domain.Functions;
import io.tidemark.platform.promql.domain.Functions.RangeCall;
import io.tidemark.platform.promql.domain.GroupMath;
import io.tidemark.platform.promql.domain.PromQlFault;
import io.tidemark.platform.promql.domain.RangeFunctions;
import io.tidemark.platform.promql.domain.SeriesValues;
import io.tidemark.platform.promql.domain.StepTimes;
import io.tidemark.platform.promql.domain.Value;
import io.tidemark.platform.promql.domain.Value.Numbers;
import io.tidemark.platform.promql.domain.Value.Vector;
import io.tidemark.platform.promql.domain.VectorFunctions;
import io.tidemark.platform.promql.domain.VectorMath;
import io.tidemark.platform.promql.domain.Window;
import io.tidemark.platform.promql.domain.WindowValue;
import io.tidemark.platform.query.application.Datasets;
import io.tidemark.platform.query.application.MetricsQueryService;
import io.tidemark.platform.shared.Caller;
import io.tidemark.platform.shared.ErrorCode;
import io.tidemark.platform.shared.ProblemException;
import io.tidemark.platform.shared.TenantId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Answers PromQL, from the same rows and by the same rules as the Metrics API. */
public final class PromQlEvaluator {

  /** More selectors in one text are more queries than one request may make. */
  private static final int MAX_READINGS = 20;

  private final SelectorResolver selectors;
  private final RangeVectorReader windows;

  /** The use case. */
  PromQlEvaluator(SelectorResolver selectors, RangeVectorReader windows) {
    this.selectors = selectors;
    this.windows = windows;
  }

  /**
   * What a text came to.
   *
   * @param notes about the answer, one sentence each
   */
  public record Evaluated(Value value, StepTimes times, List<String> notes) {}

  /** One evaluation. */
  private final class Evaluation {
    private final Reader reader;
    private final AtomicInteger readings;

    private Evaluation(Reader reader, AtomicInteger readings) {
      this.reader = reader;
      this.readings = readings;
    }

    private Value value(Expression expression) {
      Optional<Window> window = Window.of(expression);
      if (window.isPresent()) {
        return read(window.get(), Optional.empty());
      }
      if (expression instanceof Scalar scalar) {
        return numbers(scalar.value());
      } else if (expression instanceof Negation negation) {
        return VectorMath.negated(value(negation.argument()));
      } else if (expression instanceof Binary binary) {
        return VectorMath.apply(binary, value(binary.left()), value(binary.right()));
      } else if (expression instanceof Aggregate aggregate) {
        Optional<Window> inner = Window.of(aggregate.argument());
        return inner.isPresent()
            ? read(inner.get(), Optional.of(aggregate))
            : VectorMath.aggregate(
                aggregate.aggregator(), aggregate.grouping(), vector(aggregate.argument()));
      } else if (expression instanceof GroupCall group
          && group.function() == GroupFunction.COUNT_VALUES) {
        return GroupMath.countValues(
            text(group.parameter()), group.grouping(), vector(group.argument()));
      } else if (expression instanceof GroupCall group) {
        return GroupMath.apply(
            group.function(),
            group.parameter() == null ? null : numbers(group.parameter()),
            group.grouping(),
            vector(group.argument()));
      } else if (expression instanceof Call call) {
        return call(call);
      } else if (expression instanceof Subquery) {
        throw PromQlFault.unsupported(
            "values of a subquery as they are; take a function _over_time of it");
      }
      throw PromQlFault.unsupported("texts as values");
    }

    private Value call(Call call) {
      Optional<RangeCall> range = Functions.ofRange(call);
      if (range.isPresent()) {
        return ofRange(range.get());
      }
      switch (call.function()) {
        case "time" -> {
          return new Numbers(
              Arrays.stream(reader.times().times()).mapToDouble(time -> time / 1_000.0).toArray());
        }
        case "vector" -> {
          Numbers numbers = numbers(call.arguments().get(0));
          SeriesValues series = new SeriesValues(new TreeMap<>(), reader.times().size());
          for (int step = 0; step < series.steps(); step++) {
            series.put(step, numbers.values()[step]);
          }
          return new Vector(List.of(series));
        }
        case "histogram_quantile" -> {
          return quantiles(numbers(call.arguments().get(0)), call.arguments().get(1));
        }
        default -> {
          return function(call.function(), call.arguments());
        }
      }
    }

    private Value ofRange(RangeCall call) {
      // Where nothing is found, something is missing: the function of what is found is told by it.
      WindowValue value = call.value() == WindowValue.ABSENT ? WindowValue.PRESENT : call.value();
      double[] parameters =
          call.parameter() == null ? new double[0] : numbers(call.parameter()).values();
      Vector vector =
          call.range() instanceof Subquery subquery
              ? ofSubquery(value, subquery, parameters)
              : read(new Window((Selector) call.range(), value), parameters);
      return call.value() == WindowValue.ABSENT
          ? VectorFunctions.absent(call.range(), vector, reader.times().size())
          : vector;
    }

    private Vector ofSubquery(WindowValue value, Subquery subquery, double[] parameters) {
      StepTimes inner = reader.times().within(subquery);
      Vector values =
          new Evaluation(new Reader(reader.organization(), inner, reader.notes()), readings)
              .vector(subquery.expression());
      return RangeFunctions.ofSubquery(value, subquery, reader.times(), values, inner, parameters);
    }

    private Value function(String name, List<Expression> arguments) {
      int steps = reader.times().size();
      if (name.equals("pi")) {
        return numbers(Math.PI);
      }
      Vector vector = arguments.isEmpty() ? times() : vector(arguments.get(0));
      return switch (name) {
        case "scalar" -> VectorFunctions.scalar(vector, steps);
        case "absent" -> VectorFunctions.absent(arguments.get(0), vector, steps);
        case "sort" -> VectorFunctions.sorted(vector, false);
        case "sort_desc" -> VectorFunctions.sorted(vector, true);
        case "sort_by_label", "sort_by_label_desc" ->
            VectorFunctions.sortedByLabels(
                vector,
                arguments.stream().skip(1).map(this::text).toList(),
                name.equals("sort_by_label_desc"));
        case "round" ->
            VectorFunctions.round(
                vector, arguments.size() == 1 ? numbers(1) : numbers(arguments.get(1)));
        case "clamp" ->
            VectorFunctions.clamp(vector, numbers(arguments.get(1)), numbers(arguments.get(2)));
        case "clamp_min" ->
            VectorFunctions.clamp(
                vector, numbers(arguments.get(1)), numbers(Double.POSITIVE_INFINITY));
        case "clamp_max" ->
            VectorFunctions.clamp(
                vector, numbers(Double.NEGATIVE_INFINITY), numbers(arguments.get(1)));
        case "label_replace" ->
            VectorFunctions.replaced(
                vector,
                text(arguments.get(1)),
                text(arguments.get(2)),
                text(arguments.get(3)),
                text(arguments.get(4)));
        case "label_join" ->
            VectorFunctions.joined(
                vector,
                text(arguments.get(1)),
                text(arguments.get(2)),
                arguments.stream().skip(3).map(this::text).toList());
        default -> VectorFunctions.ofValues(name, vector);
      };
    }

    private Vector times() {
      SeriesValues series = new SeriesValues(new TreeMap<>(), reader.times().size());
      for (int step = 0; step < series.steps(); step++) {
        series.put(step, reader.times().times()[step] / 1_000.0);
      }
      return new Vector(List.of(series));
    }

    private String text(@Nullable Expression expression) {
      if (expression instanceof Text text) {
        return text.value();
      }
      throw PromQlFault.wrong("expected a text in quotes in a call");
    }

    private Vector quantiles(Numbers quantiles, Expression of) {
      Optional<Aggregate> aggregate =
          of instanceof Aggregate found ? Optional.of(found) : Optional.empty();
      Optional<Window> window = Window.of(aggregate.map(Aggregate::argument).orElse(of));
      if (window.isPresent()) {
        Optional<SelectedMetric> found = find(window.get());
        if (found.isPresent() && found.get().known().meaning() == Meaning.DISTRIBUTION) {
          return windows.quantiles(reader, found.get(), aggregate, quantiles.values());
        }
        // Prometheus' own name of the buckets of a histogram that came as a whole.
        Optional<SelectedMetric> whole =
            found.isPresent() ? Optional.empty() : window.get().ofWhole().flatMap(this::find);
        if (whole.isPresent() && whole.get().known().meaning() == Meaning.DISTRIBUTION) {
          return windows.quantiles(
              reader,
              whole.get(),
              aggregate.map(PromQlEvaluator::withoutBounds),
              quantiles.values());
        }
      }
      return BucketQuantile.of(quantiles, vector(of));
    }

    private Vector read(Window window, Optional<Aggregate> aggregate) {
      if (SelectorResolver.name(window.selector().matchers()).isEmpty()) {
        Vector all = readAll(window, new double[0]);
        return aggregate
            .map(each -> VectorMath.aggregate(each.aggregator(), each.grouping(), all))
            .orElse(all);
      }
      return find(window)
          .map(found -> windows.read(reader, found, aggregate))
          .orElseGet(() -> new Vector(List.of()));
    }

    private Vector read(Window window, double[] parameters) {
      if (SelectorResolver.name(window.selector().matchers()).isEmpty()) {
        return readAll(window, parameters);
      }
      return find(window)
          .map(found -> windows.read(reader, found, Optional.empty(), parameters))
          .orElseGet(() -> new Vector(List.of()));
    }

    /** Of all metrics that the selector fits. */
    private Vector readAll(Window window, double[] parameters) {
      List<SeriesValues> all = new ArrayList<>();
      for (SelectedMetric found : selectors.findAll(reader, window)) {
        count();
        all.addAll(windows.read(reader, found, Optional.empty(), parameters).series());
      }
      return new Vector(all);
    }

    private Optional<SelectedMetric> find(Window window) {
      count();
      return selectors.find(reader, window);
    }

    private void count() {
      if (readings.incrementAndGet() > MAX_READINGS) {
        throw PromQlFault.unsupported("more than " + MAX_READINGS + " selectors");
      }
    }

    private Numbers numbers(double value) {
      double[] values = new double[reader.times().size()];
      Arrays.fill(values, value);
      return new Numbers(values);
    }

    private Numbers numbers(Expression expression) {
      if (value(expression) instanceof Numbers numbers) {
        return numbers;
      }
      throw PromQlFault.wrong("expected a scalar in a call, got an instant vector");
    }

    private Vector vector(Expression expression) {
      if (value(expression) instanceof Vector vector) {
        return vector;
      }
      throw PromQlFault.wrong("expected an instant vector, got a scalar");
    }
  }

  /** A distribution has no label of bounds to keep apart. */
  private static Aggregate withoutBounds(Aggregate aggregate) {
    Set<String> labels = new HashSet<>(aggregate.grouping().labels());
    labels.remove(Window.BOUND);
    return new Aggregate(
        aggregate.aggregator(),
        new Grouping(aggregate.grouping().without(), labels),
        aggregate.argument());
  }

  /**
   * The value of a text at times.
   *
   * @throws ProblemException {@code invalid_query} when it is no PromQL, {@code not_supported_yet}
   *     when it is not answered, or as {@link MetricsQueryService#answer}
   */
  public Evaluated evaluate(Caller caller, String text, Supplier<StepTimes> times) {
    TenantId organization = Datasets.organizationOf(caller, "cloud");
    return told(
        () -> {
          Reader reader = new Reader(organization, times.get(), new ResponseAnnotations());
          Evaluation evaluation = new Evaluation(reader, new AtomicInteger());
          Value value = evaluation.value(ExpressionParser.parse(text));
          return new Evaluated(value, reader.times(), reader.notes().texts());
        });
  }

  /**
   * The same text in its usual form.
   *
   * @throws ProblemException {@code invalid_query} when it is no PromQL, {@code not_supported_yet}
   *     when it is not answered
   */
  public String formatted(String text) {
    return told(() -> ExpressionFormatter.text(ExpressionParser.parse(text)));
  }

  static <T> T told(Supplier<T> what) {
    try {
      return what.get();
    } catch (PromQlFault fault) {
      throw ProblemException.of(
          fault.isUnsupported() ? ErrorCode.NOT_SUPPORTED_YET : ErrorCode.INVALID_QUERY,
          Objects.requireNonNull(fault.getMessage()));
    }
  }
}
