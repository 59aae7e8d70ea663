package io.tidemark.platform.ingest.prometheus;

import static io.tidemark.platform.testing.TestingRemoteWrite.request;
import static io.tidemark.platform.testing.TestingRemoteWrite.series;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.opentelemetry.proto.metrics.v1.NumberDataPoint;
import io.opentelemetry.proto.metrics.v1.ResourceMetrics;
import io.tidemark.contracts.prometheus.v1.TimeSeries;
import io.tidemark.contracts.prometheus.v2.Metadata.MetricType;
import io.tidemark.platform.ingest.application.BatchDecoder.DecodedBatch;
import io.tidemark.platform.ingest.domain.PointRules;
import io.tidemark.platform.ingest.domain.RejectionReason;
import io.tidemark.platform.testing.TestingRemoteWrite;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Texts come through whole whatever their sizes, and metrics stay apart by all that tells them. */
class RemoteWriteTextsTest {

  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  private static final long MILLIS = NOW.toEpochMilli();
  private static final RemoteWriteLimits LIMITS = RemoteWriteLimits.ofRecord(1 << 20);

  private static DecodedBatch decode(RemoteWriteVersion version, byte[] body) throws Exception {
    return new RemoteWriteDecoder(version, LIMITS).decode(body, new PointRules(NOW));
  }

  private static List<Metric> metrics(DecodedBatch batch) throws Exception {
    List<Metric> metrics = new ArrayList<>();
    for (ResourceMetrics resource :
        ExportMetricsServiceRequest.parseFrom(batch.record()).getResourceMetricsList()) {
      resource.getScopeMetricsList().forEach(scope -> metrics.addAll(scope.getMetricsList()));
    }
    return metrics;
  }

  private static List<KeyValue> attributes(RemoteWriteVersion version, byte[] body)
      throws Exception {
    NumberDataPoint point =
        metrics(decode(version, body)).get(0).getGauge().getDataPointsList().get(0);
    return point.getAttributesList();
  }

  static IntStream sizes() {
    return IntStream.concat(IntStream.rangeClosed(1, 140), IntStream.of(255, 256, 512));
  }

  @ParameterizedTest
  @MethodSource("sizes")
  void namesAndValuesOfAnySizeComeThrough(int size) throws Exception {
    String name = "n".repeat(size - 1) + "z";
    for (int valueSize : new int[] {1, 3, 7, 8, 9, 15, 16, 17, 100, 111, 130, size}) {
      String value = "v".repeat(valueSize - 1) + "é";
      KeyValue expected =
          KeyValue.newBuilder()
              .setKey(name)
              .setValue(
                  io.opentelemetry.proto.common.v1.AnyValue.newBuilder().setStringValue(value))
              .build();
      byte[] v1 =
          request(series(1, MILLIS, "__name__", "m", name, value, "zz", "next")).toByteArray();
      assertThat(attributes(RemoteWriteVersion.V1, v1)).hasSize(2).startsWith(expected);
      TestingRemoteWrite v2 = new TestingRemoteWrite();
      v2.add(MetricType.METRIC_TYPE_GAUGE, "__name__", "m", name, value, "zz", "next")
          .addSamplesBuilder()
          .setTimestamp(MILLIS);
      assertThat(attributes(RemoteWriteVersion.V2, v2.build().toByteArray()))
          .hasSize(2)
          .startsWith(expected);
    }
  }

  @Test
  void aByteThatIsNoUtf8IsFoundWhereverItStands() throws Exception {
    for (int size = 1; size < 40; size++) {
      for (int place = 0; place < size; place++) {
        TimeSeries good = series(1, MILLIS, "__name__", "m", "zone", "x".repeat(size));
        byte[] body = request(good).toByteArray();
        int value =
            ByteString.copyFrom(body)
                .toString(java.nio.charset.StandardCharsets.ISO_8859_1)
                .indexOf("x".repeat(size));
        body[value + place] = (byte) 0xFF;
        DecodedBatch batch = decode(RemoteWriteVersion.V1, body);
        assertThat(batch.rejections().byReason())
            .as("place %d of %d", place, size)
            .containsOnlyKeys(RejectionReason.LABEL_INVALID);
        assertThat(batch.points()).isZero();
      }
    }
  }

