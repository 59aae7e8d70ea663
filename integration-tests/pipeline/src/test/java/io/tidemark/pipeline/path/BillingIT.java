package io.tidemark.pipeline.path;

import static io.tidemark.pipeline.support.BillingAnswers.sum;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.pipeline.support.Await;
import io.tidemark.pipeline.support.BillingAnswers;
import io.tidemark.pipeline.support.OtlpSender;
import io.tidemark.pipeline.support.OtlpSender.Point;
import io.tidemark.pipeline.support.RunningStack;
import java.math.BigDecimal;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Points that were sent are the points on the invoice: a resend is billed once, a point that is set
 * aside is not billed, and a line opens down to the receipt of a batch.
 */
@ExtendWith(RunningStack.class)
class BillingIT {
  private static final Duration PATIENCE = Duration.ofSeconds(120);
  private static final String PLACE = BillingAnswers.PLACE;
  private static final String ENVIRONMENT = "billed";

  private final RunningStack.Started stack = RunningStack.get();
  private final BillingAnswers answers = new BillingAnswers(stack);

  private JsonNode ask(String method, String path, String body, int status) throws Exception {
    return answers.ask(method, path, body, status);
  }

  private JsonNode get(String path) throws Exception {
    return answers.get(path);
  }

  private OtlpSender sender() throws Exception {
    ask(
        "POST",
        PLACE + "/environments",
        "{\"id\":\"" + ENVIRONMENT + "\",\"display_name\":\"B\"}",
        201);
    String account =
        ask(
                "POST",
                PLACE + "/service-accounts",
                "{\"display_name\":\"B\",\"role\":\"developer\"}",
                201)
            .path("id")
            .asText();
    JsonNode key =
        ask(
            "POST",
            PLACE + "/service-accounts/" + account + "/api-keys",
            "{\"environment_id\":\"" + ENVIRONMENT + "\",\"scopes\":[\"metrics:write\"]}",
            201);
    return new OtlpSender(
        stack.coordinates().get("TIDEMARK_OTLP_HTTP"), "Bearer " + key.path("secret").asText());
  }

  private static List<JsonNode> list(JsonNode array) {
    return StreamSupport.stream(array.spliterator(), false).toList();
  }

