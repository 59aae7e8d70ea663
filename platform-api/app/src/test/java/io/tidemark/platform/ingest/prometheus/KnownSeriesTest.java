package io.tidemark.platform.ingest.prometheus;

import static io.tidemark.platform.testing.TestingRemoteWrite.request;
import static io.tidemark.platform.testing.TestingRemoteWrite.series;
import static org.assertj.core.api.Assertions.assertThat;

import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.tidemark.contracts.prometheus.v1.Exemplar;
import io.tidemark.contracts.prometheus.v1.Label;
import io.tidemark.contracts.prometheus.v1.TimeSeries;
import io.tidemark.contracts.prometheus.v1.WriteRequest;
import io.tidemark.platform.ingest.application.DecodeBatch.DecodedBatch;
import io.tidemark.platform.ingest.domain.PointRules;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Whatever is remembered, a request becomes what it becomes where nothing is. */
class KnownSeriesTest {

  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  private static final long MILLIS = NOW.toEpochMilli();
  private static final RemoteWriteLimits LIMITS = RemoteWriteLimits.ofRecord(1 << 20);

  private final KnownSeries known = new KnownSeries(64);

  private static DecodedBatch decode(byte[] body, KnownSeries known) throws Exception {
    return new RemoteWriteDecoder(RemoteWriteVersion.V1, LIMITS, known)
        .decode(body, new PointRules(NOW));
  }

  private void assertSame(WriteRequest request) throws Exception {
    assertSame(request.toByteArray());
  }

  private void assertSame(byte[] body) throws Exception {
    DecodedBatch expected = decode(body, KnownSeries.NONE);
    for (int time = 0; time < 3; time++) {
      DecodedBatch batch = decode(body, known);
      assertThat(ExportMetricsServiceRequest.parseFrom(batch.record()))
          .isEqualTo(ExportMetricsServiceRequest.parseFrom(expected.record()));
      assertThat(batch.record()).isEqualTo(expected.record());
      assertThat(batch.points()).isEqualTo(expected.points());
      assertThat(batch.rejections().message()).isEqualTo(expected.rejections().message());
    }
  }

  private static byte[] labels(TimeSeries series) {
    return series.toBuilder().clearSamples().build().toByteArray();
  }

  private KnownSeries.Series find(TimeSeries series) {
    byte[] labels = labels(series);
    return known.find(SeededHash.of(labels, 0, labels.length), labels, 0, labels.length);
  }

  @Test
  void aSeriesIsKnownAfterItsSecondRequest() throws Exception {
    TimeSeries series = series(1, MILLIS, "__name__", "a_total", "job", "api", "zone", "x");
    byte[] body = request(series).toByteArray();
    decode(body, known);
    assertThat(find(series)).isNull();
    decode(body, known);
    KnownSeries.Series found = find(series);
    assertThat(found.kind()).isEqualTo(PointKind.COUNTER);
    assertThat(new String(found.attributes(), StandardCharsets.UTF_8)).contains("zone", "x");
    assertSame(request(series));
    assertThat(find(series)).isSameAs(found);
  }

  @Test
  void mixedRequestsStayTheSame() throws Exception {
    Random random = new Random(20261121);
    for (int round = 0; round < 100; round++) {
      List<TimeSeries> some = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        int metric = random.nextInt(4);
        some.add(
            series(
                random.nextInt(20) == 0 ? Double.POSITIVE_INFINITY : random.nextDouble(),
                MILLIS + random.nextInt(3) * 500_000L,
                "__name__",
                metric == 0 ? "calls_total" : "gauge_" + metric,
                "instance",
                "host-" + random.nextInt(3),
                random.nextInt(10) == 0 ? "instance" : "zone",
                "ü" + random.nextInt(5)));
      }
      assertSame(request(some.toArray(TimeSeries[]::new)));
    }
  }

  @Test
  void whatIsRefusedOfAKnownSeriesNamesItsMetric() throws Exception {
    assertSame(request(series(1, MILLIS, "__name__", "clock", "job", "api")));
    assertSame(request(series(1, 5, "__name__", "clock", "job", "api")));
    DecodedBatch refused =
        decode(request(series(1, 5, "__name__", "clock", "job", "api")).toByteArray(), known);
    assertThat(refused.rejections().message()).contains("clock");
  }

  @Test
  void exemplarsAndLabelsAtAnUnusualPlaceAreReadAsEver() throws Exception {
    TimeSeries plain = series(1, MILLIS, "__name__", "calls_total", "zone", "x");
    assertSame(request(plain));
    assertSame(
        request(
            plain.toBuilder()
                .addExemplars(
                    Exemplar.newBuilder()
                        .setTimestamp(MILLIS)
                        .addLabels(Label.newBuilder().setName("user").setValue("u1")))
                .build()));
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    byte[] late = TimeSeries.newBuilder().addLabels(label("late", "y")).build().toByteArray();
    byte[] early = plain.toByteArray();
    body.write(10);
    body.write(early.length + late.length);
    body.write(early);
    body.write(late);
    assertSame(body.toByteArray());
    assertThat(ExportMetricsServiceRequest.parseFrom(decode(body.toByteArray(), known).record()))
        .asString()
        .contains("late");
  }

  private static Label label(String name, String value) {
    return Label.newBuilder().setName(name).setValue(value).build();
  }

  @Test
  void moreSeriesThanThereIsRoomForGiveWayToOneAnother() throws Exception {
    for (int round = 0; round < 3; round++) {
      for (int i = 0; i < 1_000; i++) {
        assertSame(request(series(i, MILLIS, "__name__", "m", "number", Integer.toString(i))));
      }
    }
  }

  @Test
  void longLabelsAreNotRemembered() throws Exception {
    TimeSeries series = series(1, MILLIS, "__name__", "m", "long", "x".repeat(600));
    assertSame(request(series));
    assertThat(find(series)).isNull();
  }
}
