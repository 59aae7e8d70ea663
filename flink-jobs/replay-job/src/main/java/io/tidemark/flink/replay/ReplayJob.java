package io.tidemark.flink.replay;

import static io.tidemark.flink.io.StreamNames.named;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemark.flink.io.points.PointsRecord;
import io.tidemark.flink.model.reject.DeadLetter;
import io.tidemark.flink.model.route.RouteInterval;
import io.tidemark.flink.rollup.RollupJob;
import io.tidemark.flink.rollup.RollupRules;
import io.tidemark.flink.rollup.RollupStreams;
import io.tidemark.flink.rollup.RollupTopology;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.flink.api.common.eventtime.Watermark;
import org.apache.flink.api.common.eventtime.WatermarkGenerator;
import org.apache.flink.api.common.eventtime.WatermarkOutput;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/**
 * Command: rolls up a tenant's raw points of a window again, with the topology of the rollup job,
 * into files of its own, and compares them with the live rows. Changes nothing that is live.
 *
 * <p>Exit 0 when replay and live rows are equal, 1 when it could not be carried out, 2 for wrong
 * arguments, 4 when they differ. (3 is what a JVM without memory ends with.)
 */
public final class ReplayJob {

  static final int EQUAL = 0;
  static final int FAILED = 1;
  static final int WRONG_ARGUMENTS = 2;
  static final int DIFFERENT = 4;

  private static final int MAX_EXAMPLES = 20;
  private static final String TOPIC = "raw_points";
  private static final String DEAD_LETTERS = "dead_letters.tsv";

  private ReplayJob() {}

  public static void main(String[] arguments) {
    System.exit(run(System.getenv(), PublishedRoutes::read, System.out, System.err, arguments));
  }

  /** Which minutes of the tenant's metrics were split. */
  interface Routes {
    List<RouteInterval> of(ReplayConfig config);
  }

  static int run(
      Map<String, String> environment,
      Routes routes,
      PrintStream out,
      PrintStream err,
      String... arguments) {
    ReplayConfig config;
    try {
      config = ReplayConfig.parse(environment, arguments);
    } catch (IllegalArgumentException e) {
      err.println(e.getMessage());
      return WRONG_ARGUMENTS;
    }
    try (LakeFiles lake = new LakeFiles(config)) {
      Path folder = newFolder(config);
      Map<RollupTable, Path> rows = replay(config, lake, routes.of(config), folder, out);
      boolean isEqual = compareLake(config, lake, folder, rows, out);
      if (config.druid() != null) {
        isEqual &= compareDruid(config, config.druid(), folder, rows, out);
      }
      out.println(
          (isEqual ? "Equal." : "Different.") + " The replayed rows are in " + folder + ".");
      return isEqual ? EQUAL : DIFFERENT;
    } catch (Exception e) {
      err.println("The replay could not be carried out: " + chain(e));
      return FAILED;
    }
  }

  /** A version is written once: a second run under the same name would hide the first. */
  private static Path newFolder(ReplayConfig config) throws IOException {
    if (Files.exists(config.folder())) {
      throw new IOException(
          config.folder() + " is there already: choose another --version, or remove it");
    }
    return Files.createDirectories(config.folder()).toAbsolutePath();
  }

  private static Map<RollupTable, Path> replay(
      ReplayConfig config, LakeFiles lake, List<RouteInterval> routes, Path folder, PrintStream out)
      throws Exception {
    Instant begin = config.from().minus(config.leadIn());
    LakeFiles.Plan raw = lake.plan(TOPIC, config.tenant(), begin, config.to());
    out.printf(
        "Replaying %s from %s to %s as %s: raw_points at snapshot %d, %d files, read from %s on.%n",
        config.tenant(),
        config.from(),
        config.to(),
        config.version(),
        raw.snapshotId(),
        raw.paths().size(),
        begin);
    out.printf("%d routes were published for it.%n", routes.size());
    StreamExecutionEnvironment environment = StreamExecutionEnvironment.getExecutionEnvironment();
    RollupJob.neverDiffer(environment);
    environment.setParallelism(1);
    Map<RollupTable, Path> rows =
        build(
            environment,
            new RawBatches(
                raw.paths(), config.tenant(), begin, config.to(), folder.toString(), TOPIC),
            routes,
            config,
            folder);
    environment.execute("replay " + config.version());
    long refused = Files.readAllLines(folder.resolve(DEAD_LETTERS)).size();
    if (refused > 0) {
      out.println(refused + " dead letters: see " + folder.resolve(DEAD_LETTERS));
    }
    return rows;
  }

