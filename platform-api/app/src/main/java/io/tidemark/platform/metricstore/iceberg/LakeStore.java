package io.tidemark.platform.metricstore.iceberg;

import io.tidemark.platform.metricstore.MeasuredHour;
import io.tidemark.platform.metricstore.MetricKind;
import io.tidemark.platform.metricstore.MetricStore;
import io.tidemark.platform.metricstore.Source;
import io.tidemark.platform.metricstore.StoreQuery;
import io.tidemark.platform.metricstore.StoreRow;
import io.tidemark.platform.metricstore.VisibleRows;
import io.tidemark.platform.shared.ErrorCode;
import io.tidemark.platform.shared.ProblemException;
import io.tidemark.platform.shared.SpanRecorder;
import io.tidemark.platform.shared.TenantId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.data.InternalRecordWrapper;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.data.parquet.GenericParquetReaders;
import org.apache.iceberg.expressions.Evaluator;
import org.apache.iceberg.expressions.Expression;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.parquet.Parquet;

/**
 * Runs parts of plans on the lake's tables: Iceberg says which files may hold rows of the tenant,
 * metric and time, and they are read one after the other and added up at once.
 */
public final class LakeStore implements MetricStore {

  static final String RAW_POINTS = "raw_points";

  /** Types whose points count as one each. */
  private static final Set<String> SIMPLE = Set.of("gauge", "counter", "updown_counter");

  /** So many rows pass between two looks at the clock. */
  private static final int STRIDE = 4_096;

  /** Hears how many bytes of files a question of a tenant read. */
  @FunctionalInterface
  public interface ScanMeter {

    /** For who is not billed. */
    ScanMeter NONE = (organization, query, bytes) -> {};

    /** A question was answered from so many bytes of files, as stored. */
    void scanned(TenantId organization, StoreQuery query, long bytes);
  }

  private record Planned(int files, long rows) {}

  private final LakeCatalog catalog;
  private final VisibleRows shown;
  private final Duration timeout;
  private final int maxEntries;
  private final ScanMeter meter;
  private final SpanRecorder spans;

  /**
   * A store.
   *
   * @param timeout of one question
   * @param maxEntries most figures that are held at a time
   */
  public LakeStore(
      LakeCatalog catalog,
      VisibleRows shown,
      Duration timeout,
      int maxEntries,
      ScanMeter meter,
      SpanRecorder spans) {
    this.spans = spans;
    this.catalog = catalog;
    this.shown = shown;
    this.timeout = timeout;
    this.maxEntries = maxEntries;
    this.meter = meter;
  }

  @Override
  public List<StoreRow> run(TenantId organization, StoreQuery query) {
    LakeColumns columns = LakeColumns.of(query);
    LakeGroups groups = new LakeGroups(query, maxEntries);
    LakeRowReader reader =
        new LakeRowReader(query, columns, shown.of(organization, query.part().source()), groups);
    long bytes =
        each(
            query.part().source(),
            LakeFilters.of(organization, query),
            columns.names(),
            reader::take);
    meter.scanned(organization, query, bytes);
    return groups.rows();
  }

  @Override
  public long estimate(TenantId organization, StoreQuery query) {
    return planned(organization, query).rows();
  }

  @Override
  public int pieces(TenantId organization, StoreQuery query) {
    return planned(organization, query).files();
  }

  /** Of what kinds the days of a metric are; empty when the lake has none. */
  public Set<MetricKind> kindsOf(TenantId organization, String metric) {
    Set<MetricKind> kinds = EnumSet.noneOf(MetricKind.class);
    each(
        Source.DAYS,
        Expressions.and(LakeFilters.ofOrganization(organization), LakeFilters.ofMetric(metric)),
        Set.of("organization_id", "metric", "metric_type"),
        row -> kinds.add(MetricKind.ofStored((String) row.getField("metric_type"))));
    return kinds;
  }

  /** An hour of receipt of a metric. */
  public record ReceivedHour(Instant start, String environment, String metric) {}

  /** Rows of raw_points by when the gateway received them. Reads all of these rows. */
  public Map<ReceivedHour, Long> received(TenantId organization, Instant from, Instant to) {
    Map<ReceivedHour, Long> points = new HashMap<>();
    each(
        RAW_POINTS,
        Expressions.and(LakeFilters.ofOrganization(organization), LakeFilters.received(from, to)),
        Set.of("organization_id", "environment_id", "metric", "received_at"),
        row ->
            points.merge(
                new ReceivedHour(
                    hour(row, "received_at"),
                    (String) row.getField("environment_id"),
                    (String) row.getField("metric")),
                1L,
                Long::sum));
    return points;
  }

