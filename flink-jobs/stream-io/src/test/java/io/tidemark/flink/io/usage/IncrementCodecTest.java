package io.tidemark.flink.io.usage;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.tidemark.contracts.usage.v1.UsageIncrement;
import io.tidemark.flink.model.series.SeriesKey;
import io.tidemark.flink.model.usage.MeteredUnits;
import io.tidemark.flink.model.usage.UsageHour;
import io.tidemark.flink.model.usage.UsageSubject;
import java.util.List;
import org.junit.jupiter.api.Test;

class IncrementCodecTest {

  private static final UsageHour HOUR =
      new UsageHour(
          new UsageSubject("org-a", "env-a", "service", "shop", "cpu"), 1_767_225_600_000L);

  @Test
  void everyUnitAndSeriesIsReadAsItWasWritten() throws Exception {
    MeteredUnits units = new MeteredUnits(1, 2, 3, 4, 0, 0, 5, 6, 7, 8);
    long[] series = {9, 9, 10, -11, 12, 13};

    EncodedIncrement encoded = IncrementCodec.encode(HOUR, units, series, 1, 3);
    CountedIncrement read = IncrementCodec.decode(encoded.increment());

    assertEquals("org-a/env-a/service/shop/cpu", new String(encoded.subject(), UTF_8));
    assertEquals(HOUR, read.hour());
    assertEquals(new MeteredUnits(1, 2, 3, 4), read.points());
    assertEquals(new MeteredUnits(0, 0, 0, 0, 0, 0, 5, 6, 7, 8), read.rows());
    assertEquals(List.of(new SeriesKey(10, -11).hex(), new SeriesKey(12, 13).hex()), read.series());
    assertEquals(32, UsageIncrement.parseFrom(encoded.increment()).getSeries().size());
  }

  @Test
  void whatIsNoIncrementIsNone() {
    byte[] good = IncrementCodec.encode(HOUR, MeteredUnits.NONE).increment();
    byte[] odd = new byte[] {1, 2, 3};

    assertNull(IncrementCodec.decode(new byte[0]), "of nobody");
    assertNull(IncrementCodec.decode(odd));
    assertNull(IncrementCodec.decode(java.util.Arrays.copyOf(good, good.length - 1)));
    assertNull(
        IncrementCodec.decode(
            UsageIncrement.newBuilder()
                .setOrganizationId("org-a")
                .setSeries(com.google.protobuf.ByteString.copyFrom(odd))
                .build()
                .toByteArray()),
        "a part of a series");
    assertNull(
        IncrementCodec.decode(
            UsageIncrement.newBuilder()
                .setOrganizationId("org-a")
                .setRollupRows1D(-1)
                .build()
                .toByteArray()),
        "less than nothing");
  }
}