  @Test
  void metricsOfOneNameStayApartByResourceKindHelpAndUnit() throws Exception {
    TestingRemoteWrite v2 = new TestingRemoteWrite();
    Map<String, Integer> expected = new HashMap<>();
    for (int i = 0; i < 240; i++) {
      MetricType type = i % 2 == 0 ? MetricType.METRIC_TYPE_GAUGE : MetricType.METRIC_TYPE_COUNTER;
      String job = "job-" + i % 3;
      var series = v2.add(type, "__name__", "m", "job", job, "number", "n" + i);
      series.getMetadataBuilder().setHelpRef(v2.symbol(i % 5 == 0 ? "" : "Help " + i % 5));
      series.getMetadataBuilder().setUnitRef(v2.symbol(i % 4 == 0 ? "s" : "By"));
      series.addSamplesBuilder().setTimestamp(MILLIS);
      expected.merge(i % 2 + " " + i % 3 + " " + i % 5 + " " + (i % 4 == 0), 1, Integer::sum);
    }
    DecodedBatch batch = decode(RemoteWriteVersion.V2, v2.build().toByteArray());
    assertThat(batch.points()).isEqualTo(240);
    List<Metric> metrics = metrics(batch);
    assertThat(metrics).hasSize(expected.size());
    assertThat(
            metrics.stream()
                .mapToInt(
                    metric ->
                        metric.getGauge().getDataPointsCount()
                            + metric.getSum().getDataPointsCount())
                .sorted())
        .containsExactlyElementsOf(expected.values().stream().sorted().toList());
  }

  @Test
  void thousandsOfMetricsEachComeOnce() throws Exception {
    TimeSeries[] mixed = new TimeSeries[6_000];
    for (int i = 0; i < mixed.length; i++) {
      mixed[i] = series(i, MILLIS, "__name__", "metric_" + i % 2_000, "part", "p" + i / 2_000);
    }
    List<Metric> metrics = metrics(decode(RemoteWriteVersion.V1, request(mixed).toByteArray()));
    assertThat(metrics).extracting(Metric::getName).hasSize(2_000).doesNotHaveDuplicates();
    for (Metric metric : metrics) {
      int number = Integer.parseInt(metric.getName().substring("metric_".length()));
      assertThat(metric.getGauge().getDataPointsList())
          .extracting(point -> (int) point.getAsDouble())
          .containsExactly(number, number + 2_000, number + 4_000);
    }
  }

  @Test
  void oneMetricOfHundredsOfResourcesStaysApart() throws Exception {
    TimeSeries[] mixed = new TimeSeries[1_200];
    for (int i = 0; i < mixed.length; i++) {
      mixed[i] =
          series(i, MILLIS, "__name__", "up", "instance", "host-" + i % 600, "part", "p" + i / 600);
    }
    DecodedBatch batch = decode(RemoteWriteVersion.V1, request(mixed).toByteArray());
    List<ResourceMetrics> resources =
        ExportMetricsServiceRequest.parseFrom(batch.record()).getResourceMetricsList();
    assertThat(resources).hasSize(600);
    for (int resource = 0; resource < 600; resource++) {
      assertThat(resources.get(resource).getScopeMetrics(0).getMetricsList())
          .singleElement()
          .extracting(metric -> metric.getGauge().getDataPoints(1).getAsDouble())
          .isEqualTo(resource + 600.0);
    }
  }

  @Test
  void bothVersionsComeToTheSameWhateverLabelsFollowOneAnother() throws Exception {
    String[] names = {"__name__", "instance", "job", "a", "zone", "zone_of_all", "", "le"};
    Random random = new Random(20261121);
    for (int round = 0; round < 50; round++) {
      List<TimeSeries> first = new ArrayList<>();
      TestingRemoteWrite second = new TestingRemoteWrite();
      for (int i = 0; i < 40; i++) {
        List<String> labels = new ArrayList<>(List.of("__name__", "m" + random.nextInt(3)));
        for (int label = random.nextInt(6); label > 0; label--) {
          labels.add(random.nextInt(30) == 0 ? names[random.nextInt(8)] : names[1 + label]);
          labels.add(random.nextInt(20) == 0 ? "" : "v" + random.nextInt(4));
        }
        String[] texts = labels.toArray(String[]::new);
        first.add(series(i, MILLIS, texts));
        second
            .add(MetricType.METRIC_TYPE_UNSPECIFIED, texts)
            .addSamplesBuilder()
            .setValue(i)
            .setTimestamp(MILLIS);
      }
      DecodedBatch v1 =
          decode(RemoteWriteVersion.V1, request(first.toArray(TimeSeries[]::new)).toByteArray());
      DecodedBatch v2 = decode(RemoteWriteVersion.V2, second.build().toByteArray());
      assertThat(v2.record()).isEqualTo(v1.record());
      assertThat(v2.rejections().byReason()).isEqualTo(v1.rejections().byReason());
      assertThat(v1.points()).isPositive();
    }
  }
}
