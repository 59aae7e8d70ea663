package io.tidemark.platform.receipts.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.metrics.v1.Gauge;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.opentelemetry.proto.metrics.v1.NumberDataPoint;
import io.opentelemetry.proto.metrics.v1.ResourceMetrics;
import io.opentelemetry.proto.metrics.v1.ScopeMetrics;
import io.tidemark.contracts.deadletter.v1.DeadLetter;
import io.tidemark.platform.receipts.DeadLetterDescription.Sample;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class DeadLetterSamplerTest {

  /** Metrics m0, m1 and so on of ten points each; values are places. */
  private static ExportMetricsServiceRequest request(int metrics) {
    ScopeMetrics.Builder scope = ScopeMetrics.newBuilder();
    for (int metric = 0; metric < metrics; metric++) {
      Gauge.Builder gauge = Gauge.newBuilder();
      for (int point = 0; point < 10; point++) {
        gauge.addDataPoints(NumberDataPoint.newBuilder().setAsInt(1_000 + metric * 10L + point));
      }
      scope.addMetrics(Metric.newBuilder().setName("m" + metric).setGauge(gauge));
    }
    return ExportMetricsServiceRequest.newBuilder()
        .addResourceMetrics(ResourceMetrics.newBuilder().addScopeMetrics(scope))
        .build();
  }

  private static DeadLetter.Builder letter(byte[] original) {
    return DeadLetter.newBuilder()
        .setStage("normalise")
        .setOriginal(ByteString.copyFrom(original))
        .setOriginalSize(original.length);
  }

  @Test
  void onlyThePointsConcernedAreShown() {
    Sample sample =
        DeadLetterSampler.sample(
            letter(request(3).toByteArray()).addAllPointIndexes(List.of(3, 21)).build());
    assertThat(sample.form()).isEqualTo("otlp_json");
    assertThat(sample.isCut()).isFalse();
    assertThat(sample.text())
        .contains("\"m0\"", "\"1003\"", "\"m2\"", "\"1021\"")
        .doesNotContain("\"m1\"", "\"1004\"");
  }

  @Test
  void aWholeBatchShowsItsFirstPointsAndSaysSo() {
    Sample sample = DeadLetterSampler.sample(letter(request(2).toByteArray()).build());
    assertThat(sample.text()).contains("\"1009\"").doesNotContain("\"1010\"", "\"m1\"");
    assertThat(sample.isCut()).isTrue();
    Sample many =
        DeadLetterSampler.sample(
            letter(request(2).toByteArray())
                .addAllPointIndexes(IntStream.range(0, 11).boxed().toList())
                .build());
    assertThat(many.isCut()).isTrue();
  }

  @Test
  void aRequestRebuiltFromOnePointShowsIt() {
    byte[] rebuilt = request(1).toByteArray();
    Sample sample =
        DeadLetterSampler.sample(
            letter(rebuilt).setStage("roll-up").addPointIndexes(5_000).build());
    assertThat(sample.text()).contains("\"1000\"");
  }

  @Test
  void whatCannotBeDecodedIsShownAsBytes() {
    Sample sample = DeadLetterSampler.sample(letter(new byte[] {(byte) 0xff, 1}).build());
    assertThat(sample).isEqualTo(new Sample("hex", "ff01", false));
    Sample cut =
        DeadLetterSampler.sample(letter(new byte[2_000]).setOriginalSize(5_000_000).build());
    assertThat(cut.text()).hasSize(2_048);
    assertThat(cut.isCut()).isTrue();
  }

  @Test
  void aLongSampleIsCut() {
    ExportMetricsServiceRequest lengthy =
        ExportMetricsServiceRequest.newBuilder()
            .addResourceMetrics(
                ResourceMetrics.newBuilder()
                    .addScopeMetrics(
                        ScopeMetrics.newBuilder()
                            .addMetrics(
                                Metric.newBuilder()
                                    .setName("x".repeat(100_000))
                                    .setGauge(
                                        Gauge.newBuilder()
                                            .addDataPoints(NumberDataPoint.getDefaultInstance())))))
            .build();
    Sample sample = DeadLetterSampler.sample(letter(lengthy.toByteArray()).build());
    assertThat(sample.text()).hasSize(DeadLetterSampler.MAX_CHARACTERS);
    assertThat(sample.isCut()).isTrue();
  }
}
