package io.tidemark.pipeline.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.pipeline.support.Await;
import io.tidemark.pipeline.support.MetricsQuery;
import io.tidemark.pipeline.support.RunningStack;
import io.tidemark.stack.JsonHttp;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Dashboard queries of recent minutes, asked of the Metrics API and of VictoriaMetrics, which holds
 * the same points; and of minutes that the API does not keep in memory, asked of Druid without it,
 * too. Before times are taken the answers are compared, value by value.
 */
final class Dashboards {
  private static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final int MINUTES = 100;

  /** Longer ago than {@code tidemark.query.recent}. */
  private static final int OLD_MINUTES = 300;

  private static final String ORGANIZATION = "org-ledger";

  private final RunningStack.Started stack;
  private final BenchDruid druid;
  private final BenchReport report;
  private final PlainClient asking = new PlainClient();
  private final VictoriaMetrics other;
  private final StackProcesses processes;
  private final Instant to = Instant.now().truncatedTo(ChronoUnit.MINUTES);
  private final Instant from = to.minus(MINUTES, ChronoUnit.MINUTES);

  Dashboards(
      RunningStack.Started stack, BenchDruid druid, VictoriaMetrics other, BenchReport report) {
    this.stack = stack;
    this.druid = druid;
    this.other = other;
    this.report = report;
    this.processes = new StackProcesses(stack);
  }

  /**
   * One of the forms of a question, so that no answer is asked for twice in a row.
   *
   * @param body for the API
   * @param promQl the same for VictoriaMetrics
   * @param bare the same for Druid; null when the API does not ask it
   */
  private record Form(ObjectNode body, String promQl, Instant from, Instant to, ObjectNode bare) {}

  /**
   * One question.
   *
   * @param isOld asked of Druid too, since the API does so
   * @param width of a bucket in seconds
   * @param labels that name a line, in PromQL
   */
  private record Question(
      String name, boolean isOld, int width, List<String> labels, List<Form> forms) {}

  public void compare(int rounds) throws Exception {
    DashboardPoints points = points();
    sendOld(points);
    points.send("bench.m", DashboardPoints.METRICS, from, MINUTES);
    List<Question> questions =
        new ArrayList<>(List.of(ten(), fourHundred(), thousand(), tenOld(), thousandOld()));
    if (Boolean.getBoolean("bench.lines")) {
      questions.add(lines());
    }
    compare(questions, rounds);
  }

  /** Only what the API asks Druid for. */
  void compareOld(int rounds) throws Exception {
    sendOld(points());
    compare(List.of(tenOld(), thousandOld()), rounds);
  }

  private DashboardPoints points() {
    return new DashboardPoints(
        stack.coordinates(), stack.authorization(ORGANIZATION), asking, other);
  }

  private void sendOld(DashboardPoints points) throws Exception {
    points.send("bench.old", 1, oldEnd().minus(60, ChronoUnit.MINUTES), 60);
  }

  private void compare(List<Question> questions, int rounds) throws Exception {
    for (Question question : questions) {
      int values = 0;
      for (Form form : question.forms()) {
        TreeMap<String, Double> expected = ofOther(question, form);
        Await.until(
            question.name(),
            PATIENCE,
            () -> ofApi(question, form),
            found -> isEqual(found, expected));
        values = expected.size();
      }
      measure(question, values, rounds);
    }
  }

  private void measure(Question question, int values, int rounds) throws Exception {
    List<String> bodies = question.forms().stream().map(form -> form.body().toString()).toList();
    List<String> urls = question.forms().stream().map(form -> url(question, form)).toList();
    int each = Integer.getInteger("bench.dashboards", 200);
    Contest contest =
        // Large answers take their time.
        new Contest(values > 20_000 ? each / 3 : each)
            .with("api", inTurn(bodies, this::ofApi))
            .with("other", inTurn(urls, asking::get));
    if (question.isOld()) {
      contest.with(
          "bare",
          inTurn(
              question.forms().stream().map(form -> form.bare().toString()).toList(), druid::ask));
    }
    List<String> answering =
        question.isOld()
            ? List.of("platform-api", "druid-broker", "druid-indexer")
            : List.of("platform-api");
    contest.warmingUp(new WarmUp(processes, answering, report)).run(rounds);
    report.row(
        "%s, %s, %,d values"
            .formatted(
                question.isOld() ? "dashboard" : "recent dashboard", question.name(), values),
        "API " + contest.times("api") + "; VictoriaMetrics " + contest.times("other"),
        "%.2fx".formatted(contest.median("api", "other", (api, store) -> api.p95() / store.p95())),
        question.isOld() || values > 50_000 ? "" : "≤ 3x, aim 1x",
        contest.size());
    if (question.isOld()) {
      report.row(
          "overhead of the API, the same query",
          "bare Druid query " + contest.times("bare"),
          "p50 %+.1f ms, p95 %+.1f ms"
              .formatted(
                  contest.median(
                      "api",
                      "bare",
                      (api, bare) -> api.samples().quantile(0.5) - bare.samples().quantile(0.5)),
                  contest.median("api", "bare", (api, bare) -> api.p95() - bare.p95())),
          "≤ 5 ms, aim 2 ms",
          contest.size());
    }
  }

