package io.tidemark.flink.alert.match;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.tidemark.flink.alert.packed.PackedOutput;
import io.tidemark.flink.io.rows.RowScanner;
import io.tidemark.flink.io.rows.SeriesNames;
import io.tidemark.flink.model.alert.MinuteTotals;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Adds rows up by group and minute until somebody takes them, so that one record leaves for many
 * rows. The groups of a series are remembered: only the first row of a series is parsed as JSON.
 *
 * <p>Both are bounded. Too many totals leave at once, and too many series are all forgotten and
 * found anew. Whoever changes the index has to take what is here before it, and {@link #forget}.
 */
public final class MatchedRows {

  /** What is known of series, and what is added up, at most, in bytes; estimates. */
  public record Bounds(long series, long totals) {
    static final Bounds SHIPPED = new Bounds(32L << 20, 16L << 20);
  }

  private static final int SERIES_BYTES = 80;
  private static final int GROUP_BYTES = 200;
  private static final int LINK_BYTES = 8;
  private static final int TOTALS_BYTES = 150;
  private static final int BUCKET_BYTES = 12;

  private static final Match[] NO_GROUPS = {};

  private final RuleIndex index;
  private final Runnable onMatched;
  private final Runnable onUnreadable;
  private final Bounds bounds;

  private final RollupRow row = new RollupRow();
  private final RowScanner scanner = new RowScanner();
  private final SeriesNames names = new SeriesNames();

  /** By number of the series; null for one whose metric no rule looks at. */
  private final List<Match @Nullable []> groupsOf = new ArrayList<>();

  /** A group and the selection that it is of. */
  private record Match(SelectedGroups selected, MatchedGroup group) {}

  private final Map<RowSelection, SelectedGroups> selections = new HashMap<>();
  private final List<SelectedGroups> open = new ArrayList<>();
  private final PackedOutput packed = new PackedOutput();
  private long seriesBytes;
  private long totalsBytes;
  private long parsed;

  /**
   * @param onMatched runs for each row of a metric that a rule looks at
   * @param onUnreadable runs for each line that is no row
   */
  public MatchedRows(RuleIndex index, Runnable onMatched, Runnable onUnreadable) {
    this(index, onMatched, onUnreadable, Bounds.SHIPPED);
  }

  MatchedRows(RuleIndex index, Runnable onMatched, Runnable onUnreadable, Bounds bounds) {
    this.index = index;
    this.onMatched = onMatched;
    this.onUnreadable = onUnreadable;
    this.bounds = bounds;
  }

  /**
   * Adds the lines of a record.
   *
   * @param out gets what finds no room
   */
  public void add(byte[] record, Consumer<SignalMinute> out) {
    scanner.reset(record);
    while (scanner.next()) {
      try {
        add(record);
      } catch (IOException e) {
        onUnreadable.run();
      }
    }
    if (totalsBytes > bounds.totals()) {
      handOn(out);
    }
    if (seriesBytes > bounds.series()) {
      forget();
    }
  }

  private void add(byte[] record) throws IOException {
    if (!scanner.isPlain()) {
      Match[] matched = parse(record);
      if (matched != null) {
        onMatched.run();
        add(matched, row.minute(), row.totals());
      }
      return;
    }
    int series = names.find(record, scanner.namesFrom(), scanner.namesLength());
    Match[] matched;
    if (series == SeriesNames.UNKNOWN) {
      matched = parse(record);
      names.keep(groupsOf.size());
      groupsOf.add(matched);
      seriesBytes += SERIES_BYTES + (matched == null ? 0 : (long) LINK_BYTES * matched.length);
    } else {
      matched = groupsOf.get(series);
    }
    if (matched != null) {
      onMatched.run();
      if (matched.length > 0) {
        add(matched, scanner.timestamp(), figures());
      }
    }
  }

  private void add(Match[] matched, long minute, MinuteTotals totals) {
    for (Match match : matched) {
      if (match.group().isEmpty() && match.selected().open(match.group())) {
        open.add(match.selected());
      }
      if (match.group().add(minute, totals)) {
        totalsBytes += TOTALS_BYTES + (long) BUCKET_BYTES * totals.buckets().length;
      }
    }
  }

  private MinuteTotals figures() throws IOException {
    MinuteTotals figures =
        MinuteTotals.of(
            Double.isNaN(scanner.sum()) ? 0 : scanner.sum(),
            scanner.count(),
            scanner.min(),
            scanner.max(),
            scanner.last(),
            Math.max(0, scanner.lastTimestamp()));
    return scanner.hasDistribution()
        ? RollupRow.withDistribution(figures, new String(scanner.distribution(), US_ASCII))
        : figures;
  }

  /** The groups of the scanner's line; null when no rule looks at its metric. */
  private Match @Nullable [] parse(byte[] record) throws IOException {
    parsed++;
    if (!row.read(record, scanner.from(), scanner.length(), index::isWanted)) {
      return null;
    }
    List<Match> matched = new ArrayList<>();
    for (RowSelection selection : index.selections(row)) {
      if (selection.fits(row.labels())) {
        matched.add(group(selection, selection.groupOf(row.labels())));
      }
    }
    return matched.toArray(NO_GROUPS);
  }

  private Match group(RowSelection selection, String labels) {
    SelectedGroups selected = selections.computeIfAbsent(selection, SelectedGroups::new);
    MatchedGroup group =
        selected
            .groups()
            .computeIfAbsent(
                labels,
                ignored -> {
                  seriesBytes += GROUP_BYTES + labels.length();
                  return new MatchedGroup(labels);
                });
    return new Match(selected, group);
  }

  /** Gives one record for each signal and minute, and holds none any more. */
  public void handOn(Consumer<SignalMinute> out) {
    open.forEach(selected -> selected.handOn(out, packed));
    open.clear();
    totalsBytes = 0;
  }

  /** Forgets the groups of series; what was added up stays. */
  public void forget() {
    names.clear();
    groupsOf.clear();
    selections.clear();
    seriesBytes = 0;
  }

  /** Lines that were parsed as JSON. */
  long parsed() {
    return parsed;
  }
}