  @Test
  void pointsSentAreBilledOnceAndALineOpensToTheReceiptOfABatch() throws Exception {
    Instant start = Instant.now().truncatedTo(ChronoUnit.HOURS);
    ask("PUT", PLACE + "/plan", "{\"plan\":\"pay-as-you-go\"}", 200);
    OtlpSender sender = sender();
    Map<String, Long> sent = new HashMap<>();
    List<String> receipts = new ArrayList<>();
    long bytes = 0;
    for (int batch = 0; batch < 10; batch++) {
      List<Point> points = new ArrayList<>();
      for (int i = 0; i < 50; i++) {
        String metric = "billing.m" + i % 3;
        points.add(
            new Point(metric, Map.of("i", "" + i), Instant.now().minusSeconds(60 + batch), 1));
        sent.merge(metric, 1L, Long::sum);
      }
      byte[] body = OtlpSender.batch("billing", points).toByteArray();
      bytes += body.length;
      for (int copy = 0; copy < 2; copy++) {
        HttpResponse<byte[]> answer = sender.send(body);
        assertThat(answer.statusCode()).isEqualTo(200);
        receipts.add(answer.headers().firstValue("Tidemark-Receipt").orElseThrow());
      }
    }
    // Two points of which one is too old: it is in the dead letters, and on no invoice.
    byte[] half =
        OtlpSender.batch(
                "billing",
                List.of(
                    new Point("billing.m0", Map.of(), Instant.now().minusSeconds(60), 1),
                    new Point(
                        "billing.m0", Map.of(), Instant.now().minus(2_000, ChronoUnit.DAYS), 1)))
            .toByteArray();
    assertThat(sender.send(half).statusCode()).isEqualTo(200);
    sent.merge("billing.m0", 1L, Long::sum);

    // The line, metric by metric.
    String span =
        "?environment_id=" + ENVIRONMENT + "&from=" + start + "&to=" + start.plusSeconds(7_200);
    JsonNode usage =
        Await.until(
            "usage of what was sent",
            PATIENCE,
            () -> get("/usage" + span + "&by=metric"),
            answer -> answer.path("total").asText().equals("501"));
    Map<String, Long> billed = new HashMap<>();
    usage
        .path("data")
        .forEach(one -> billed.put(one.path("metric").asText(), one.path("quantity").asLong()));
    assertThat(billed).isEqualTo(sent);
    long billedBytes = get("/usage" + span + "&by=day&meter=bytes").path("total").asLong();
    assertThat(billedBytes).isBetween(bytes + 1, bytes + half.length);

    // Its hours, and the batches of an hour with their receipts.
    List<String> counted = new ArrayList<>();
    long points = 0;
    for (JsonNode hour : get("/usage" + span + "&by=hour").path("data")) {
      for (JsonNode batch :
          get("/usage/receipts?environment_id="
                  + ENVIRONMENT
                  + "&limit=200&hour="
                  + hour.path("start").asText())
              .path("data")) {
        counted.add(batch.path("receipt_id").asText());
        points += batch.path("billed_points").asLong();
      }
    }
    assertThat(counted).hasSize(11).containsAll(receipts);
    assertThat(points).as("one of them set aside afterwards").isEqualTo(502);
    assertThat(
            ask("GET", "/api/v1/ingest/receipts/" + receipts.get(0), "", 200)
                .path("duplicates")
                .asInt())
        .isEqualTo(1);

    // A query is counted before its answer leaves.
    ask(
        "POST",
        "/v2/metrics/cloud/query",
        "{\"aggregations\":[{\"metric\":\"billing.m0\"}],\"granularity\":\"PT1M\",\"intervals\":[\""
            + start
            + "/PT2H\"]}",
        200);

    // The invoice, whose lines are the usage of the whole organisation at the plan's price.
    JsonNode line =
        list(get("/invoices").path("data")).stream()
            .map(one -> one.path("period").asText())
            .filter(period -> start.toString().startsWith(period))
            .map(this::pointsLine)
            .findFirst()
            .orElseThrow();
    BigDecimal quantity = new BigDecimal(line.path("quantity").asText());
    assertThat(quantity).isGreaterThanOrEqualTo(new BigDecimal(501));
    assertThat(new BigDecimal(line.path("exact_amount").asText()))
        .isEqualByComparingTo(quantity.movePointLeft(3).multiply(new BigDecimal("0.25")));

    // Acknowledged is metered, is on the invoice, is in the lake.
    List<JsonNode> own =
        Await.until(
            "all of it in the lake and counted by the rollup job",
            PATIENCE,
            () -> reconciled(start),
            found -> sum(found, "in_lake") == 501 && sum(found, "taken_by_rollup") == 501);
    assertThat(sum(own, "metered")).isEqualTo(501);
    assertThat(sum(own, "invoiced")).isEqualTo(501);
    assertThat(own).allMatch(hour -> hour.path("difference").asText().equals("0"));
    assertThat(sum(own, "set_aside")).isEqualTo(1);

    // And its costs by day.
    String day = start.toString().substring(0, 10);
    JsonNode costs =
        ask(
            "GET",
            "/billing/v1/costs?page_size=10000&start_date="
                + day
                + "&end_date="
                + Instant.parse(day + "T00:00:00Z")
                    .plus(2, ChronoUnit.DAYS)
                    .toString()
                    .substring(0, 10),
            "",
            200);
    assertThat(
            list(costs.path("data")).stream()
                .filter(cost -> cost.path("line_type").asText().equals("POINTS"))
                .filter(
                    cost ->
                        cost.path("resource")
                            .path("environment")
                            .path("id")
                            .asText()
                            .equals(ENVIRONMENT))
                .mapToLong(cost -> cost.path("quantity").asLong())
                .sum())
        .isEqualTo(501);
    // Series and rows, once their minutes are complete; every series once, in whichever hour. Each
    // meter is counted by itself: one may be in the ledger before another.
    metered(span, "new_series", "51");
    assertThat(meteredAtLeast(span, "active_series", 51)).isLessThanOrEqualTo(102);
    meteredAtLeast(span, "rollup_rows_1m", 51);
    // The query, within a minute.
    metered("?metric=billing.m0&from=" + start + "&to=" + start.plusSeconds(7_200), "queries", "1");

    JsonNode statement =
        get("/reconciliation/statement?from=" + start + "&to=" + start.plusSeconds(7_200));
    assertThat(statement.path("text").asText()).contains("\"organization_id\":\"org-demo\"");
    assertThat(
            ask(
                    "POST",
                    PLACE + "/reconciliation/repairs",
                    "{\"from\":\"" + start + "\",\"to\":\"" + start.plusSeconds(7_200) + "\"}",
                    200)
                .path("entered")
                .asInt())
        .as("the ledger has every record")
        .isLessThanOrEqualTo(5);
    assertThat(get("/usage/verification").path("faults")).isEmpty();
  }

  private void metered(String filter, String meter, String units) throws Exception {
    Await.until(
        units + " " + meter,
        PATIENCE,
        () -> get("/usage" + filter + "&by=metric&meter=" + meter),
        answer -> answer.path("total").asText().equals(units));
  }

  private long meteredAtLeast(String filter, String meter, long units) throws Exception {
    return Await.until(
            "at least " + units + " " + meter,
            PATIENCE,
            () -> get("/usage" + filter + "&by=metric&meter=" + meter),
            answer -> answer.path("total").asLong() >= units)
        .path("total")
        .asLong();
  }

  private List<JsonNode> reconciled(Instant start) throws Exception {
    return answers.reconciled(ENVIRONMENT, start, start.plusSeconds(7_200));
  }

  private JsonNode pointsLine(String period) {
    try {
      return list(get("/invoices/" + period).path("lines")).stream()
          .filter(line -> line.path("meter").asText().equals("points"))
          .filter(line -> line.path("plan").asText().equals("pay-as-you-go"))
          .findFirst()
          .orElseThrow();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