  /** But for the last digits of averages, which come about in another order. */
  private static boolean isEqual(TreeMap<String, Double> found, TreeMap<String, Double> expected) {
    return !found.isEmpty()
        && found.keySet().equals(expected.keySet())
        && found.entrySet().stream()
            .allMatch(
                one ->
                    Math.abs(one.getValue() - expected.get(one.getKey())) <= 1e-9 * one.getValue());
  }

  private interface Ask {
    byte[] of(String text) throws Exception;
  }

  private static Callable<byte[]> inTurn(List<String> forms, Ask ask) {
    AtomicInteger next = new AtomicInteger();
    return () -> ask.of(forms.get(Math.floorMod(next.getAndIncrement(), forms.size())));
  }

  private Instant oldEnd() {
    return to.minus(OLD_MINUTES, ChronoUnit.MINUTES);
  }

  private Question ten() {
    return ten("10 series as lines, 60 minutes", "bench.m0", to, false);
  }

  private Question tenOld() {
    return ten("10 series as lines, 60 minutes of hours ago", "bench.old0", oldEnd(), true);
  }

  private Question ten(String name, String metric, Instant end, boolean isOld) {
    Instant hour = end.minus(60, ChronoUnit.MINUTES);
    List<Form> forms = new ArrayList<>();
    for (int host = 0; host < DashboardPoints.HOSTS; host++) {
      ObjectNode body =
          MetricsQuery.body(metric, "MAX", "PT1M", hour, end, List.of("metric.partition"));
      body.set("filter", equal("metric.host", "h" + host));
      ObjectNode bare =
          bare(
                  metric,
                  Map.of("metric.host", "h" + host),
                  List.of("metric.partition"),
                  "PT1M",
                  hour,
                  end)
              .tree(List.of("max"));
      String promQl = "max_over_time(" + metric.replace('.', '_') + "{host=\"h" + host + "\"}[1m])";
      forms.add(new Form(body, promQl, hour, end, isOld ? bare : null));
    }
    return new Question(name, isOld, 60, List.of("partition"), forms);
  }

  private Question fourHundred() {
    List<Form> forms = new ArrayList<>();
    for (int shift = 0; shift <= 10; shift++) {
      Instant begin = from.plus(shift, ChronoUnit.MINUTES);
      Instant end = begin.plus(MINUTES - 10, ChronoUnit.MINUTES);
      ObjectNode body =
          MetricsQuery.body(
              "bench.m0", "MAX", "PT1M", begin, end, List.of("metric.host", "metric.partition"));
      body.put("limit", DashboardPoints.FEW_HOSTS * DashboardPoints.PARTITIONS);
      StringBuilder hosts = new StringBuilder();
      ArrayNode any = body.putObject("filter").put("op", "OR").putArray("filters");
      for (int host = 0; host < DashboardPoints.FEW_HOSTS; host++) {
        any.add(equal("metric.host", "h" + host));
        hosts.append(host == 0 ? "" : "|").append("h").append(host);
      }
      for (int metric = 1; metric < DashboardPoints.METRICS; metric++) {
        ((ArrayNode) body.path("aggregations"))
            .addObject()
            .put("metric", "bench.m" + metric)
            .put("agg", "MAX");
      }
      forms.add(
          new Form(
              body,
              "max_over_time({__name__=~\"bench_m[0-4]\",host=~\"" + hosts + "\"}[1m])",
              begin,
              end,
              null));
    }
    return new Question(
        "400 series (5 metrics) as lines, 90 minutes",
        false,
        60,
        List.of("host", "partition"),
        forms);
  }

  private Question thousand() {
    return thousand(
        "1,000 series, average by topic and 5 minutes, 90 minutes", "bench.m0", from, 90, false);
  }

  private Question thousandOld() {
    return thousand(
        "1,000 series, average by topic and 5 minutes, 45 minutes of hours ago",
        "bench.old0",
        oldEnd().minus(60, ChronoUnit.MINUTES),
        45,
        true);
  }