  /**
   * Points by when they were measured, and whether a rollup counts each of them: a reading of a
   * cumulative sum counts for nothing, one of a histogram for its observations.
   */
  public Map<MeasuredHour, Measured> measured(TenantId organization, Instant from, Instant to) {
    Map<MeasuredHour, Measured> points = new HashMap<>();
    each(
        RAW_POINTS,
        Expressions.and(LakeFilters.ofOrganization(organization), LakeFilters.measured(from, to)),
        Set.of(
            "organization_id",
            "environment_id",
            "metric",
            "event_time",
            "metric_type",
            "temporality"),
        row ->
            points.merge(
                place(row),
                new Measured(
                    1,
                    SIMPLE.contains((String) row.getField("metric_type"))
                        && !"cumulative".equals(row.getField("temporality"))),
                Measured::plus));
    return points;
  }

  /** Points that rows of a minute count, by when they were measured. */
  public Map<MeasuredHour, Long> rolledUp(TenantId organization, Instant from, Instant to) {
    Map<MeasuredHour, Long> points = new HashMap<>();
    each(
        Source.MINUTES,
        Expressions.and(LakeFilters.ofOrganization(organization), LakeFilters.measured(from, to)),
        Set.of("organization_id", "environment_id", "metric", "event_time", "count"),
        row -> points.merge(place(row), (Long) row.getField("count"), Long::sum));
    return points;
  }

  /**
   * Points of a metric.
   *
   * @param isCounted whether a rollup counts each of them as one
   */
  public record Measured(long points, boolean isCounted) {

    Measured plus(Measured other) {
      return new Measured(points + other.points, isCounted && other.isCounted);
    }
  }

  private static MeasuredHour place(Record row) {
    return new MeasuredHour(
        hour(row, "event_time"),
        (String) row.getField("environment_id"),
        (String) row.getField("metric"));
  }

  private static Instant hour(Record row, String column) {
    return ((OffsetDateTime) row.getField(column)).toInstant().truncatedTo(ChronoUnit.HOURS);
  }

  private long each(Source source, Expression filter, Set<String> columns, Consumer<Record> row) {
    return each(source.datasource(), filter, columns, row);
  }

  /** Bytes of the files that were read. */
  private long each(String name, Expression filter, Set<String> columns, Consumer<Record> row) {
    return spans.record(
        "lake scan", "iceberg.table", name, () -> scanned(name, filter, columns, row));
  }

  private long scanned(String name, Expression filter, Set<String> columns, Consumer<Record> row) {
    long until = System.nanoTime() + timeout.toNanos();
    return catalog.read(
        name,
        table -> {
          Schema wanted = table.schema().select(columns);
          long passed = 0;
          long bytes = 0;
          try (CloseableIterable<FileScanTask> tasks = table.newScan().filter(filter).planFiles()) {
            for (FileScanTask task : tasks) {
              passed = each(table, task, wanted, row, until, passed);
              bytes += task.length();
            }
          } catch (IOException failure) {
            throw new UncheckedIOException(failure);
          }
          return bytes;
        });
  }

  /** Rows of a file that fulfil what its partition does not fulfil for all of them. */
  private long each(
      Table table, FileScanTask task, Schema wanted, Consumer<Record> row, long until, long before)
      throws IOException {
    if (!task.deletes().isEmpty() || task.file().format() != FileFormat.PARQUET) {
      throw new IllegalStateException(
          "A file of the lake that its job did not write: " + task.file().location());
    }
    long passed = before;
    Evaluator isMeant = new Evaluator(wanted.asStruct(), task.residual());
    InternalRecordWrapper values = new InternalRecordWrapper(wanted.asStruct());
    try (CloseableIterable<Record> rows =
        Parquet.read(table.io().newInputFile(task.file().location()))
            .project(wanted)
            .filter(task.residual())
            .createReaderFunc(file -> GenericParquetReaders.buildReader(wanted, file))
            .build()) {
      for (Record each : rows) {
        if (isMeant.eval(values.wrap(each))) {
          row.accept(each);
        }
        if (++passed % STRIDE == 0 && System.nanoTime() > until) {
          throw timedOut();
        }
      }
    }
    return passed;
  }

  private Planned planned(TenantId organization, StoreQuery query) {
    String name = query.part().source().datasource();
    return spans.record(
        "lake plan",
        "iceberg.table",
        name,
        () -> catalog.read(name, table -> planned(table, LakeFilters.of(organization, query))));
  }

  private static Planned planned(Table table, Expression filter) {
    int files = 0;
    long rows = 0;
    try (CloseableIterable<FileScanTask> tasks = table.newScan().filter(filter).planFiles()) {
      for (FileScanTask task : tasks) {
        files++;
        rows += task.file().recordCount();
      }
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
    return new Planned(files, rows);
  }

  private ProblemException timedOut() {
    return ProblemException.of(
        ErrorCode.QUERY_TIMED_OUT,
        "The lake did not answer within "
            + timeout.toSeconds()
            + " s. Narrow the intervals or use a coarser granularity.");
  }
}
