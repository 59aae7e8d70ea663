package io.tidemark.flink.rollup.operator;

import static io.tidemark.flink.testing.TestTime.at;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tidemark.flink.model.completeness.LateRows;
import io.tidemark.flink.model.completeness.TenantLag;
import io.tidemark.flink.testing.TestClusters;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.common.eventtime.Watermark;
import org.apache.flink.api.common.eventtime.WatermarkGenerator;
import org.apache.flink.api.common.eventtime.WatermarkOutput;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.functions.RichMapFunction;
import org.apache.flink.api.common.state.CheckpointListener;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.connector.source.lib.NumberSequenceSource;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** On a cluster in this JVM, whose periodic checkpoints are an hour apart. */
class CompletenessReporterIT {

  @RegisterExtension static final MiniClusterExtension CLUSTER = TestClusters.cluster();

  private static final CompletableFuture<String> COMMITTED = new CompletableFuture<>();

  /** Event time stands at the end of a minute. */
  private static final class EndOfMinute implements WatermarkGenerator<Long> {
    @Override
    public void onEvent(Long event, long timestamp, WatermarkOutput output) {}

    @Override
    public void onPeriodicEmit(WatermarkOutput output) {
      output.emitWatermark(new Watermark(at("12:05:00") - 1));
    }
  }

  /** Tells the first statement when a checkpoint after it is complete. */
  private static final class Commits extends RichMapFunction<byte[], String>
      implements CheckpointListener {
    private static final long serialVersionUID = 1L;
    private transient String said;

    @Override
    public String map(byte[] statement) throws Exception {
      said = CompletenessReporterTest.text(List.of(statement)).get(0);
      return said;
    }

    @Override
    public void notifyCheckpointComplete(long checkpointId) {
      if (said != null) {
        COMMITTED.complete(said);
      }
    }
  }

  @Test
  @Timeout(120)
  void theEndOfAMinuteIsCommittedWithoutWaitingForTheInterval() throws Exception {
    StreamExecutionEnvironment environment = StreamExecutionEnvironment.getExecutionEnvironment();
    environment.enableCheckpointing(Duration.ofHours(1).toMillis());
    DataStream<Long> numbers =
        environment.fromSource(
            new NumberSequenceSource(0, Long.MAX_VALUE),
            WatermarkStrategy.forGenerator(context -> new EndOfMinute()),
            "numbers");
    numbers
        .filter(number -> number < 0)
        .map(number -> (LateRows) null)
        .returns(TypeInformation.of(LateRows.class))
        .connect(
            numbers
                .filter(number -> number < 0)
                .map(number -> (TenantLag) null)
                .returns(TypeInformation.of(TenantLag.class)))
        .transform(
            "tell-progress",
            PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO,
            new CompletenessReporterFactory())
        .setParallelism(1)
        .map(new Commits())
        .setParallelism(1)
        .print();

    JobClient job = environment.executeAsync("minute ends");

    assertEquals("complete 12:05", COMMITTED.get(1, TimeUnit.MINUTES));
    job.cancel().get();
    assertTrue(COMMITTED.isDone());
  }
}
