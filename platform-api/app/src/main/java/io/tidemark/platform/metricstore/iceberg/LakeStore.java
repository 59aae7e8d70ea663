package io.tidemark.platform.metricstore.iceberg;

import io.tidemark.platform.metricstore.MetricKind;
import io.tidemark.platform.metricstore.MetricStore;
import io.tidemark.platform.metricstore.Source;
import io.tidemark.platform.metricstore.StoreQuery;
import io.tidemark.platform.metricstore.StoreRow;
import io.tidemark.platform.metricstore.VisibleRows;
import io.tidemark.platform.shared.ErrorCode;
import io.tidemark.platform.shared.ProblemException;
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

  private static final String RAW_POINTS = "raw_points";

  /** So many rows pass between two looks at the clock. */
  private static final int STRIDE = 4_096;

  private record Planned(int files, long rows) {}

  private final LakeCatalog catalog;
  private final VisibleRows shown;
  private final Duration timeout;
  private final int mostEntries;

  /**
   * A store.
   *
   * @param timeout of one question
   * @param mostEntries most figures that are held at a time
   */
  public LakeStore(LakeCatalog catalog, VisibleRows shown, Duration timeout, int mostEntries) {
    this.catalog = catalog;
    this.shown = shown;
    this.timeout = timeout;
    this.mostEntries = mostEntries;
  }

  @Override
  public List<StoreRow> run(TenantId organization, StoreQuery query) {
    LakeColumns columns = LakeColumns.of(query);
    LakeGroups groups = new LakeGroups(query, mostEntries);
    LakeRowReader reader =
        new LakeRowReader(query, columns, shown.of(organization, query.part().source()), groups);
    each(query.part().source(), LakeFilters.of(organization, query), columns.names(), reader::take);
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

  /** An hour of receipt of an environment. */
  public record ReceivedHour(Instant start, String environment) {}

  /** Rows of raw_points by when the gateway received them. Reads all of these rows. */
  public Map<ReceivedHour, Long> received(TenantId organization, Instant from, Instant to) {
    Map<ReceivedHour, Long> points = new HashMap<>();
    each(
        RAW_POINTS,
        Expressions.and(LakeFilters.ofOrganization(organization), LakeFilters.received(from, to)),
        Set.of("organization_id", "environment_id", "received_at"),
        row ->
            points.merge(
                new ReceivedHour(
                    ((OffsetDateTime) row.getField("received_at"))
                        .toInstant()
                        .truncatedTo(ChronoUnit.HOURS),
                    (String) row.getField("environment_id")),
                1L,
                Long::sum));
    return points;
  }

  private void each(Source source, Expression filter, Set<String> columns, Consumer<Record> row) {
    each(source.datasource(), filter, columns, row);
  }

  private void each(String name, Expression filter, Set<String> columns, Consumer<Record> row) {
    long until = System.nanoTime() + timeout.toNanos();
    catalog.read(
        name,
        table -> {
          Schema wanted = table.schema().select(columns);
          long passed = 0;
          try (CloseableIterable<FileScanTask> tasks = table.newScan().filter(filter).planFiles()) {
            for (FileScanTask task : tasks) {
              passed = each(table, task, wanted, row, until, passed);
            }
          } catch (IOException failure) {
            throw new UncheckedIOException(failure);
          }
          return passed;
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
    return catalog.read(
        query.part().source().datasource(),
        table -> planned(table, LakeFilters.of(organization, query)));
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
