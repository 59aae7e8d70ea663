package io.tidemark.platform.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.tidemark.platform.ingest.application.BatchDecoder;
import io.tidemark.platform.ingest.application.BatchDecoder.DecodedBatch;
import io.tidemark.platform.ingest.application.BatchDecoder.MalformedBatchException;
import io.tidemark.platform.ingest.domain.PointRules;
import io.tidemark.platform.ingest.otlp.OtlpJson;
import io.tidemark.platform.ingest.otlp.OtlpProtobuf;
import io.tidemark.platform.ingest.prometheus.RemoteWriteDecoder;
import io.tidemark.platform.ingest.prometheus.RemoteWriteLimits;
import io.tidemark.platform.ingest.prometheus.RemoteWriteVersion;
import io.tidemark.platform.ingest.prometheus.SnappyBlock;
import io.tidemark.platform.testing.HostileBodies;
import io.tidemark.platform.testing.Mutations;
import io.tidemark.platform.testing.TestingRemoteWrite;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Whatever the bytes are, a decoder says that they are malformed or gives a record that every
 * reader of OTLP can read, with as many points as it says, and takes no more memory than it may.
 * Two seconds for each decoder; {@code make test-fuzz} takes minutes.
 */
class DecoderFuzzTest {

  private static final long SECONDS = Long.getLong("fuzz.seconds", 2);
  private static final long SEED = Long.getLong("fuzz.seed", 20261121);
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  private static final int MAX_RECORD = 1 << 20;

  /** For bodies of at most 64 KiB; a tree of JSON values is the largest. */
  private static final long MAX_ALLOCATION = 64L << 20;

  record Target(String name, List<byte[]> seeds, Supplier<BatchDecoder> decoder) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Target> decoders() {
    RemoteWriteLimits limits = RemoteWriteLimits.ofRecord(MAX_RECORD);
    return Stream.of(
        new Target("OTLP protobuf", HostileBodies.otlp(NOW), OtlpProtobuf::new),
        new Target("OTLP JSON", HostileBodies.otlpJson(NOW), OtlpJson::new),
        new Target(
            "remote write 1.0",
            HostileBodies.remoteWrite1(NOW),
            () -> new RemoteWriteDecoder(RemoteWriteVersion.V1, limits)),
        new Target(
            "remote write 2.0",
            HostileBodies.remoteWrite2(NOW),
            () -> new RemoteWriteDecoder(RemoteWriteVersion.V2, limits)),
        new Target(
            "Snappy",
            HostileBodies.remoteWrite2(NOW).stream().map(TestingRemoteWrite::snappy).toList(),
            () -> (body, rules) -> decompressed(body, rules, limits)));
  }

  private static DecodedBatch decompressed(byte[] block, PointRules rules, RemoteWriteLimits limits)
      throws MalformedBatchException {
    long declared = SnappyBlock.declaredSize(block).orElse(Long.MAX_VALUE);
    if (declared > MAX_RECORD) {
      throw new MalformedBatchException("too large", null);
    }
    try {
      return new RemoteWriteDecoder(RemoteWriteVersion.V2, limits)
          .decode(SnappyBlock.content(block, (int) declared), rules);
    } catch (IOException damaged) {
      throw new MalformedBatchException("damaged", damaged);
    }
  }

  @ParameterizedTest
  @MethodSource("decoders")
  void anyBytesAreMalformedOrARecordThatOthersCanRead(Target target) throws Exception {
    Mutations mutations = new Mutations(target.seeds(), SEED);
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    PointRules rules = new PointRules(NOW);
    long bodies = 0;
    long readable = 0;
    for (long end = System.nanoTime() + SECONDS * 1_000_000_000; System.nanoTime() < end; ) {
      byte[] body = mutations.next();
      bodies++;
      try {
        long before = threads.getCurrentThreadAllocatedBytes();
        DecodedBatch batch = target.decoder().get().decode(body, rules);
        assertThat(threads.getCurrentThreadAllocatedBytes() - before)
            .as(() -> "memory for body " + text(body))
            .isLessThan(MAX_ALLOCATION);
        assertThat(points(batch.record())).as(() -> text(body)).isEqualTo(batch.points());
        assertThat(batch.rejections().message().length()).isLessThan(4_000);
        readable++;
      } catch (MalformedBatchException malformed) {
        assertThat(malformed.getMessage()).isNotBlank();
      } catch (RuntimeException | Error fault) {
        throw new AssertionError("Body " + text(body) + " of seed " + SEED, fault);
      }
    }
    assertThat(bodies).isGreaterThan(100);
    assertThat(readable).isPositive();
    System.out.println(target + ": " + bodies + " bodies, " + readable + " readable, 0 crashes");
  }

  private static long points(byte[] record) throws IOException {
    return ExportMetricsServiceRequest.parseFrom(record).getResourceMetricsList().stream()
        .flatMap(resource -> resource.getScopeMetricsList().stream())
        .flatMap(scope -> scope.getMetricsList().stream())
        .mapToLong(DecoderFuzzTest::points)
        .sum();
  }

  private static long points(Metric metric) {
    return switch (metric.getDataCase()) {
      case GAUGE -> metric.getGauge().getDataPointsCount();
      case SUM -> metric.getSum().getDataPointsCount();
      case HISTOGRAM -> metric.getHistogram().getDataPointsCount();
      case EXPONENTIAL_HISTOGRAM -> metric.getExponentialHistogram().getDataPointsCount();
      case SUMMARY -> metric.getSummary().getDataPointsCount();
      case DATA_NOT_SET -> 0;
    };
  }

  private static String text(byte[] body) {
    return Base64.getEncoder().encodeToString(body);
  }
}
