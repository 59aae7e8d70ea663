package io.tidemark.pipeline;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
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
 * Dashboard queries of recent minutes: asked of the Metrics API, of Druid without it, and of
 * VictoriaMetrics, which holds the same points. Before times are taken the answers are compared,
 * value by value.
 */
final class Dashboards {
  private static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final int MINUTES = 100;
  private static final int STEP_SECONDS = 10;
  private static final int HOSTS = 100;
  private static final int FEW_HOSTS = 8;
  private static final int PARTITIONS = 10;
  private static final int TOPICS = 50;
  private static final int METRICS = 5;
  private static final String ORGANIZATION = "org-ledger";

  private final RunningStack.Started stack;
  private final BenchDruid druid;
  private final BenchReport report;
  private final Asking asking = new Asking();
  private final VictoriaMetrics other;
  private final Instant to = Instant.now().truncatedTo(ChronoUnit.MINUTES);
  private final Instant from = to.minus(MINUTES, ChronoUnit.MINUTES);

  Dashboards(
      RunningStack.Started stack, BenchDruid druid, VictoriaMetrics other, BenchReport report) {
    this.stack = stack;
    this.druid = druid;
    this.other = other;
    this.report = report;
  }

  /**
   * One of the forms of a question, so that no answer is asked for twice in a row.
   *
   * @param body for the API
   * @param promQl the same for VictoriaMetrics
   * @param bare the same for Druid; null when the API asks more than one
   */
  private record Form(ObjectNode body, String promQl, Instant from, Instant to, ObjectNode bare) {}

  /**
   * One question.
   *
   * @param must empty for one that no goal speaks of
   * @param width of a bucket in seconds
   * @param labels that name a line, in PromQL
   */
  private record Question(
      String name, String must, int width, List<String> labels, List<Form> forms) {}

  void compare(int rounds) throws Exception {
    send();
    List<Question> questions = new ArrayList<>(List.of(ten(), fourHundred(), thousand()));
    if (Boolean.getBoolean("bench.lines")) {
      questions.add(lines());
    }
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
    int each = Integer.getInteger("bench.queries", 60);
    Contest contest =
        // Large answers take their time.
        new Contest(values > 20_000 ? each / 3 : each)
            .with("api", inTurn(bodies, this::ofApi))
            .with("other", inTurn(urls, asking::get));
    boolean hasBare = question.forms().get(0).bare() != null;
    if (hasBare) {
      contest.with(
          "bare",
          inTurn(
              question.forms().stream().map(form -> form.bare().toString()).toList(), druid::ask));
    }
    contest.run(rounds);
    report.row(
        "recent dashboard, %s, %,d values".formatted(question.name(), values),
        "API " + contest.times("api") + "; VictoriaMetrics " + contest.times("other"),
        "%.2fx".formatted(contest.median("api", "other", (api, store) -> api.p95() / store.p95())),
        question.must().isEmpty() ? "" : "≤ 3x, aim 1x",
        contest.size());
    if (hasBare) {
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
          question.must(),
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

  private Question ten() {
    Instant hour = to.minus(60, ChronoUnit.MINUTES);
    List<Form> forms = new ArrayList<>();
    for (int host = 0; host < HOSTS; host++) {
      ObjectNode body =
          MetricsQuery.body("bench.m0", "MAX", "PT1M", hour, to, List.of("metric.partition"));
      body.set("filter", equal("metric.host", "h" + host));
      forms.add(
          new Form(
              body,
              "max_over_time(bench_m0{host=\"h" + host + "\"}[1m])",
              hour,
              to,
              bare(Map.of("metric.host", "h" + host), List.of("metric.partition"), "PT1M", hour, to)
                  .tree(List.of("max"))));
    }
    return new Question(
        "10 series as lines, 60 minutes", "≤ 5 ms, aim 2 ms", 60, List.of("partition"), forms);
  }

  private Question fourHundred() {
    List<Form> forms = new ArrayList<>();
    for (int shift = 0; shift <= 10; shift++) {
      Instant begin = from.plus(shift, ChronoUnit.MINUTES);
      Instant end = begin.plus(MINUTES - 10, ChronoUnit.MINUTES);
      ObjectNode body =
          MetricsQuery.body(
              "bench.m0", "MAX", "PT1M", begin, end, List.of("metric.host", "metric.partition"));
      body.put("limit", FEW_HOSTS * PARTITIONS);
      StringBuilder hosts = new StringBuilder();
      ArrayNode any = body.putObject("filter").put("op", "OR").putArray("filters");
      for (int host = 0; host < FEW_HOSTS; host++) {
        any.add(equal("metric.host", "h" + host));
        hosts.append(host == 0 ? "" : "|").append("h").append(host);
      }
      for (int metric = 1; metric < METRICS; metric++) {
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
        "≤ 5 ms, aim 2 ms",
        60,
        List.of("host", "partition"),
        forms);
  }

  private Question thousand() {
    List<Form> forms = new ArrayList<>();
    // Buckets of five minutes begin at whole ones.
    Instant first = Instant.ofEpochSecond((from.getEpochSecond() + 299) / 300 * 300);
    for (int shift = 0; shift < 2; shift++) {
      Instant begin = first.plus(5L * shift, ChronoUnit.MINUTES);
      Instant end = begin.plus(MINUTES - 10, ChronoUnit.MINUTES);
      forms.add(
          new Form(
              MetricsQuery.body("bench.m0", "AVG", "PT5M", begin, end, List.of("metric.topic")),
              "avg by (topic) (avg_over_time(bench_m0[5m]))",
              begin,
              end,
              bare(Map.of(), List.of("metric.topic"), "PT5M", begin, end)
                  .tree(List.of("sum", "count"))));
    }
    return new Question(
        "1,000 series, average by topic and 5 minutes, 90 minutes",
        "≤ 5 ms, aim 2 ms",
        300,
        List.of("topic"),
        forms);
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
              bare(Map.of(), labels, "PT1M", begin, end).tree(List.of("max"))));
    }
    return new Question(
        "1,000 series as lines, 60 minutes", "", 60, List.of("host", "partition"), forms);
  }

