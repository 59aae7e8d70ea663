package io.tidemark.platform.billing.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.contracts.usage.v1.Quantity;
import io.tidemark.contracts.usage.v1.UsageRecord;
import io.tidemark.platform.billing.MeteredRecord;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class UsageRecordReaderTest {

  private static final Instant HOUR = Instant.parse("2026-11-20T10:00:00Z");

  private static UsageRecord.Builder record() {
    return UsageRecord.newBuilder()
        .setRecordId("ab".repeat(32))
        .setOrganizationId("org-a")
        .setEnvironmentId("env-a")
        .setResourceType("alert_rule")
        .setResourceId("rule-1")
        .setMetric("cpu")
        .setHourUnixMs(HOUR.toEpochMilli())
        .setMeteredAtUnixMs(HOUR.toEpochMilli() + 1)
        .setMetersVersion(3)
        .setSourcePartition(-1)
        .addQuantities(quantity("alert_series_evaluations", 7));
  }

  private static Quantity quantity(String meter, long units) {
    return Quantity.newBuilder().setMeter(meter).setUnits(units).build();
  }

  @Test
  void aRecordIsReadAsItWasWritten() throws Exception {
    MeteredRecord read = UsageRecordReader.read(record().build().toByteArray());

    assertThat(read.hour()).isEqualTo(HOUR);
    assertThat(read.metersVersion()).isEqualTo(3);
    assertThat(read.resourceType()).isEqualTo("alert_rule");
    assertThat(read.sourcePartition()).isEqualTo(-1);
    assertThat(read.quantities())
        .isEqualTo(Map.of("alert_series_evaluations", BigDecimal.valueOf(7)));
  }

  static Stream<Arguments> faults() {
    return Stream.of(
        fault("record_id", one -> one.setRecordId("ab")),
        fault("record_id", one -> one.setRecordId("AB".repeat(32))),
        fault("organization_id", one -> one.setOrganizationId("")),
        fault("organization_id", one -> one.setOrganizationId("org/a")),
        fault("environment_id", one -> one.clearEnvironmentId()),
        fault("hour_unix_ms", one -> one.setHourUnixMs(HOUR.toEpochMilli() + 1)),
        fault("hour_unix_ms", one -> one.setHourUnixMs(-3_600_000)),
        fault("metered_at_unix_ms", one -> one.clearMeteredAtUnixMs()),
        fault("meters_version", one -> one.setMetersVersion(0)),
        fault("quantities.meter", one -> one.addQuantities(quantity("", 1))),
        fault("quantities.units", one -> one.addQuantities(quantity("points", -1))));
  }

  private static Arguments fault(String field, Consumer<UsageRecord.Builder> change) {
    return Arguments.of(field, change);
  }

  @ParameterizedTest
  @MethodSource("faults")
  void aRecordThatIsNotOfTheContractIsRefusedByField(
      String field, Consumer<UsageRecord.Builder> change) {
    UsageRecord.Builder record = record();
    change.accept(record);

    assertThatThrownBy(() -> UsageRecordReader.read(record.build().toByteArray()))
        .isInstanceOf(UsageRecordReader.UnreadableRecordException.class)
        .hasMessage(field + " is missing or malformed.");
  }

  @Test
  void bytesThatAreNoRecordAreRefused() {
    for (byte[] bytes : new byte[][] {null, {}, {1, 2, 3}, {10, 127}}) {
      assertThatThrownBy(() -> UsageRecordReader.read(bytes))
          .isInstanceOf(UsageRecordReader.UnreadableRecordException.class);
    }
  }
}
