package io.tidemark.flink.rollup.bench;

import static io.tidemark.flink.io.StreamNames.named;

import io.tidemark.flink.io.Brokers;
import io.tidemark.flink.io.ExactlyOnce;
import io.tidemark.flink.io.control.ControlRecord;
import io.tidemark.flink.io.control.ControlSource;
import io.tidemark.flink.io.points.PointsRecord;
import io.tidemark.flink.io.points.PointsSource;
import io.tidemark.flink.io.rows.RowSink;
import io.tidemark.flink.model.rollup.RollupLevel;
import io.tidemark.flink.rollup.RollupConfig;
import io.tidemark.flink.rollup.RollupJob;
import io.tidemark.flink.rollup.RollupRules;
import io.tidemark.flink.usage.UsageConfig;
import io.tidemark.flink.usage.UsageJob;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.connector.source.lib.NumberSequenceSource;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.configuration.StateBackendOptions;
import org.apache.flink.connector.kafka.source.KafkaSource;
import org.apache.flink.connector.kafka.source.enumerator.initializer.OffsetsInitializer;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** The jobs that are measured. All read the same records and write exactly once. */
enum Contestant {
  /** The rollup job as it is shipped: minutes, hours, days, full labels. */
  ROLLUP {
    @Override
    void build(StreamExecutionEnvironment environment, RunOrder order) {
      buildRollup(environment, order, config(order));
    }

    @Override
    List<String> topics(String outputs) {
      return ShippedArguments.topics(outputs);
    }

    @Override
    int levels() {
      return RollupLevel.values().length;
    }
  },
  /** The same without what metering adds to it: nothing is counted for who bills. */
  UNMETERED {
    @Override
    void build(StreamExecutionEnvironment environment, RunOrder order) {
      buildRollup(environment, order, config(order).withoutMetering());
    }

    @Override
    List<String> topics(String outputs) {
      return ShippedArguments.topics(outputs);
    }

    @Override
    int levels() {
      return RollupLevel.values().length;
    }
  },
  /** Flink SQL, minutes only, state on the heap. */
  SQL {
    @Override
    void build(StreamExecutionEnvironment environment, RunOrder order) {
      sinkMinutes(SqlMinutes.define(environment, source(order)), order);
    }

    @Override
    void configure(Configuration configuration) {
      configuration.set(StateBackendOptions.STATE_BACKEND, "hashmap");
      asPeer(configuration);
    }
  },
  /** DataStream windows of a minute, keyed per point, on RocksDB. */
  PER_POINT {
    @Override
    void build(StreamExecutionEnvironment environment, RunOrder order) {
      sinkMinutes(PerPointMinutes.define(environment, source(order)), order);
    }

    @Override
    void configure(Configuration configuration) {
      asPeer(configuration);
    }
  },
  /**
   * The usage job as it is shipped, over the increments of a run of the rollup job. It has no end:
   * who ordered it ends it.
   */
  USAGE {
    @Override
    void build(StreamExecutionEnvironment environment, RunOrder order) {
      Map<String, String> arguments = ShippedArguments.of(ShippedArguments.USAGE, order);
      // Counted points, which the rollup job writes, are in the topic of its own run.
      arguments.put("usage.topic", usageTopic(order.outputs()));
      arguments.put("transactional-id-prefix", usageTopic(order.outputs()));
      UsageJob.build(environment, UsageConfig.parse(ShippedArguments.words(arguments)));
    }

    @Override
    List<String> topics(String outputs) {
      return List.of(usageTopic(outputs));
    }
  };

  /** Name of the source that ends when the rollup job has heard of the tenant. */
  static final String TENANTS = "A tenant with a large budget";

  /** Where the usage job of a run writes. */
  private static String usageTopic(String outputs) {
    return outputs + "-metered";
  }

  abstract void build(StreamExecutionEnvironment environment, RunOrder order);

  /** What the job sets besides the cluster's configuration. */
  void configure(Configuration configuration) {}

  /** Topics that must be there; minutes, hours and days come first. */
  List<String> topics(String outputs) {
    return List.of(outputs + "-1m");
  }

  /** How many levels of rows it writes, minutes first. */
  int levels() {
    return 1;
  }

  private static void buildRollup(
      StreamExecutionEnvironment environment, RunOrder order, RollupConfig config) {
    // Idle as the shipped one is. With a watermark, its end would be the end of all windows as
    // soon as points are silent.
    DataStream<ControlRecord> tenants =
        named(
            named(
                    environment
                        .fromSource(
                            new NumberSequenceSource(1, 1),
                            ControlSource.withoutEventTime(),
                            "tenants")
                        .setParallelism(1),
                    "bench-tenants-source",
                    "One record")
                .map(ignored -> LargeTenant.record(), TypeInformation.of(ControlRecord.class))
                .setParallelism(1),
            "bench-tenants",
            TENANTS);
    DataStream<ControlRecord> metrics =
        named(
            tenants.filter(record -> false).setParallelism(1),
            "bench-metrics",
            "No metric is declared");
    RollupJob.build(environment, config, new EndingSource(source(order)), tenants, metrics);
  }

  /** What makes a peer faster without changing what it does. */
  private static void asPeer(Configuration configuration) {
    configuration.set(PipelineOptions.AUTO_GENERATE_UIDS, true);
    configuration.set(PipelineOptions.OBJECT_REUSE, true);
  }

  private static void sinkMinutes(DataStream<byte[]> rows, RunOrder order) {
    named(
        rows.sinkTo(
            RowSink.of(
                Brokers.at(order.bootstrapServers()),
                order.outputs() + "-1m",
                RollupLevel.MINUTE,
                new ExactlyOnce(order.outputs(), Duration.ofMinutes(10)))),
        "bench-minutes",
        "Write rows of minutes");
  }

  /** As the rollup job tells event time, but no partition is ever idle: peers drop what is late. */
  static WatermarkStrategy<PointsRecord> watermarks() {
    return WatermarkStrategy.<PointsRecord>forBoundedOutOfOrderness(
            RollupRules.DEFAULT.outOfOrderness())
        .withTimestampAssigner((record, kafkaTimestamp) -> record.eventTimeMs());
  }

  private static KafkaSource<PointsRecord> source(RunOrder order) {
    return PointsSource.reading(Brokers.at(order.bootstrapServers()), order.topic(), order.group())
        .setStartingOffsets(OffsetsInitializer.earliest())
        .setBounded(OffsetsInitializer.offsets(order.ends()))
        .build();
  }

  private static RollupConfig config(RunOrder order) {
    return RollupConfig.parse(
        ShippedArguments.words(ShippedArguments.of(ShippedArguments.ROLLUP, order)));
  }
}
