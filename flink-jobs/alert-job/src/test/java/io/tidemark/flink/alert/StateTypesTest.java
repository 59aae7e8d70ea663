package io.tidemark.flink.alert;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.tidemark.flink.alert.match.SignalMinute;
import io.tidemark.flink.alert.operator.EvaluatedHourCollector;
import io.tidemark.flink.io.control.ControlRecord;
import io.tidemark.flink.io.live.LiveRecord;
import io.tidemark.flink.io.rows.RowBundle;
import io.tidemark.flink.model.alert.AlertTransition;
import io.tidemark.flink.model.alert.EarlyAlert;
import io.tidemark.flink.model.alert.EvaluatedHour;
import io.tidemark.flink.model.alert.EvaluationUsage;
import io.tidemark.flink.model.alert.GroupCount;
import io.tidemark.flink.model.alert.MinuteTotals;
import io.tidemark.flink.model.alert.RuleEvaluation;
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
        AlertTransition.class,
        ControlRecord.class,
        EarlyAlert.class,
        EvaluatedHour.class,
        EvaluationUsage.class,
        GroupCount.class,
        LiveRecord.class,
        MinuteTotals.class,
        RowBundle.class,
        RuleEvaluation.class,
        SignalMinute.class,
        EvaluatedHourCollector.Parts.class
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
