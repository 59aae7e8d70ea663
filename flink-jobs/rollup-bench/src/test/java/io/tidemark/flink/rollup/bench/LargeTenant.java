package io.tidemark.flink.rollup.bench;

import io.tidemark.contracts.control.v1.Budgets;
import io.tidemark.contracts.control.v1.TenantControl;
import io.tidemark.contracts.control.v1.TenantState;
import io.tidemark.flink.io.control.ControlRecord;
import io.tidemark.flink.io.control.TenantRecord;
import io.tidemark.flink.io.points.PointsRecord;
import io.tidemark.flink.io.points.PointsRecordReader;
import io.tidemark.flink.testing.Fleet;
import java.io.IOException;
import java.util.concurrent.locks.LockSupport;
import org.apache.flink.api.common.serialization.DeserializationSchema;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.connector.kafka.source.reader.deserializer.KafkaRecordDeserializationSchema;
import org.apache.flink.util.Collector;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** The tenant of the {@link Fleet}, with a budget that a million new series do not exceed. */
final class LargeTenant {

  private static final long MANY = 10_000_000;
  private static final long HEARD_OF_NANOS = 2_000_000_000L;

  private LargeTenant() {}

  static ControlRecord record() {
    TenantControl tenant =
        TenantControl.newBuilder()
            .setOrganizationId(Fleet.ORGANIZATION)
            .setEnvironmentId(Fleet.ENVIRONMENT)
            .setState(TenantState.TENANT_STATE_ACTIVE)
            .setVersion(1)
            .setBudgets(Budgets.newBuilder().setActiveSeries(MANY).setNewSeriesPerMinute(MANY))
            .build();
    return new ControlRecord(
        TenantRecord.key(Fleet.ORGANIZATION, Fleet.ENVIRONMENT), tenant.toByteArray());
  }

  /** Points come when the job has heard of the tenant: before, the plan's budgets are in force. */
  static final class PointsAfterwards implements KafkaRecordDeserializationSchema<PointsRecord> {
    private static final long serialVersionUID = 1L;

    private final PointsRecordReader reader = new PointsRecordReader();
    private final long measuredFrom;
    private final long measuredTo;
    private long batches;

    PointsAfterwards(long measuredFrom, long measuredTo) {
      this.measuredFrom = measuredFrom;
      this.measuredTo = measuredTo;
    }

    @Override
    public void open(DeserializationSchema.InitializationContext context) {
      LockSupport.parkNanos(HEARD_OF_NANOS);
    }

    @Override
    public void deserialize(ConsumerRecord<byte[], byte[]> record, Collector<PointsRecord> out)
        throws IOException {
      if (batches == measuredFrom) {
        MeasuredPart.begins();
      } else if (batches == measuredTo) {
        MeasuredPart.ends();
      }
      batches++;
      reader.deserialize(record, out);
    }

    @Override
    public TypeInformation<PointsRecord> getProducedType() {
      return reader.getProducedType();
    }
  }
}