  private static StoreQuestion bare(
      Map<String, String> equal, List<String> groupBy, String width, Instant begin, Instant end) {
    return new StoreQuestion(
        ORGANIZATION, "rollup_1m", "bench.m0", equal, groupBy, width, begin, end);
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
          values.put("bench_m" + metric + line, item.path("values").path(metric).asDouble());
        }
      } else {
        values.put("bench_m0" + line, item.path("value").asDouble());
      }
    }
    return values;
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
      StringBuilder name = new StringBuilder(labels.path("__name__").asText("bench_m0"));
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

  /** A minute at a time, the oldest first: what a series sent in it comes in one batch. */
  private void send() throws Exception {
    OtlpSender sender =
        new OtlpSender(
            stack.coordinates().get("TIDEMARK_OTLP_HTTP"), stack.authorization(ORGANIZATION));
    for (int minute = 0; minute < MINUTES; minute++) {
      StringBuilder lines = new StringBuilder();
      for (int first = 0; first < HOSTS; first += 20) {
        List<OtlpSender.Point> points = new ArrayList<>();
        for (int host = first; host < first + 20; host++) {
          points(from.plus(minute, ChronoUnit.MINUTES), host, points, lines);
        }
        int status = sender.send(OtlpSender.batch("bench", points).toByteArray()).statusCode();
        if (status != 200) {
          throw new IOException("Points got " + status);
        }
      }
      other.take(asking, lines.toString());
    }
  }

  private static void points(
      Instant minute, int host, List<OtlpSender.Point> points, StringBuilder lines) {
    for (int metric = 0; metric < (host < FEW_HOSTS ? METRICS : 1); metric++) {
      for (int partition = 0; partition < PARTITIONS; partition++) {
        Map<String, String> labels =
            Map.of(
                "host", "h" + host,
                "partition", Integer.toString(partition),
                "topic", "t" + host % TOPICS);
        for (int second = STEP_SECONDS / 2; second < 60; second += STEP_SECONDS) {
          Instant time = minute.plusSeconds(second);
          long value =
              (time.getEpochSecond() * 31 + host * 1_009L + partition * 97L + metric * 13L)
                  % 10_000;
          points.add(new OtlpSender.Point("bench.m" + metric, labels, time, value));
          lines
              .append("bench_m")
              .append(metric)
              .append("{host=\"h")
              .append(host)
              .append("\",partition=\"")
              .append(partition)
              .append("\",topic=\"t")
              .append(host % TOPICS)
              .append("\"} ")
              .append(value)
              .append(' ')
              .append(time.toEpochMilli())
              .append('\n');
        }
      }
    }
  }
}
