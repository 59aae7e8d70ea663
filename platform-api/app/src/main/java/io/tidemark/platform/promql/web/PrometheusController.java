package io.tidemark.platform.promql.web;

import io.tidemark.contracts.prometheusapi.PrometheusApi;
import io.tidemark.contracts.prometheusapi.model.AlertsAnswer;
import io.tidemark.contracts.prometheusapi.model.AnswerStatus;
import io.tidemark.contracts.prometheusapi.model.BuildAnswer;
import io.tidemark.contracts.prometheusapi.model.MetadataAnswer;
import io.tidemark.contracts.prometheusapi.model.QueryAnswer;
import io.tidemark.contracts.prometheusapi.model.RulesAnswer;
import io.tidemark.contracts.prometheusapi.model.SeriesAnswer;
import io.tidemark.contracts.prometheusapi.model.TextAnswer;
import io.tidemark.contracts.prometheusapi.model.TextsAnswer;
import io.tidemark.platform.promql.application.PromQlEvaluator;
import io.tidemark.platform.promql.application.PrometheusAlerts;
import io.tidemark.platform.promql.application.PrometheusMetadata;
import io.tidemark.platform.promql.application.PrometheusMetadata.Look;
import io.tidemark.platform.promql.application.PrometheusQueryService;
import io.tidemark.platform.promql.domain.StepTimes;
import io.tidemark.platform.shared.Caller;
import io.tidemark.platform.shared.ConditionalOnRole;
import io.tidemark.platform.shared.CurrentCaller;
import io.tidemark.platform.shared.ErrorCode;
import io.tidemark.platform.shared.Permission;
import io.tidemark.platform.shared.ProblemException;
import io.tidemark.platform.shared.ProcessRole;
import jakarta.servlet.http.HttpServletRequest;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RestController;

/** The part of Prometheus' HTTP API that the contract has. */
@RestController
@ConditionalOnRole(ProcessRole.QUERY)
class PrometheusController implements PrometheusApi {

  /** Whose behaviour is followed; clients choose by it what they ask for. */
  private static final String VERSION = "3.5.0";

  private final CurrentCaller callers;
  private final PromQlEvaluator evaluating;
  private final PrometheusMetadata browsing;
  private final PrometheusAlerts alerts;
  private final HttpServletRequest request;
  private final Clock clock;

  PrometheusController(
      CurrentCaller callers,
      PrometheusQueryService queries,
      PrometheusAlerts alerts,
      HttpServletRequest request,
      Clock clock) {
    this.callers = callers;
    this.evaluating = queries.evaluating();
    this.browsing = queries.browsing();
    this.alerts = alerts;
    this.request = request;
    this.clock = clock;
  }

  @Override
  public ResponseEntity<QueryAnswer> queryInstant(
      String query,
      @Nullable String time,
      @Nullable String timeout,
      @Nullable String limit,
      @Nullable String lookbackDelta) {
    PrometheusApiMapping.check(timeout, lookbackDelta);
    int most = PrometheusApiMapping.limit(limit);
    long at =
        PrometheusApiMapping.isAbsent(time)
            ? clock.millis()
            : PrometheusApiMapping.time("time", time);
    return ResponseEntity.ok(
        PrometheusApiMapping.instant(
            evaluating.evaluate(callers.current(), query, () -> StepTimes.at(at)), most));
  }

  @Override
  public ResponseEntity<QueryAnswer> queryInstantByForm(
      String query, String time, String timeout, String limit, String lookbackDelta) {
    return queryInstant(query, time, timeout, limit, lookbackDelta);
  }

  @Override
  public ResponseEntity<QueryAnswer> queryRange(
      String query,
      String start,
      String end,
      String step,
      @Nullable String timeout,
      @Nullable String limit,
      @Nullable String lookbackDelta) {
    PrometheusApiMapping.check(timeout, lookbackDelta);
    int most = PrometheusApiMapping.limit(limit);
    long from = PrometheusApiMapping.time("start", start);
    long to = PrometheusApiMapping.time("end", end);
    long width = PrometheusApiMapping.duration("step", step);
    return ResponseEntity.ok(
        PrometheusApiMapping.range(
            evaluating.evaluate(callers.current(), query, () -> StepTimes.range(from, to, width)),
            most));
  }

  @Override
  public ResponseEntity<QueryAnswer> queryRangeByForm(
      String query,
      String start,
      String end,
      String step,
      String timeout,
      String limit,
      String lookbackDelta) {
    return queryRange(query, start, end, step, timeout, limit, lookbackDelta);
  }

  @Override
  public ResponseEntity<TextsAnswer> listLabelNames(
      @Nullable String start,
      @Nullable String end,
      @Nullable List<String> match,
      @Nullable String limit) {
    return texts(browsing.labels(callers.current(), look(start, end)), limit);
  }

  @Override
  public ResponseEntity<TextsAnswer> listLabelNamesByForm(
      String start, String end, String match, String limit) {
    return listLabelNames(start, end, null, limit);
  }

  @Override
  public ResponseEntity<TextsAnswer> listLabelValues(
      String name,
      @Nullable String start,
      @Nullable String end,
      @Nullable List<String> match,
      @Nullable String limit) {
    return texts(browsing.values(callers.current(), name, look(start, end)), limit);
  }

