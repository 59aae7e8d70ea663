package io.tidemark.platform.metricstore.druid;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.tidemark.platform.druid.DatasourcePlacements;
import io.tidemark.platform.druid.DruidHttp;
import io.tidemark.platform.metricstore.IntervalSet;
import io.tidemark.platform.metricstore.LabelFilter;
import io.tidemark.platform.metricstore.Lane;
import io.tidemark.platform.metricstore.MetricStore;
import io.tidemark.platform.metricstore.ScanSpec;
import io.tidemark.platform.metricstore.Source;
import io.tidemark.platform.metricstore.StoreQuery;
import io.tidemark.platform.metricstore.StoreRow;
import io.tidemark.platform.metricstore.TimeInterval;
import io.tidemark.platform.shared.ErrorCode;
import io.tidemark.platform.shared.IdentifierSource;
import io.tidemark.platform.shared.ProblemException;
import io.tidemark.platform.shared.TenantId;
import java.io.InputStream;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.FutureTask;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/** Runs plans on a Druid broker over HTTP. */
public final class DruidBroker implements MetricStore {

  /** Fewer windows cost less than asking for an estimate. */
  private static final long SURELY_CHEAP_WINDOWS = 10;

  /** Not worth to be estimated closer: of so many rows the filter does not matter. */
  private static final long SURELY_CHEAP_ROWS = 500_000;

  private record Sampled(
      TenantId organization,
      Source source,
      Optional<String> metric,
      Optional<LabelFilter> filter) {}

  private final DruidHttp http;
  private final DruidQueryTree trees;
  private final DruidAnswer answers;
  private final IdentifierSource identifiers;
  private final Executor beside;

  /** Stored rows per window, of what was asked within the last minute. */
  private final Cache<Sampled, Double> rowsPerWindow =
      Caffeine.newBuilder().maximumSize(10_000).expireAfterWrite(Duration.ofMinutes(1)).build();

  /**
   * A broker.
   *
   * @param maxResult maximum number of rows of an answer
   */
  public DruidBroker(
      DruidHttp http,
      HiddenFilter hidden,
      DatasourcePlacements placements,
      IdentifierSource identifiers,
      int maxResult) {
    this(http, hidden, placements, identifiers, maxResult, Runnable::run);
  }

  /**
   * A broker.
   *
   * @param maxResult maximum number of rows of an answer
   * @param beside runs parts of a query that the caller does not run itself; bounded, so that lanes
   *     are not asked for more than they have
   */
  public DruidBroker(
      DruidHttp http,
      HiddenFilter hidden,
      DatasourcePlacements placements,
      IdentifierSource identifiers,
      int maxResult,
      Executor beside) {
    this.http = http;
    this.beside = beside;
    this.trees = new DruidQueryTree(http.timeout(), hidden, placements);
    this.answers = new DruidAnswer(http.json(), maxResult);
    this.identifiers = identifiers;
  }

  /** One of several questions at a time, and the name under which Druid answers it. */
  private record RunningQuery(String queryId, FutureTask<List<StoreRow>> answer) {}

  @Override
  public List<StoreRow> run(TenantId organization, StoreQuery query) {
    return run(organization, query, identifiers.next());
  }

  private List<StoreRow> run(TenantId organization, StoreQuery query, String queryId) {
    return http.query(trees.build(organization, query, queryId), body -> answers.read(body, query));
  }

