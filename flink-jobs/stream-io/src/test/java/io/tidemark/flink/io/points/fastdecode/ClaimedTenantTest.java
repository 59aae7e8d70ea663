package io.tidemark.flink.io.points.fastdecode;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.fail;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.metrics.v1.NumberDataPoint;
import io.opentelemetry.proto.metrics.v1.ResourceMetrics;
import io.opentelemetry.proto.resource.v1.Resource;
import io.tidemark.flink.io.points.OtlpRequests;
import io.tidemark.flink.io.points.PointsRecord;
import io.tidemark.flink.io.points.decode.TestingDecodedPointConsumer;
import io.tidemark.flink.io.rows.RowText;
import io.tidemark.flink.model.point.MetricPoint;
import io.tidemark.flink.model.point.PointTimeLimits;
import io.tidemark.flink.model.series.SeriesDescriptor;
import io.tidemark.flink.model.series.SeriesKey;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Senders may call themselves what they like: whose a point is, its record's headers say. */
class ClaimedTenantTest {

  private static final List<String> CLAIMS =
      List.of(
          "organization_id",
          "organization",
          "environment_id",
          "tenant",
          "tenant.id",
          "tenant_id",
          "tidemark.tenant",
          "tidemark.organization.id",
          "tidemark.organization-id",
          "tidemark.environment-id",
          "tidemark.resource.organization_id",
          "deployment.environment");

  @Test
  void attributesThatNameATenantAreLabelsOfTheAuthenticatedOne() throws Exception {
    for (MetricPoint point : decodedBothWays(claiming("org-b", "env-b"))) {
      SeriesDescriptor series = point.series();

      assertEquals("org-a", series.organizationId());
      assertEquals("env-a", series.environmentId());
      for (String claim : CLAIMS) {
        assertEquals("org-b", series.resource().get(claim), claim);
        assertEquals("org-b", series.attributes().get(claim), claim);
      }
      JsonNode row =
          new ObjectMapper()
              .readTree("{" + new String(RowText.of(point.key(), series), UTF_8) + "}");
      assertEquals("org-a", row.get("organization_id").asText());
      assertEquals("env-a", row.get("environment_id").asText());
      assertEquals("org-b", row.get("metric.organization_id").asText());
      assertEquals("org-b", row.get("resource.organization_id").asText());
    }
  }

  @Test
  void aPretenderIsNoSeriesOfTheOneItNames() {
    SeriesDescriptor own = decodedBothWays(claiming("org-a", "env-a")).get(0).series();
    SeriesDescriptor pretended =
        new SeriesDescriptor(
            "org-b",
            "env-b",
            own.metric(),
            own.kind(),
            own.unit(),
            own.resource(),
            own.attributes());

    assertNotEquals(SeriesKey.of(own), SeriesKey.of(pretended));
  }

  private static List<MetricPoint> decodedBothWays(byte[] bytes) {
    PointsRecord record = TestingDecodedPointConsumer.record(bytes);
    List<MetricPoint> points = new ArrayList<>(TestingDecodedPointConsumer.decode(bytes).points);
    BatchDecoder inPlace = new BatchDecoder(PointTimeLimits.DEFAULT);
    PointBatch batch = inPlace.decode(record, letter -> fail(letter.reason().name()));
    for (int i = 0; i < batch.size(); i++) {
      points.add(batch.point(i, record, TestingDecodedPointConsumer.RECEIVED, inPlace.slots()));
    }
    assertEquals(1, inPlace.plainBatches());
    assertEquals(2, points.size());
    return points;
  }

  private static byte[] claiming(String organization, String environment) {
    Resource.Builder resource = Resource.newBuilder();
    NumberDataPoint.Builder point = OtlpRequests.number(1);
    for (String claim : CLAIMS) {
      resource.addAttributes(OtlpRequests.text(claim, organization));
      point.addAttributes(OtlpRequests.text(claim, organization));
    }
    resource.addAttributes(OtlpRequests.text("environment", environment));
    ResourceMetrics.Builder metrics = ResourceMetrics.newBuilder().setResource(resource);
    metrics.addScopeMetricsBuilder().addMetrics(OtlpRequests.gauge("cpu", point));
    return ExportMetricsServiceRequest.newBuilder()
        .addResourceMetrics(metrics)
        .build()
        .toByteArray();
  }
}
