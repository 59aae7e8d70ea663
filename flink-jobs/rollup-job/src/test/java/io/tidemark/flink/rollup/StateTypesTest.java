package io.tidemark.flink.rollup;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.tidemark.flink.io.points.PointsRecord;
import io.tidemark.flink.model.batch.FirstReceipt;
import io.tidemark.flink.model.cumulative.CumulativeReading;
import io.tidemark.flink.model.cumulative.CumulativeReference;
import io.tidemark.flink.model.cumulative.PendingReading;
import io.tidemark.flink.model.point.MetricPoint;
import io.tidemark.flink.model.point.SourcePosition;
import io.tidemark.flink.model.reject.DeadLetter;
import io.tidemark.flink.model.rollup.Pane;
import io.tidemark.flink.model.rollup.RollupRow;
import io.tidemark.flink.model.series.SeriesDescriptor;
import io.tidemark.flink.model.series.SeriesKey;
import io.tidemark.flink.testing.TestPoints;
import org.apache.flink.api.common.serialization.SerializerConfigImpl;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.java.typeutils.PojoTypeInfo;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What travels between operators or lies in state is serialised by name, never by Kryo. */
class StateTypesTest {

  @ParameterizedTest
  @ValueSource(
      classes = {
        PointsRecord.class,
        MetricPoint.class,
        SeriesKey.class,
        SeriesDescriptor.class,
        SourcePosition.class,
        Pane.class,
        RollupRow.class,
        DeadLetter.class,
        FirstReceipt.class,
        CumulativeReading.class,
        CumulativeReference.class,
        PendingReading.class
      })
  void typeNeedsNoKryo(Class<?> type) {
    TypeInformation<?> information = TypeInformation.of(type);

    assertInstanceOf(PojoTypeInfo.class, information);
    // Throws when any field, however deep, would be generic.
    serializer(information);
  }

  @Test
  void pointsSurviveTheirSerializer() throws Exception {
    TestPoints points = new TestPoints();
    MetricPoint value = points.value(TestPoints.CPU, "12:00:01", 0.5);
    MetricPoint total = points.total(TestPoints.REQUESTS, "11:59:00", "12:00:01", 7);

    assertEquals(value, copy(value));
    assertEquals(total, copy(total));
    assertNull(copy(total).contribution());
  }

  private static MetricPoint copy(MetricPoint point) throws Exception {
    TypeSerializer<MetricPoint> serializer = serializer(TypeInformation.of(MetricPoint.class));
    DataOutputSerializer out = new DataOutputSerializer(256);
    serializer.serialize(point, out);
    return serializer.deserialize(new DataInputDeserializer(out.getCopyOfBuffer()));
  }

  private static <T> TypeSerializer<T> serializer(TypeInformation<T> information) {
    Configuration configuration = new Configuration();
    configuration.set(PipelineOptions.GENERIC_TYPES, false);
    return information.createSerializer(new SerializerConfigImpl(configuration));
  }
}
