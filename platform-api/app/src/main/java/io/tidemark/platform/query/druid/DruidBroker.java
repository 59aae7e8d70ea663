package io.tidemark.platform.query.druid;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.tidemark.platform.query.application.RunQuery;
import io.tidemark.platform.query.domain.LabelFilter;
import io.tidemark.platform.query.domain.Part;
import io.tidemark.platform.query.domain.Source;
import io.tidemark.platform.query.domain.Spans;
import io.tidemark.platform.query.domain.StoreQuery;
import io.tidemark.platform.query.domain.StoreRow;
import io.tidemark.platform.query.domain.TimeInterval;
import io.tidemark.platform.shared.IdentifierSource;
import io.tidemark.platform.shared.TenantId;
import java.io.InputStream;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/** Runs plans on a Druid broker over HTTP. */
public final class DruidBroker implements RunQuery {

  /** Fewer windows cost less than asking for an estimate. */
  private static final long SURELY_CHEAP_WINDOWS = 10;

  private record Sampled(
      TenantId organization,
      Source source,
      Optional<String> metric,
      Optional<LabelFilter> filter) {}

  private final DruidHttp http;
  private final DruidQueryTree trees;
  private final DruidAnswer answers;
  private final IdentifierSource identifiers;

  /** Stored rows per window, of what was asked within the last minute. */
  private final Cache<Sampled, Double> rowsPerWindow =
      Caffeine.newBuilder().maximumSize(10_000).expireAfterWrite(Duration.ofMinutes(1)).build();

  /**
   * A broker.
   *
   * @param greatestResult greatest number of rows of an answer
   */
  public DruidBroker(
      DruidHttp http, HiddenFilter hidden, IdentifierSource identifiers, int greatestResult) {
    this.http = http;
    this.trees = new DruidQueryTree(http.timeout(), hidden);
    this.answers = new DruidAnswer(http.json(), greatestResult);
    this.identifiers = identifiers;
  }

  @Override
  public List<StoreRow> run(TenantId organization, StoreQuery query) {
    return http.query(
        trees.build(organization, query, identifiers.next()), body -> answers.read(body, query));
  }

  @Override
  public long estimate(TenantId organization, StoreQuery query) {
    Part part = query.part();
    long width = part.source().level().width();
    long windows = part.spans().length() / width;
    if (windows <= SURELY_CHEAP_WINDOWS) {
      return 0;
    }
    Sampled key = new Sampled(organization, part.source(), query.metric(), query.filter());
    double rows = rowsPerWindow.get(key, ignored -> sample(organization, query, windows));
    return Math.round(rows * windows);
  }

  /** The last windows and those in the middle: whichever hold more. */
  private double sample(TenantId organization, StoreQuery query, long windows) {
    long width = query.part().source().level().width();
    List<TimeInterval> intervals = query.part().spans().intervals();
    long some = Math.max(1, Math.min(5, windows / 20));
    TimeInterval last = intervals.get(intervals.size() - 1);
    TimeInterval middle = intervals.get(intervals.size() / 2);
    Spans end = query.part().spans().from(last.end().toEpochMilli() - some * width);
    long half = middle.start().toEpochMilli() + middle.length().toMillis() / 2 / width * width;
    Spans inside = query.part().spans().from(half).before(half + some * width);
    double rows = 0;
    for (Spans sample : List.of(end, inside)) {
      if (!sample.isEmpty()) {
        long stored =
            http.query(
                trees.rows(organization, query, sample, identifiers.next()), this::countOfRows);
        rows = Math.max(rows, stored * (double) width / sample.length());
      }
    }
    return rows;
  }

  private long countOfRows(InputStream body) {
    JsonNode answer = http.json().readTree(body);
    return answer.path(0).path("result").path(DruidQueryTree.ROWS).asLong(0);
  }

  @Override
  public int segments(Part part) {
    String intervals =
        part.spans().intervals().stream()
            .map(interval -> interval.start() + "/" + interval.end())
            .collect(Collectors.joining(","));
    return http.get(
            "/druid/v2/datasources/"
                + part.source().datasource()
                + "/candidates?numCandidates=1&intervals="
                + URLEncoder.encode(intervals, StandardCharsets.UTF_8))
        .size();
  }
}
