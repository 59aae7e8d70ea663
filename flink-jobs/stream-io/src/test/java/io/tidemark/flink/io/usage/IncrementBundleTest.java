package io.tidemark.flink.io.usage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import io.tidemark.contracts.usage.v1.UsageIncrement;
import io.tidemark.contracts.usage.v1.UsageIncrements;
import io.tidemark.flink.model.series.SeriesKey;
import io.tidemark.flink.model.usage.MeteredUnits;
import io.tidemark.flink.model.usage.UsageHour;
import io.tidemark.flink.model.usage.UsageSubject;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class IncrementBundleTest {

  private static final UsageHour HOUR =
      new UsageHour(
          new UsageSubject("org-a", "env-a", "service", "shop", "cpu"), 1_767_225_600_000L);

  private static void add(
      IncrementBundle bundle, UsageHour hour, MeteredUnits units, long[] series, int from, int to) {
    bundle.add(
        IncrementSubject.of(hour.subject()).bytes(), hour.startUnixMs(), units, series, from, to);
  }

  @Test
  void everyUnitAndSeriesIsReadAsItWasWritten() {
    IncrementBundle bundle = new IncrementBundle();
    MeteredUnits units = new MeteredUnits(1, 2, 3, 4, 0, 0, 5, 6, 7, 8);
    add(bundle, HOUR, units, new long[] {9, 9, 10, -11, 12, 13}, 1, 3);

    List<CountedIncrement> read = CountedIncrement.of(bundle.take());

    assertEquals("org-a/env-a", IncrementSubject.of(HOUR.subject()).environment());
    assertEquals(
        List.of(
            new CountedIncrement(
                HOUR,
                new MeteredUnits(1, 2, 3, 4),
                new MeteredUnits(0, 0, 0, 0, 0, 0, 5, 6, 7, 8),
                List.of(new SeriesKey(10, -11).hex(), new SeriesKey(12, 13).hex()))),
        read);
    assertTrue(bundle.isEmpty());
  }

  /** By the generated classes, which share nothing with what writes. */
  @Test
  void generatedIncrementsAreThoseOfTheContract() throws Exception {
    Random random = new Random(128);
    for (int round = 0; round < 300; round++) {
      IncrementBundle bundle = new IncrementBundle();
      List<UsageIncrement> expected = new ArrayList<>();
      for (int i = random.nextInt(40); i >= 0; i--) {
        UsageHour hour =
            new UsageHour(
                new UsageSubject(
                    "org-" + random.nextInt(3),
                    "",
                    "service",
                    "Läden-" + "x".repeat(random.nextInt(300)),
                    "m" + random.nextInt(100)),
                random.nextLong());
        MeteredUnits units =
            new MeteredUnits(
                units(random),
                units(random),
                units(random),
                units(random),
                0,
                0,
                units(random),
                units(random),
                units(random),
                units(random));
        long[] series = random.longs(2L * random.nextInt(5)).toArray();
        add(bundle, hour, units, series, 0, series.length / 2);
        expected.add(increment(hour, units, series));
      }

      assertEquals(expected, UsageIncrements.parseFrom(bundle.take()).getIncrementsList());
    }
  }

  private static long units(Random random) {
    return random.nextInt(3) == 0 ? 0 : random.nextLong() >>> 1 + random.nextInt(62);
  }

  private static UsageIncrement increment(UsageHour hour, MeteredUnits units, long[] series) {
    java.nio.ByteBuffer ids = java.nio.ByteBuffer.allocate(series.length * Long.BYTES);
    Arrays.stream(series).forEach(ids::putLong);
    UsageSubject subject = hour.subject();
    return UsageIncrement.newBuilder()
        .setOrganizationId(subject.organizationId())
        .setEnvironmentId(subject.environmentId())
        .setResourceType(subject.resourceType())
        .setResourceId(subject.resourceId())
        .setMetric(subject.metric())
        .setHourUnixMs(hour.startUnixMs())
        .setPoints(units.points())
        .setBytes(units.bytes())
        .setPointsSetAside(units.pointsSetAside())
        .setPointsWithoutValue(units.pointsWithoutValue())
        .setRollupRows1M(units.rowsOfMinutes())
        .setRollupRows1MHc(units.rowsInDetail())
        .setRollupRows1H(units.rowsOfHours())
        .setRollupRows1D(units.rowsOfDays())
        .setSeries(ByteString.copyFrom(ids.array()))
        .build();
  }

  @Test
  void whatIsNoRecordOfTheContractHasNoIncrements() {
    IncrementBundle bundle = new IncrementBundle();
    add(bundle, HOUR, MeteredUnits.NONE, new long[0], 0, 0);
    byte[] good = bundle.take();
    byte[] odd = new byte[] {1, 2, 3};

    assertEquals(1, CountedIncrement.of(good).size());
    assertEquals(List.of(), CountedIncrement.of(new byte[0]));
    assertEquals(List.of(), CountedIncrement.of(odd));
    assertEquals(List.of(), CountedIncrement.of(Arrays.copyOf(good, good.length - 1)));
    UsageIncrement.Builder one = UsageIncrement.newBuilder().setOrganizationId("org-a");
    assertEquals(List.of(), read(one.clone().clearOrganizationId()), "of nobody");
    assertEquals(
        List.of(), read(one.clone().setSeries(ByteString.copyFrom(odd))), "a part of a series");
    assertEquals(List.of(), read(one.clone().setRollupRows1D(-1)), "less than nothing");
    assertEquals(1, read(one).size());
  }

  private static List<CountedIncrement> read(UsageIncrement.Builder increment) {
    return CountedIncrement.of(
        UsageIncrements.newBuilder().addIncrements(increment).build().toByteArray());
  }
}
