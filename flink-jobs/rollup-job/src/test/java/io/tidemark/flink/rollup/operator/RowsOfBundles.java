package io.tidemark.flink.rollup.operator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.flink.model.budget.TenantLimits;
import io.tidemark.flink.model.cumulative.CumulativeReading;
import io.tidemark.flink.model.panes.combine.Combiner;
import io.tidemark.flink.model.point.MetricPoint;
import io.tidemark.flink.model.rollup.Contribution;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Single points as bundles, and bundles of rows as text, for tests. */
final class RowsOfBundles {

  private static final ObjectMapper JSON = new ObjectMapper();

  private RowsOfBundles() {}

  static List<byte[]> bundles(MetricPoint point, int keyGroups) {
    return bundles(point, keyGroups, TenantLimits.NONE);
  }

  static List<byte[]> bundles(MetricPoint point, int keyGroups, TenantLimits limits) {
    List<byte[]> bundles = new ArrayList<>();
    Combiner combiner = new Combiner(keyGroups, bundles::add);
    combiner.addSeries(point.key(), point.series(), limits);
    CumulativeReading reading = point.cumulative();
    if (reading == null) {
      Contribution contribution = point.contribution();
      if (Contribution.isPresent(contribution.last())) {
        combiner.addValue(0, point.timeUnixNano(), contribution.sum());
      } else {
        combiner.addObservations(
            0,
            point.timeUnixNano(),
            contribution.sum(),
            contribution.count(),
            contribution.min(),
            contribution.max(),
            contribution.distribution());
      }
    } else {
      combiner.addReading(
          0,
          new Combiner.Batch(
              point.position().partition(),
              point.position().offset(),
              reading.batchId(),
              reading.receivedAtUnixMs()),
          point.position().index(),
          point.timeUnixNano(),
          reading.startUnixNano(),
          reading.sum(),
          reading.count(),
          reading.distribution(),
          reading.layout(),
          0);
    }
    combiner.flush(0);
    return bundles;
  }

  static List<String> figures(List<byte[]> bundles) throws Exception {
    return rows(bundles).stream()
        .map(
            row ->
                "%tR sum %s count %d min %s max %s last %s%s"
                    .formatted(
                        java.time.Instant.ofEpochMilli(row.get("timestamp").longValue())
                            .atZone(java.time.ZoneOffset.UTC),
                        row.get("sum").doubleValue(),
                        row.get("count").longValue(),
                        figure(row, "min"),
                        figure(row, "max"),
                        figure(row, "last"),
                        row.has("distribution") ? " " + row.get("distribution").asText() : ""))
        .toList();
  }

  private static String figure(JsonNode row, String name) {
    return row.has(name) ? Double.toString(row.get(name).doubleValue()) : "-";
  }

  static List<JsonNode> rows(List<byte[]> bundles) throws Exception {
    List<JsonNode> rows = new ArrayList<>();
    for (byte[] bundle : bundles) {
      for (String line : new String(bundle, StandardCharsets.UTF_8).lines().toList()) {
        rows.add(JSON.readTree(line));
      }
    }
    return rows;
  }
}
