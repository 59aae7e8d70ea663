package io.tidemark.platform.sizing.yaml;

import io.tidemark.platform.sizing.domain.Figure;
import io.tidemark.platform.sizing.domain.Load;
import io.tidemark.platform.sizing.domain.Machine;
import io.tidemark.platform.sizing.domain.MachineChoice;
import io.tidemark.platform.sizing.domain.MeasuredCosts;
import io.tidemark.platform.sizing.domain.PriceList;
import io.tidemark.platform.sizing.domain.SizingPlanner;
import io.tidemark.platform.sizing.domain.Volume;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads the files of {@code infra/sizing}, which are packed beside the classes. Names that a file
 * does not know are refused, and all faults of a file are told at once.
 */
public final class SizingFiles {

  private static final String LOAD = "load.yaml";
  private static final String MEASURED = "measured.yaml";
  private static final String PRICES = "prices.yaml";

  /** Behaviour of the Flink cluster, packed as well: what the rollup job cannot exceed. */
  private static final String FLINK = "flink/config.yaml";

  private SizingFiles() {}

  /** A planner of the packed costs, with the packed prices. */
  public static SizingPlanner planner() {
    return planner(prices(PRICES, packed(PRICES)));
  }

  /**
   * A planner of the packed costs, with prices of a file.
   *
   * @throws SizingFileException when the file cannot be read or used
   */
  public static SizingPlanner planner(Path prices) {
    return planner(prices(prices.toString(), content(prices)));
  }

  private static SizingPlanner planner(PriceList prices) {
    return new SizingPlanner(measured(MEASURED, packed(MEASURED)), prices, maxParallelism());
  }

  /** The packed load; machines that it does not name are those of the price list. */
  public static Load load(PriceList prices) {
    return load(LOAD, prices, YamlObject.parse(LOAD, packed(LOAD)));
  }

  /**
   * The packed load with some values replaced: by those of a file, then by single ones.
   *
   * @param name of the file, for faults
   * @param text of the file, with any names of load.yaml
   * @param pairs as in {@code points=2000000}
   * @throws SizingFileException when the file or a pair cannot be used
   */
  public static Load load(PriceList prices, String name, String text, List<String> pairs) {
    Map<String, Object> values = new LinkedHashMap<>(YamlObject.parse(LOAD, packed(LOAD)));
    values.putAll(YamlObject.parse(name, text));
    for (String pair : pairs) {
      int sign = pair.indexOf('=');
      if (sign <= 0) {
        throw new SizingFileException(pair, List.of("is not name=value"));
      }
      values.putAll(
          YamlObject.parse(pair, pair.substring(0, sign) + ": " + pair.substring(sign + 1)));
    }
    return load(name, prices, values);
  }