  private static Map<RollupTable, Path> build(
      StreamExecutionEnvironment environment,
      RawBatches batches,
      List<RouteInterval> routes,
      ReplayConfig config,
      Path folder) {
    DataStream<PointsRecord> records =
        named(
            named(
                    named(environment.fromSequence(0, 0), "replay-begin", "Begin")
                        .flatMap(batches)
                        .returns(TypeInformation.of(PointsRecord.class)),
                    "replay-raw-points",
                    "Read batches out of the lake, in the order of their receipt")
                .assignTimestampsAndWatermarks(watermarks()),
            "replay-watermarks",
            "Event time as the points source tells it");
    RollupStreams streams =
        RollupTopology.again(records, routes, TOPIC, RollupRules.DEFAULT.takingEveryAge());
    RollupStreams.Levels reduced = streams.reduced();
    Map<RollupTable, DataStream<byte[]>> tables =
        Map.of(
            RollupTable.ROLLUP_1M, streams.minutes().union(reduced.minutes()),
            RollupTable.ROLLUP_1M_HC, streams.splitMinutes(),
            RollupTable.ROLLUP_1H, streams.hours().union(reduced.hours()),
            RollupTable.ROLLUP_1D, streams.days().union(reduced.days()));
    Map<RollupTable, Path> files = new EnumMap<>(RollupTable.class);
    named(
        named(
                streams
                    .deadLetters()
                    .map(ReplayJob::line, PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO),
                "replay-dead-letters",
                "Tell what cannot be rolled up")
            .sinkTo(TargetRows.everything(folder.resolve(DEAD_LETTERS))),
        "replay-dead-letters-file",
        "Write what cannot be rolled up to a file");
    tables.forEach(
        (table, stream) -> {
          Path file = folder.resolve(table.tableName() + ".ndjson");
          files.put(table, file);
          named(
              stream.sinkTo(TargetRows.of(file, table.level(), config)),
              "replay-rows-" + table.shown(),
              "Write replayed rows to a file");
        });
    return files;
  }

  /** Reason, points and what was wrong, by tabs. */
  private static byte[] line(DeadLetter letter) {
    return (letter.reason() + "\t" + letter.pointCount() + "\t" + letter.detail()).getBytes(UTF_8);
  }

  /** As the points source's, but told with every record: the reader never pauses. */
  private static WatermarkStrategy<PointsRecord> watermarks() {
    long outOfOrderness = RollupRules.DEFAULT.outOfOrderness().toMillis();
    return WatermarkStrategy.<PointsRecord>forGenerator(
            context ->
                new WatermarkGenerator<>() {
                  private long latest = Long.MIN_VALUE + outOfOrderness + 1;

                  @Override
                  public void onEvent(PointsRecord record, long time, WatermarkOutput output) {
                    latest = Math.max(latest, time);
                    output.emitWatermark(new Watermark(latest - outOfOrderness - 1));
                  }

                  @Override
                  public void onPeriodicEmit(WatermarkOutput output) {}
                })
        .withTimestampAssigner((record, previous) -> record.eventTimeMs());
  }

  private static boolean compareLake(
      ReplayConfig config,
      LakeFiles lake,
      Path folder,
      Map<RollupTable, Path> rows,
      PrintStream out)
      throws Exception {
    try (Comparison comparison =
        new Comparison(folder, config.tenant(), config.from(), config.to())) {
      for (RollupTable table : RollupTable.values()) {
        comparison.json("replayed", table, Objects.requireNonNull(rows.get(table)));
        comparison.live(
            table,
            lake.plan(table.tableName(), config.tenant(), config.from(), config.to()).paths());
      }
      return told("Iceberg", comparison.result(MAX_EXAMPLES), out);
    }
  }

  private static boolean compareDruid(
      ReplayConfig config, String broker, Path folder, Map<RollupTable, Path> rows, PrintStream out)
      throws Exception {
    DruidTotals druid = new DruidTotals(broker);
    try (Comparison comparison =
        new Comparison(folder, config.tenant(), config.from(), config.to())) {
      for (RollupTable table : RollupTable.values()) {
        Path live = folder.resolve("druid_" + table.tableName() + ".ndjson");
        druid.write(table, config.tenant(), config.from(), config.to(), live);
        comparison.json("replayed", table, Objects.requireNonNull(rows.get(table)));
        comparison.json("live", table, live);
      }
      return told("Druid", comparison.result(MAX_EXAMPLES), out);
    }
  }

  private static boolean told(String live, Comparison.Result result, PrintStream out) {
    out.printf(
        "%s: %d rows against %d replayed rows; %d of %d series and windows differ.%n",
        live, result.liveRows(), result.replayedRows(), result.differing(), result.cells());
    if (result.totals() > 0) {
      out.printf(
          "  Series beyond a budget were folded, and others in the replay: %d windows of their"
              + " metrics were compared by totals.%n",
          result.totals());
    }
    List<String> examples = result.examples();
    examples.forEach(example -> out.println("  " + example));
    if (result.differing() > examples.size()) {
      out.println("  and " + (result.differing() - examples.size()) + " more");
    }
    return result.differing() == 0;
  }

  private static String chain(Throwable failure) {
    StringBuilder text = new StringBuilder(String.valueOf(failure.getMessage()));
    for (Throwable cause = failure.getCause(); cause != null; cause = cause.getCause()) {
      text.append("\n  caused by ").append(cause);
    }
    return text.toString();
  }
}
