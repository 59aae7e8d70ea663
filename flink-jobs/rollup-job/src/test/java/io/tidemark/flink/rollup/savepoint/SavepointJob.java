package io.tidemark.flink.rollup.savepoint;

import static io.tidemark.flink.io.StreamNames.named;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.flink.io.points.PointsRecord;
import io.tidemark.flink.io.points.source.PointsSource;
import io.tidemark.flink.model.rollup.RollupLevel;
import io.tidemark.flink.rollup.RollupRules;
import io.tidemark.flink.rollup.RollupStreams;
import io.tidemark.flink.rollup.RollupTopology;
import io.tidemark.flink.rollup.orders.GatedSequence;
import io.tidemark.flink.testing.CollectorSink;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.functions.MapFunction;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.configuration.StateBackendOptions;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/**
 * The production topology over {@link SavepointInput}, on RocksDB, with sinks that hold no state.
 */
final class SavepointJob {

  private static final ObjectMapper JSON = new ObjectMapper();

  private final CollectorSink<byte[]> minutes = new CollectorSink<>();
  private final CollectorSink<byte[]> hours = new CollectorSink<>();
  private final CollectorSink<byte[]> days = new CollectorSink<>();
  final StreamExecutionEnvironment environment;

  /**
   * @param upTo how many records are read before a checkpoint lets the others through
   */
  SavepointJob(int parallelism, int upTo, Configuration configuration) {
    configuration.set(StateBackendOptions.STATE_BACKEND, "rocksdb");
    configuration.set(PipelineOptions.GENERIC_TYPES, false);
    configuration.set(PipelineOptions.AUTO_GENERATE_UIDS, false);
    configuration.set(PipelineOptions.MAX_PARALLELISM, RollupTopology.KEY_GROUPS);
    environment = StreamExecutionEnvironment.createLocalEnvironment(parallelism, configuration);
    RollupRules rules = RollupRules.DEFAULT;
    int size = SavepointInput.make().records().size();
    RollupStreams streams =
        RollupTopology.define(
            named(
                named(
                        named(
                                environment
                                    .fromSource(
                                        new GatedSequence(size, upTo),
                                        WatermarkStrategy.noWatermarks(),
                                        "records")
                                    .setParallelism(1),
                                "test-source",
                                "Numbers of records")
                            .map(new Records(), TypeInformation.of(PointsRecord.class))
                            .setParallelism(1),
                        "test-records",
                        "Records")
                    .assignTimestampsAndWatermarks(
                        PointsSource.watermarks(rules.outOfOrderness(), rules.idleness()))
                    .setParallelism(1),
                "test-watermarks",
                "Watermarks"),
            "points",
            rules);
    named(streams.minutes().sinkTo(minutes), "test-minutes", "Collect rows of minutes");
    named(streams.hours().sinkTo(hours), "test-hours", "Collect rows of hours");
    named(streams.days().sinkTo(days), "test-days", "Collect rows of days");
  }

  /** Rows so far: level, a space, the row. */
  List<String> rows() {
    List<String> rows = new ArrayList<>();
    collect(RollupLevel.MINUTE, minutes, rows);
    collect(RollupLevel.HOUR, hours, rows);
    collect(RollupLevel.DAY, days, rows);
    return rows;
  }

  static JsonNode row(String line) throws Exception {
    return JSON.readTree(line.substring(line.indexOf(' ') + 1));
  }

  private static void collect(RollupLevel level, CollectorSink<byte[]> sink, List<String> rows) {
    for (byte[] bundle : sink.collected()) {
      new String(bundle, StandardCharsets.UTF_8)
          .lines()
          .forEach(row -> rows.add(level.name() + " " + row));
    }
  }

  private static final class Records implements MapFunction<Long, PointsRecord> {
    private static final long serialVersionUID = 1L;
    private transient List<PointsRecord> records = List.of();

    @Override
    public PointsRecord map(Long number) {
      if (records == null || records.isEmpty()) {
        records = SavepointInput.make().records();
      }
      return records.get(number.intValue());
    }
  }
}