  @Override
  public ResponseEntity<SeriesAnswer> listSeries(
      List<String> match, @Nullable String start, @Nullable String end, @Nullable String limit) {
    int most = PrometheusApiMapping.limit(limit);
    Look look = look(start, end);
    if (look.selectors().isEmpty()) {
      throw ProblemException.of(ErrorCode.INVALID_REQUEST, "no match[] parameter provided");
    }
    List<SortedMap<String, String>> all = browsing.series(callers.current(), look);
    List<Map<String, String>> some = new ArrayList<>(all.subList(0, Math.min(all.size(), most)));
    return ResponseEntity.ok(
        new SeriesAnswer(AnswerStatus.SUCCESS, some)
            .warnings(PrometheusApiMapping.warnings(all.size() > most)));
  }

  @Override
  public ResponseEntity<SeriesAnswer> listSeriesByForm(
      String start, String end, String match, String limit) {
    return listSeries(List.of(), start, end, limit);
  }

  @Override
  public ResponseEntity<MetadataAnswer> listMetricMetadata(
      @Nullable String metric, @Nullable String limit, @Nullable String limitPerMetric) {
    PrometheusApiMapping.limit(limitPerMetric);
    int most = PrometheusApiMapping.limit(limit);
    return ResponseEntity.ok(
        PrometheusApiMapping.metadata(browsing.metadata(callers.current(), metric), most));
  }

  @Override
  public ResponseEntity<BuildAnswer> describeBuild() {
    Caller caller = callers.current();
    caller.require(Permission.METRICS_READ);
    Map<String, String> build = new TreeMap<>();
    for (String unknown : List.of("revision", "branch", "buildUser", "buildDate", "goVersion")) {
      build.put(unknown, "");
    }
    build.put("version", VERSION);
    return ResponseEntity.ok(new BuildAnswer(AnswerStatus.SUCCESS, build));
  }

  @Override
  public ResponseEntity<BuildAnswer> describeConfiguration() {
    callers.current().require(Permission.METRICS_READ);
    return ResponseEntity.ok(new BuildAnswer(AnswerStatus.SUCCESS, Map.of("yaml", "")));
  }

  @Override
  public ResponseEntity<BuildAnswer> describeFlags() {
    callers.current().require(Permission.METRICS_READ);
    return ResponseEntity.ok(
        new BuildAnswer(AnswerStatus.SUCCESS, Map.of("query.lookback-delta", "5m")));
  }

  @Override
  public ResponseEntity<BuildAnswer> describeRuntime() {
    callers.current().require(Permission.METRICS_READ);
    return ResponseEntity.ok(
        new BuildAnswer(AnswerStatus.SUCCESS, Map.of("serverTime", clock.instant().toString())));
  }

  @Override
  public ResponseEntity<String> describeServer() {
    callers.current().require(Permission.METRICS_READ);
    return ResponseEntity.ok("Prometheus' HTTP API is below /prometheus/api/v1/ here.\n");
  }

  @Override
  public ResponseEntity<RulesAnswer> listRules(
      @Nullable String type,
      @Nullable List<String> ruleName,
      @Nullable List<String> ruleGroup,
      @Nullable String excludeAlerts) {
    if (!PrometheusApiMapping.isAbsent(type) && !List.of("alert", "record").contains(type)) {
      throw ProblemException.of(
          ErrorCode.INVALID_REQUEST, "invalid parameter \"type\": it must be alert or record.");
    }
    return ResponseEntity.ok(
        PrometheusAlertsMapping.rules(
            alerts.list(callers.current()),
            new PrometheusAlertsMapping.Wish(
                type,
                parameters("rule_name[]"),
                parameters("rule_group[]"),
                !"true".equals(excludeAlerts))));
  }

  @Override
  public ResponseEntity<AlertsAnswer> listAlerts() {
    return ResponseEntity.ok(PrometheusAlertsMapping.alerts(alerts.list(callers.current())));
  }

  @Override
  public ResponseEntity<SeriesAnswer> queryExemplars(
      String query, @Nullable String start, @Nullable String end) {
    callers.current().require(Permission.METRICS_READ);
    look(start, end);
    evaluating.formatted(query);
    return ResponseEntity.ok(new SeriesAnswer(AnswerStatus.SUCCESS, List.of()));
  }

  @Override
  public ResponseEntity<SeriesAnswer> queryExemplarsByForm(String query, String start, String end) {
    return queryExemplars(query, start, end);
  }

  @Override
  public ResponseEntity<TextAnswer> formatQuery(String query) {
    callers.current().require(Permission.METRICS_READ);
    return ResponseEntity.ok(new TextAnswer(AnswerStatus.SUCCESS, evaluating.formatted(query)));
  }

  @Override
  public ResponseEntity<TextAnswer> formatQueryByForm(String query) {
    return formatQuery(query);
  }

  /** Spring would cut them at their commas. */
  private List<String> parameters(String name) {
    String[] values = request.getParameterValues(name);
    return values == null ? List.of() : List.of(values);
  }

  /** Spring would cut selectors at their commas. */
  private Look look(@Nullable String start, @Nullable String end) {
    return new Look(
        parameters("match[]"),
        PrometheusApiMapping.instant("start", start),
        PrometheusApiMapping.instant("end", end));
  }

  private static ResponseEntity<TextsAnswer> texts(Collection<String> all, @Nullable String limit) {
    int most = PrometheusApiMapping.limit(limit);
    return ResponseEntity.ok(
        new TextsAnswer(AnswerStatus.SUCCESS, all.stream().limit(most).toList())
            .warnings(PrometheusApiMapping.warnings(all.size() > most)));
  }
}
