package io.tidemark.pipeline.support;

import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.metrics.v1.AggregationTemporality;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.opentelemetry.proto.metrics.v1.NumberDataPoint;
import io.opentelemetry.proto.metrics.v1.ResourceMetrics;
import io.opentelemetry.proto.metrics.v1.ScopeMetrics;
import io.opentelemetry.proto.metrics.v1.Sum;
import io.opentelemetry.proto.resource.v1.Resource;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** A plain OTLP/HTTP client: protobuf bodies, Basic credentials. */
public final class OtlpSender {
  private final HttpClient client =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(Duration.ofSeconds(3))
          .build();
  private final String url;
  private final String authorization;

  public OtlpSender(String otlpHttp, String authorization) {
    this.url = otlpHttp + "/v1/metrics";
    this.authorization = authorization;
  }

  /** One delta point. */
  public record Point(String metric, Map<String, String> attributes, Instant time, long value) {}

  /** Sends the bytes as they are; header pairs are added or, for Authorization, replaced. */
  public HttpResponse<byte[]> send(byte[] body, String... headers)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(url))
            .timeout(Duration.ofSeconds(40))
            .setHeader("Content-Type", "application/x-protobuf")
            .POST(HttpRequest.BodyPublishers.ofByteArray(body));
    if (!authorization.isEmpty()) {
      request.setHeader("Authorization", authorization);
    }
    for (int i = 0; i < headers.length; i += 2) {
      request.setHeader(headers[i], headers[i + 1]);
    }
    return client.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
  }

  /** A batch of delta sums of one service. */
  public static ExportMetricsServiceRequest batch(String service, List<Point> points) {
    return batch(service, Map.of(), points);
  }

  /** The same with more attributes of the resource. */
  public static ExportMetricsServiceRequest batch(
      String service, Map<String, String> attributes, List<Point> points) {
    Resource.Builder resource = Resource.newBuilder();
    resource.addAttributes(attribute("service.name", service));
    attributes.forEach((key, value) -> resource.addAttributes(attribute(key, value)));
    ScopeMetrics.Builder scope = ScopeMetrics.newBuilder();
    for (Point point : points) {
      NumberDataPoint.Builder data =
          NumberDataPoint.newBuilder()
              .setTimeUnixNano(nanos(point.time()))
              .setStartTimeUnixNano(nanos(point.time().minusSeconds(10)))
              .setAsInt(point.value());
      point.attributes().forEach((key, value) -> data.addAttributes(attribute(key, value)));
      scope.addMetrics(
          Metric.newBuilder()
              .setName(point.metric())
              .setUnit("1")
              .setSum(
                  Sum.newBuilder()
                      .setAggregationTemporality(
                          AggregationTemporality.AGGREGATION_TEMPORALITY_DELTA)
                      .setIsMonotonic(true)
                      .addDataPoints(data)));
    }
    return ExportMetricsServiceRequest.newBuilder()
        .addResourceMetrics(
            ResourceMetrics.newBuilder().setResource(resource).addScopeMetrics(scope))
        .build();
  }

  /** A resource with a type and an id of its own. */
  public static Resource resource(String type, String id) {
    return Resource.newBuilder()
        .addAttributes(attribute("tidemark.resource.type", type))
        .addAttributes(attribute("tidemark.resource.id", id))
        .build();
  }

  private static KeyValue attribute(String key, String value) {
    return KeyValue.newBuilder()
        .setKey(key)
        .setValue(AnyValue.newBuilder().setStringValue(value))
        .build();
  }

  private static long nanos(Instant time) {
    return time.getEpochSecond() * 1_000_000_000L + time.getNano();
  }
}
