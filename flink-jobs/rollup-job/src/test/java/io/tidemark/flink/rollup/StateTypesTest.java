package io.tidemark.flink.rollup;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.tidemark.flink.io.admission.AdmitBatches;
import io.tidemark.flink.io.admission.AdmittedBatch;
import io.tidemark.flink.io.control.ControlRecord;
import io.tidemark.flink.io.live.LiveRecord;
import io.tidemark.flink.io.points.PointsRecord;
import io.tidemark.flink.io.usage.EncodedIncrements;
import io.tidemark.flink.model.batch.FirstReceipt;
import io.tidemark.flink.model.budget.BudgetExceeded;
import io.tidemark.flink.model.completeness.LateRows;
import io.tidemark.flink.model.completeness.TenantLag;
import io.tidemark.flink.model.reject.DeadLetter;
import io.tidemark.flink.model.usage.TakenHour;
import io.tidemark.flink.model.usage.TakenPoints;
import io.tidemark.flink.rollup.operator.TakenHourCollector;
import org.apache.flink.api.common.serialization.SerializerConfigImpl;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.java.typeutils.PojoTypeInfo;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.PipelineOptions;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What travels between operators or lies in state is serialised by name, never by Kryo. */
class StateTypesTest {

  @ParameterizedTest
  @ValueSource(
      classes = {
        PointsRecord.class,
        DeadLetter.class,
        EncodedIncrements.class,
        FirstReceipt.class,
        LateRows.class,
        LiveRecord.class,
        TakenHour.class,
        TakenHourCollector.OpenHour.class,
        TakenPoints.class,
        TenantLag.class,
        AdmittedBatch.class,
        BudgetExceeded.class,
        ControlRecord.class,
        AdmitBatches.HeldBatch.class
      })
  void typeNeedsNoKryo(Class<?> type) {
    TypeInformation<?> information = TypeInformation.of(type);

    assertInstanceOf(PojoTypeInfo.class, information);
    // Throws when any field, however deep, would be generic.
    serializer(information);
  }

  private static <T> TypeSerializer<T> serializer(TypeInformation<T> information) {
    Configuration configuration = new Configuration();
    configuration.set(PipelineOptions.GENERIC_TYPES, false);
    return information.createSerializer(new SerializerConfigImpl(configuration));
  }
}