  private Question thousand(
      String name, String metric, Instant earliest, int minutes, boolean isOld) {
    List<Form> forms = new ArrayList<>();
    // Buckets of five minutes begin at whole ones.
    Instant first = Instant.ofEpochSecond((earliest.getEpochSecond() + 299) / 300 * 300);
    for (int shift = 0; shift < 2; shift++) {
      Instant begin = first.plus(5L * shift, ChronoUnit.MINUTES);
      Instant end = begin.plus(minutes, ChronoUnit.MINUTES);
      List<String> topic = List.of("metric.topic");
      ObjectNode bare =
          bare(metric, Map.of(), topic, "PT5M", begin, end).tree(List.of("sum", "count"));
      forms.add(
          new Form(
              MetricsQuery.body(metric, "AVG", "PT5M", begin, end, topic),
              "avg by (topic) (avg_over_time(" + metric.replace('.', '_') + "[5m]))",
              begin,
              end,
              isOld ? bare : null));
    }
    return new Question(name, isOld, 300, List.of("topic"), forms);
  }

  private Question lines() {
    List<Form> forms = new ArrayList<>();
    for (int shift = 0; shift < 20; shift++) {
      Instant begin = from.plus(shift, ChronoUnit.MINUTES);
      Instant end = begin.plus(60, ChronoUnit.MINUTES);
      List<String> labels = List.of("metric.host", "metric.partition");
      forms.add(
          new Form(
              MetricsQuery.body("bench.m0", "MAX", "PT1M", begin, end, labels),
              "max_over_time(bench_m0[1m])",
              begin,
              end,
              null));
    }
    return new Question(
        "1,000 series as lines, 60 minutes", false, 60, List.of("host", "partition"), forms);
  }

  private static StoreQuestion bare(
      String metric,
      Map<String, String> equal,
      List<String> groupBy,
      String width,
      Instant begin,
      Instant end) {
    return new StoreQuestion(ORGANIZATION, "rollup_1m", metric, equal, groupBy, width, begin, end);
  }

  private static ObjectNode equal(String field, String value) {
    return JsonHttp.JSON.createObjectNode().put("field", field).put("op", "EQ").put("value", value);
  }

  private byte[] ofApi(String body) throws IOException, InterruptedException {
    return asking.post(
        stack.coordinates().get("TIDEMARK_URL") + "/v2/metrics/cloud/query",
        "application/json",
        stack.authorization(ORGANIZATION),
        body);
  }

  /** Values by metric, labels and start of the bucket; of complete minutes only. */
  private TreeMap<String, Double> ofApi(Question question, Form form)
      throws IOException, InterruptedException {
    JsonNode answer = JsonHttp.JSON.readTree(ofApi(form.body().toString()));
    TreeMap<String, Double> values = new TreeMap<>();
    if (answer.at("/meta/completeness/state").asText().equals("provisional")) {
      return values;
    }
    for (JsonNode item : answer.path("data")) {
      StringBuilder line = new StringBuilder();
      question
          .labels()
          .forEach(label -> line.append('/').append(item.path("metric." + label).asText()));
      line.append(' ').append(Instant.parse(item.path("timestamp").asText()).getEpochSecond());
      if (item.has("values")) {
        for (int metric = 0; metric < item.path("values").size(); metric++) {
          values.put(name(form, metric) + line, item.path("values").path(metric).asDouble());
        }
      } else {
        values.put(name(form, 0) + line, item.path("value").asDouble());
      }
    }
    return values;
  }

  /** Of a metric of the question, as VictoriaMetrics has it. */
  private static String name(Form form, int place) {
    return form.body().at("/aggregations/" + place + "/metric").asText().replace('.', '_');
  }

  private String url(Question question, Form form) {
    return other.url()
        + "/api/v1/query_range?query="
        + URLEncoder.encode(form.promQl(), StandardCharsets.UTF_8)
        + "&start="
        + form.from().plusSeconds(question.width()).getEpochSecond()
        + "&end="
        + form.to().getEpochSecond()
        + "&step="
        + question.width()
        + "&nocache=1";
  }

  private TreeMap<String, Double> ofOther(Question question, Form form)
      throws IOException, InterruptedException {
    TreeMap<String, Double> values = new TreeMap<>();
    for (JsonNode line :
        JsonHttp.JSON.readTree(asking.get(url(question, form))).at("/data/result")) {
      JsonNode labels = line.path("metric");
      // An average of several series has no name.
      StringBuilder name = new StringBuilder(labels.path("__name__").asText(name(form, 0)));
      question.labels().forEach(label -> name.append('/').append(labels.path(label).asText()));
      for (JsonNode value : line.path("values")) {
        // A window ends where PromQL names it, and begins where the API does.
        values.put(
            name + " " + (value.path(0).asLong() - question.width()),
            Double.parseDouble(value.path(1).asText()));
      }
    }
    return values;
  }
}
