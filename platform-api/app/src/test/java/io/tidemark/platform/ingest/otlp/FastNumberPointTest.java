package io.tidemark.platform.ingest.otlp;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.InvalidProtocolBufferException;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.ArrayValue;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.metrics.v1.Exemplar;
import io.opentelemetry.proto.metrics.v1.NumberDataPoint;
import io.tidemark.platform.ingest.domain.PointRules;
import io.tidemark.platform.ingest.domain.RejectionReason;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Whatever is read in place comes to what reading it as an object comes to. */
class FastNumberPointTest {

  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  private static final long NANOS = NOW.getEpochSecond() * 1_000_000_000;

  private final OtlpPointCheck check = new OtlpPointCheck(new PointRules(NOW));
  private final FastNumberPoint plain = new FastNumberPoint();

  private static NumberDataPoint.Builder point() {
    return NumberDataPoint.newBuilder()
        .setStartTimeUnixNano(NANOS - 5)
        .setTimeUnixNano(NANOS)
        .setAsDouble(1.5)
        .addAttributes(attribute("host", AnyValue.newBuilder().setStringValue("a")));
  }

  private static KeyValue attribute(String key, AnyValue.Builder value) {
    return KeyValue.newBuilder().setKey(key).setValue(value).build();
  }

  private static List<NumberDataPoint> points() {
    AnyValue.Builder list =
        AnyValue.newBuilder()
            .setArrayValue(
                ArrayValue.newBuilder().addValues(AnyValue.newBuilder().setBoolValue(true)));
    return List.of(
        point().build(),
        NumberDataPoint.getDefaultInstance(),
        point().setAsInt(-7).build(),
        point().clearValue().build(),
        point().clearValue().setFlags(1).build(),
        point().setFlags(0x7fffffff).build(),
        point().setAsDouble(Double.NaN).build(),
        point().setAsDouble(Double.longBitsToDouble(0x7ff0000000000002L)).build(),
        point().setAsDouble(Double.NEGATIVE_INFINITY).build(),
        point().setTimeUnixNano(0).build(),
        point().setTimeUnixNano(-1).build(),
        point().setTimeUnixNano(NANOS + 700_000_000_000L).build(),
        point().addAttributes(attribute("", AnyValue.newBuilder().setIntValue(1))).build(),
        point().addAttributes(KeyValue.getDefaultInstance()).build(),
        point().addAttributes(attribute("b", AnyValue.newBuilder().setBoolValue(true))).build(),
        point().addAttributes(attribute("i", AnyValue.newBuilder().setIntValue(-1))).build(),
        point().addAttributes(attribute("d", AnyValue.newBuilder().setDoubleValue(2.5))).build(),
        point().addAttributes(attribute("list", list)).build(),
        point()
            .addAttributes(attribute("größe", AnyValue.newBuilder().setStringValue("ü")))
            .build(),
        point().addExemplars(Exemplar.newBuilder().setAsDouble(1)).build());
  }

  private Optional<RejectionReason> asObject(byte[] bytes) throws InvalidProtocolBufferException {
    return check.number(NumberDataPoint.parseFrom(bytes));
  }

  @Test
  void usualPointsArePlain() {
    assertThat(points().stream().map(NumberDataPoint::toByteArray).map(MessageSlice::of))
        .filteredOn(plain::read)
        .hasSize(17);
  }

  @Test
  void bothWaysComeToTheSame() throws Exception {
    for (NumberDataPoint point : points()) {
      if (plain.read(MessageSlice.of(point.toByteArray()))) {
        assertThat(check.number(plain)).as("%s", point).isEqualTo(asObject(point.toByteArray()));
      }
    }
  }

  /** What is damaged is not plain, or is what the parser takes it for. */
  @Test
  void damagedPointsComeToTheSameToo() {
    Random random = new Random(11);
    List<NumberDataPoint> points = points();
    int seen = 0;
    for (int round = 0; round < 200_000; round++) {
      byte[] bytes = points.get(random.nextInt(points.size())).toByteArray();
      for (int change = random.nextInt(3); change >= 0 && bytes.length > 0; change--) {
        bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
      }
      if (bytes.length > 0 && random.nextInt(4) == 0) {
        bytes = java.util.Arrays.copyOf(bytes, random.nextInt(bytes.length));
      }
      byte[] around = new byte[bytes.length + 6];
      System.arraycopy(bytes, 0, around, 3, bytes.length);
      if (!plain.read(new MessageSlice(around, 3, bytes.length))) {
        continue;
      }
      seen++;
      Optional<RejectionReason> inPlace = check.number(plain);
      byte[] sent = bytes;
      assertThat(inPlace)
          .as(() -> java.util.HexFormat.of().formatHex(sent))
          .isEqualTo(parsed(sent));
    }
    assertThat(seen).isGreaterThan(10_000);
  }

  private Optional<RejectionReason> parsed(byte[] bytes) {
    try {
      return asObject(bytes);
    } catch (InvalidProtocolBufferException notAPoint) {
      throw new AssertionError("read in place, but no point", notAPoint);
    }
  }
}
