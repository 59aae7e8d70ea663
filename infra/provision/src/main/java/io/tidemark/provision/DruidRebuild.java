package io.tidemark.provision;

import io.tidemark.provision.DruidTable.Span;
import io.tidemark.provision.LakeRows.Part;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Fills Druid again from the lake, whatever Druid has or remembers now. Each row comes once: from
 * the lake those that a pinned snapshot of its table holds, from the topic those after it. Topics
 * are read again only when all rows of the lake are loaded and counted, so a run that ends early
 * leaves rows missing and never twice; the next begins from the start.
 */
public final class DruidRebuild {
  private final Addresses addresses;
  private final String host;
  private final Instant now;
  private final Consumer<String> progress;
  private final DruidIndexing druid;

  /**
   * Where a table's rows come from.
   *
   * @param parts of the lake, of days that Druid keeps
   * @param cut partition and offset from which on the topic has what they have not
   */
  private record Source(DruidTable table, List<Part> parts, Map<Integer, Long> cut) {}

  /** Says where in a topic the rows begin that the lake does not have. */
  @FunctionalInterface
  interface Cuts {
    Map<Integer, Long> find(String topic, TopicCut.StoredPanes lake) throws Exception;
  }

  /**
   * @param host under which Druid's processes reach this machine, which serves them the rows
   * @param now today is what load rules are counted from
   */
  public DruidRebuild(Addresses addresses, String host, Instant now, Consumer<String> progress) {
    this(addresses, host, now, progress, new DruidIndexing(addresses));
  }

  DruidRebuild(
      Addresses addresses,
      String host,
      Instant now,
      Consumer<String> progress,
      DruidIndexing druid) {
    this.addresses = addresses;
    this.host = host;
    this.now = now;
    this.progress = progress;
    this.druid = druid;
  }

  /**
   * Returns when Druid has and serves every row that its load rules keep.
   *
   * @throws ProvisionFailure what is wrong; Druid is then as before, or incomplete as the progress
   *     says
   */
  public void run() throws Exception {
    try (ProvisionLock lock = ProvisionLock.acquire(addresses, Duration.ofMinutes(20), progress);
        LakeRows lake = LakeRows.start(addresses, host)) {
      run(lake, new TopicCut(addresses.access().kafka(addresses.kafka()))::find);
    }
  }

  void run(LakeRows lake, Cuts cuts) throws Exception {
    List<DruidTable> tables = DruidTable.all(addresses, now);
    List<Source> sources = new ArrayList<>();
    for (DruidTable table : tables) {
      List<Part> parts =
          lake.pin(table.name()).stream()
              .filter(part -> table.span(part.day()).end().isAfter(table.firstDay()))
              .toList();
      Map<Integer, Long> cut = cuts.find(table.topic(), lines -> lake.stored(table.name(), lines));
      sources.add(new Source(table, parts, cut));
      progress.accept(
          "  %-14s %d rows of %d days from the lake, then the topic from %s"
              .formatted(
                  table.name(),
                  parts.stream().mapToLong(Part::rows).sum(),
                  parts.stream().map(Part::day).distinct().count(),
                  cut));
    }
    for (DruidTable table : tables) {
      druid.suspend(table);
    }
    for (DruidTable table : tables) {
      druid.empty(table.name());
    }
    for (DruidTable table : tables) {
      druid.forget(
          table.name(), "rebuild_forget_%s_%s".formatted(table.name(), now.getEpochSecond()));
    }
    druid.awaitForgotten(tables);
    progress.accept("  Druid is empty");
    for (Source source : sources) {
      load(source.table(), source.parts(), lake);
      lake.release(source.table().name());
    }
    for (Source source : sources) {
      druid.placeAt(source.table(), source.cut());
    }
    new DruidSetup(addresses).applyAfterRebuild();
    for (Source source : sources) {
      druid.awaitStart(source.table(), source.cut());
    }
    progress.accept("  Rows of the topics stream again");
    for (DruidTable table : tables) {
      druid.awaitServed(table.name());
    }
    progress.accept("  Druid serves everything");
  }

  /**
   * A task a day, or a month, the newest first; each puts all of its rows in the place of what is
   * there, or none.
   */
  private void load(DruidTable table, List<Part> parts, LakeRows lake)
      throws IOException, InterruptedException {
    Map<Span, List<Part>> spans =
        new TreeMap<>(Comparator.comparing(Span::begin, Comparator.reverseOrder()));
    parts.forEach(
        part ->
            spans.computeIfAbsent(table.span(part.day()), first -> new ArrayList<>()).add(part));
    for (Map.Entry<Span, List<Part>> span : spans.entrySet()) {
      String begin = span.getKey().begin().toString();
      String id = "rebuild_%s_%s_%s".formatted(table.name(), begin, now.getEpochSecond());
      druid.run(table.loading(id, span.getKey(), span.getValue(), lake), id);
      long rows = span.getValue().stream().mapToLong(Part::rows).sum();
      long taken = druid.rowsTaken(id);
      if (taken != rows) {
        throw ProvisionFailure.engine(
            "Druid took %d instead of the %d rows of %s in the lake. Druid is incomplete; run it again."
                .formatted(taken, rows, id));
      }
      progress.accept("  %-14s %s, %d rows".formatted(table.name(), begin, rows));
    }
  }
}