  /** The text of a file of the caller. */
  public static String content(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException unreadable) {
      throw new SizingFileException(file.toString(), List.of("cannot be read"));
    }
  }

  private static Load load(String name, PriceList prices, Map<String, Object> values) {
    YamlObject file = YamlObject.root(values);
    MachineChoice use = prices.use();
    Load load =
        new Load(
            file.number("points"),
            file.number("series"),
            file.number("labels"),
            file.number("late"),
            file.number("split"),
            file.number("requests"),
            file.whole("replication"),
            file.whole("groups"),
            file.whole("segment-replicas"),
            file.whole("task-replicas"),
            file.number("kafka-days"),
            file.number("minutes-days"),
            file.number("hot-hours"),
            file.number("lake-days"),
            file.number("busy"),
            file.text("brokers", use.brokers()),
            file.text("broker-volume", use.brokerVolume()),
            file.text("workers", use.workers()),
            file.text("historicals", use.historicals()));
    file.end(name);
    return load;
  }

  static PriceList prices(String name, String text) {
    YamlObject file = YamlObject.root(YamlObject.parse(name, text));
    Map<String, Machine> machines = new LinkedHashMap<>();
    file.object("machines")
        .objects()
        .forEach((machine, values) -> machines.put(machine, machine(values)));
    Map<String, Volume> volumes = new LinkedHashMap<>();
    file.object("volumes")
        .objects()
        .forEach((volume, values) -> volumes.put(volume, volume(values)));
    YamlObject objects = file.object("object_storage");
    YamlObject zones = file.object("zone_traffic");
    PriceList prices =
        new PriceList(
            file.text("currency"),
            file.whole("hours_per_month"),
            machines,
            volumes,
            objects.money("gb_month"),
            zones.money("gb"),
            choice(file.object("use")));
    objects.close();
    zones.close();
    file.end(name);
    if (!prices.faults().isEmpty()) {
      throw new SizingFileException(name, prices.faults());
    }
    return prices;
  }

  private static Machine machine(YamlObject values) {
    Machine machine =
        new Machine(
            values.positive("cores"),
            values.positive("memory_gib"),
            values.money("hour"),
            values.positive("network"),
            values.positive("storage_network"));
    values.close();
    return machine;
  }

  private static Volume volume(YamlObject values) {
    Volume volume =
        new Volume(
            values.money("gb_month"), values.positive("throughput"), values.positive("largest_gb"));
    values.close();
    return volume;
  }

  private static MachineChoice choice(YamlObject values) {
    MachineChoice choice =
        new MachineChoice(
            values.text("brokers"),
            values.text("broker_volume"),
            values.text("workers"),
            values.text("historicals"),
            values.text("historical_volume"),
            values.text("coordinators"));
    values.close();
    return choice;
  }

  static MeasuredCosts measured(String name, String text) {
    YamlObject file = YamlObject.root(YamlObject.parse(name, text));
    YamlObject seconds = file.object("core_seconds_per_million");
    YamlObject bytes = file.object("bytes");
    MeasuredCosts measured =
        new MeasuredCosts(
            new MeasuredCosts.CoreSeconds(
                figure(seconds, "points_received"),
                figure(seconds, "labels_received"),
                figure(seconds, "points_rolled_up"),
                figure(seconds, "rows_rolled_up"),
                figure(seconds, "points_kept"),
                figure(seconds, "rows_kept"),
                figure(seconds, "rows_indexed"),
                figure(seconds, "rows_compacted"),
                figure(seconds, "queries")),
            new MeasuredCosts.Bytes(
                figure(bytes, "point_in_kafka"),
                figure(bytes, "label_of_point_in_kafka"),
                figure(bytes, "row_in_kafka"),
                figure(bytes, "label_of_row_in_kafka"),
                figure(bytes, "row_in_druid"),
                figure(bytes, "label_of_row_in_druid"),
                figure(bytes, "point_in_lake"),
                figure(bytes, "row_in_lake"),
                figure(bytes, "series_in_flink"),
                figure(bytes, "label_of_series_in_flink")),
            figure(file, "live_pace"),
            figure(file, "labels"));
    seconds.close();
    bytes.close();
    file.end(name);
    return measured;
  }

  private static Figure figure(YamlObject values, String name) {
    YamlObject figure = values.object(name);
    boolean isAssumed = figure.has("assumed");
    Figure read =
        new Figure(
            name, figure.number("value"), isAssumed, figure.text(isAssumed ? "assumed" : "from"));
    figure.close();
    return read;
  }

  private static int maxParallelism() {
    Object parallelism = YamlObject.parse(FLINK, packed(FLINK)).get("pipeline");
    if (parallelism instanceof Map<?, ?> pipeline
        && pipeline.get("max-parallelism") instanceof Integer max) {
      return max;
    }
    throw new SizingFileException(FLINK, List.of("has no pipeline.max-parallelism"));
  }

  private static String packed(String name) {
    try (InputStream content = SizingFiles.class.getResourceAsStream("/sizing/" + name)) {
      if (content == null) {
        throw new SizingFileException(name, List.of("is not packed"));
      }
      return new String(content.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }
}