  @Override
  public List<List<StoreRow>> runAll(TenantId organization, List<StoreQuery> queries) {
    List<RunningQuery> parts = new ArrayList<>();
    for (StoreQuery query : queries) {
      String queryId = identifiers.next();
      parts.add(
          new RunningQuery(
              queryId, new FutureTask<>(http.carried(() -> run(organization, query, queryId)))));
    }
    // A lane for one query at a time takes one part at a time.
    boolean isApart = !queries.isEmpty() && queries.get(0).lane() != Lane.SLOW;
    for (int i = 1; i < parts.size() && isApart; i++) {
      beside.execute(parts.get(i).answer());
    }
    try {
      List<List<StoreRow>> answers = new ArrayList<>();
      for (RunningQuery part : parts) {
        // What nobody began yet is run here; what is done or running is left alone.
        part.answer().run();
        answers.add(part.answer().get());
      }
      return answers;
    } catch (ExecutionException failure) {
      if (failure.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw new IllegalStateException(failure);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw ProblemException.passing(
          interrupted,
          ErrorCode.STORE_UNAVAILABLE,
          "Tidemark is stopping. Try again in some seconds.",
          Duration.ofSeconds(5));
    } finally {
      for (RunningQuery part : parts) {
        // Of no use any more when another part failed; who waits for Druid waits until it ends.
        if (part.answer().cancel(true)) {
          http.cancel(part.queryId());
        }
      }
    }
  }

  @Override
  public long estimate(TenantId organization, StoreQuery query) {
    ScanSpec part = query.part();
    long width = part.source().level().width();
    long windows = part.spans().length() / width;
    if (windows <= SURELY_CHEAP_WINDOWS) {
      return 0;
    }
    long most = sampled(organization, query, Optional.empty(), windows);
    // The filter of a dashboard is often new, the metric is not.
    return most <= SURELY_CHEAP_ROWS || query.filter().isEmpty()
        ? most
        : sampled(organization, query, query.filter(), windows);
  }

  private long sampled(
      TenantId organization, StoreQuery query, Optional<LabelFilter> filter, long windows) {
    Sampled key = new Sampled(organization, query.part().source(), query.metric(), filter);
    double rows =
        rowsPerWindow.get(key, ignored -> sample(organization, query.with(filter), windows));
    return Math.round(rows * windows);
  }

  /** The last windows and those in the middle, asked for at once: whichever hold more. */
  private double sample(TenantId organization, StoreQuery query, long windows) {
    long width = query.part().source().level().width();
    List<TimeInterval> intervals = query.part().spans().intervals();
    long some = Math.max(1, Math.min(5, windows / 20));
    TimeInterval last = intervals.get(intervals.size() - 1);
    TimeInterval middle = intervals.get(intervals.size() / 2);
    IntervalSet end = query.part().spans().from(last.end().toEpochMilli() - some * width);
    long half = middle.start().toEpochMilli() + middle.length().toMillis() / 2 / width * width;
    IntervalSet inside = query.part().spans().from(half).before(half + some * width);
    NavigableMap<Long, Long> stored =
        http.query(
            trees.rows(organization, query, end.plus(inside), identifiers.next()),
            this::rowsByWindow);
    return Math.max(rowsOfWindow(stored, end, width), rowsOfWindow(stored, inside, width));
  }

  private static double rowsOfWindow(
      NavigableMap<Long, Long> stored, IntervalSet sample, long width) {
    if (sample.isEmpty()) {
      return 0;
    }
    long rows = 0;
    for (IntervalSet.Span span : sample.list()) {
      for (long ofWindow : stored.subMap(span.from(), span.to()).values()) {
        rows += ofWindow;
      }
    }
    return rows * (double) width / sample.length();
  }

  private NavigableMap<Long, Long> rowsByWindow(InputStream body) {
    NavigableMap<Long, Long> rows = new TreeMap<>();
    for (JsonNode window : http.json().readTree(body)) {
      rows.put(
          Instant.parse(window.path(DruidQueryTree.TIME).asString()).toEpochMilli(),
          window.path("result").path(DruidQueryTree.ROWS).asLong(0));
    }
    return rows;
  }

  @Override
  public int pieces(TenantId organization, StoreQuery query) {
    ScanSpec part = query.part();
    String intervals =
        part.spans().intervals().stream()
            .map(interval -> interval.start() + "/" + interval.end())
            .collect(Collectors.joining(","));
    return trees.datasources(organization, part.source(), part.spans()).stream()
        .mapToInt(
            datasource ->
                http.get(
                        "/druid/v2/datasources/"
                            + datasource
                            + "/candidates?numCandidates=1&intervals="
                            + URLEncoder.encode(intervals, StandardCharsets.UTF_8))
                    .size())
        .sum();
  }
}
