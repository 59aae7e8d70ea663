package io.tidemark.provision;

import io.tidemark.provision.DruidTable.Span;
import io.tidemark.provision.LakeRows.Part;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
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
   * Where rows of a level come from.
   *
   * @param tables of Druid that have them: one that all share, and own ones; each row is in one
   * @param parts of the lake
   * @param cut partition and offset from which on the topic has what they have not
   */
  private record Source(
      String name, List<DruidTable> tables, List<Part> parts, Map<Integer, Long> cut) {

    /** Of days that Druid keeps. */
    List<Part> kept() {
      return parts.stream()
          .filter(part -> tables.stream().anyMatch(table -> table.keeps(part.day())))
          .toList();
    }
  }

  /** Says where in a topic the rows begin that the lake does not have. */
  @FunctionalInterface
  interface Cuts {
    /**
     * @param taken partition and offset after the last record that the lake says it took
     */
    Map<Integer, Long> find(String topic, Map<Integer, Long> taken, TopicCut.StoredPanes lake)
        throws Exception;
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
    new DruidSetup(addresses).refuseChangedPlacements();
    List<DruidTable> tables = DruidTable.all(addresses, now);
    Map<String, List<DruidTable>> levels = new LinkedHashMap<>();
    tables.forEach(
        table -> levels.computeIfAbsent(table.lakeTable(), first -> new ArrayList<>()).add(table));
    List<Source> sources = new ArrayList<>();
    for (Map.Entry<String, List<DruidTable>> level : levels.entrySet()) {
      String name = level.getKey();
      LakeRows.Pinned pinned = lake.pin(name);
      Map<Integer, Long> cut =
          cuts.find(
              level.getValue().get(0).topic(), pinned.offsets(), lines -> lake.stored(name, lines));
      Source source = new Source(name, level.getValue(), pinned.parts(), cut);
      sources.add(source);
      progress.accept(
          "  %-14s %d rows of %d days from the lake, then the topic from %s"
              .formatted(
                  name,
                  source.kept().stream().mapToLong(Part::rows).sum(),
                  source.kept().stream().map(Part::day).distinct().count(),
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
      load(source, lake);
      lake.release(source.name());
    }
    for (Source source : sources) {
      for (DruidTable table : source.tables()) {
        druid.placeAt(table, source.cut());
      }
    }
    new DruidSetup(addresses).applyAfterRebuild();
    for (Source source : sources) {
      for (DruidTable table : source.tables()) {
        druid.awaitStart(table, source.cut());
      }
    }
    progress.accept("  Rows of the topics stream again");
    for (DruidTable table : tables) {
      druid.awaitServed(table.name());
    }
    progress.accept("  Druid serves everything");
  }

  /**
   * A task a table and day, or month, the newest first; each puts all of its rows in the place of
   * what is there, or none. Where several tables share the rows of the lake, each row is in one.
   */
  private void load(Source source, LakeRows lake) throws IOException, InterruptedException {
    Map<Span, List<Part>> spans =
        new TreeMap<>(Comparator.comparing(Span::begin, Comparator.reverseOrder()));
    DruidTable first = source.tables().get(0);
    source
        .kept()
        .forEach(
            part ->
                spans
                    .computeIfAbsent(first.span(part.day()), begun -> new ArrayList<>())
                    .add(part));
    for (Map.Entry<Span, List<Part>> span : spans.entrySet()) {
      String begin = span.getKey().begin().toString();
      List<Part> parts = span.getValue();
      long taken = 0;
      for (DruidTable table : source.tables()) {
        if (table.keeps(parts.get(0).day())) {
          String id = "rebuild_%s_%s_%s".formatted(table.name(), begin, now.getEpochSecond());
          druid.run(table.loading(id, span.getKey(), parts, lake), id);
          taken += druid.rowsTaken(id);
        }
      }
      long rows = parts.stream().mapToLong(Part::rows).sum();
      if (isMismatch(source, parts.get(0).day(), taken, rows)) {
        throw ProvisionFailure.engine(
            "Druid took %d instead of the %d rows of %s at %s in the lake. Druid is incomplete; run it again."
                .formatted(taken, rows, source.name(), begin));
      }
      progress.accept("  %-14s %s, %d rows".formatted(source.name(), begin, taken));
    }
  }

  /** A table that does not keep a day any more leaves its rows to the lake. */
  private static boolean isMismatch(Source source, LocalDate day, long taken, long rows) {
    boolean isKeptByAll =
        source.tables().stream().allMatch(table -> table.keeps(day) || !table.mayHave(day));
    return isKeptByAll ? taken != rows : taken > rows;
  }
}
