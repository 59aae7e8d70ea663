package io.tidemark.flink.usage.operator;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.tidemark.flink.io.JobMetrics;
import io.tidemark.flink.io.rows.PlacedRows;
import io.tidemark.flink.io.rows.RowScanner;
import io.tidemark.flink.io.rows.SeriesNames;
import io.tidemark.flink.model.budget.Overflow;
import io.tidemark.flink.model.usage.MeteredUnits;
import io.tidemark.flink.model.usage.RowLevel;
import io.tidemark.flink.model.usage.UsageHour;
import io.tidemark.flink.model.usage.UsageOrigin;
import io.tidemark.flink.model.usage.UsageSubject;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.metrics.Counter;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.BoundedOneInput;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.util.OutputTag;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts committed rows by subject, level and hour of their append, and shows each series of rows
 * of a minute once an hour to who counts series. Holds nothing over a checkpoint barrier; what it
 * knows of series is a memory that a restart rebuilds.
 */
public final class RowMeter extends AbstractStreamOperator<UsageIncrement>
    implements OneInputStreamOperator<PlacedRows, UsageIncrement>, BoundedOneInput {
  private static final long serialVersionUID = 1L;
  private static final Logger LOG = LoggerFactory.getLogger(RowMeter.class);

  /** Series of rows of a minute, at least once for each hour. */
  public static final OutputTag<SeriesSighting> SIGHTINGS =
      new OutputTag<>("series-sightings") {
        private static final long serialVersionUID = 1L;
      };

  /** Rows that were counted, and such as are of another layout. */
  public static final String ROWS_METERED = "rowsMetered";

  public static final String ROWS_UNREADABLE = "rowsUnreadable";

  /** Series that are known by their bytes, about 60 bytes each; all are forgotten beyond. */
  private static final int MOST_SERIES = 2_000_000;

  private static final int MOST_OPEN = 50_000;
  private static final String OVERFLOW = "metric." + Overflow.LABEL;
  private static final JsonFactory JSON = new JsonFactory();

  private final Map<String, RowLevel> levels;

  private transient RowScanner scanner;
  private transient SeriesNames names;
  // By number of the series.
  private transient int[] subjectOf;
  private transient long[] shownIn;
  private transient List<String> idOf;
  private transient List<UsageSubject> subjects;
  private transient Map<UsageSubject, Integer> indexes;
  private transient Map<OpenRows, RowSum> open;
  private transient Counter metered;
  private transient Counter unreadable;

  private record OpenRows(UsageHour hour, String topic) {}

  /** Rows since the last barrier, and the place of the first record among them. */
  private static final class RowSum {
    private final int partition;
    private final long offset;
    private long rows;

    private RowSum(PlacedRows first) {
      partition = first.partition();
      offset = first.offset();
    }
  }

  /**
   * A meter of some topics.
   *
   * @param levels of rows, by topic
   */
  public RowMeter(Map<String, RowLevel> levels) {
    this.levels = new HashMap<>(levels);
  }

  @Override
  public void open() throws Exception {
    super.open();
    scanner = new RowScanner();
    names = new SeriesNames();
    indexes = new HashMap<>();
    open = new LinkedHashMap<>();
    forget();
    metered = JobMetrics.counter(getMetricGroup(), ROWS_METERED);
    unreadable = JobMetrics.counter(getMetricGroup(), ROWS_UNREADABLE);
  }

  @Override
  public void processElement(StreamRecord<PlacedRows> element) {
    PlacedRows record = element.getValue();
    RowLevel level = levels.get(record.topic());
    long hour = UsageHour.startOf(record.appendedAtUnixMs());
    scanner.reset(record.rows());
    for (int line = 0; scanner.next(); line++) {
      int series = scanner.isPlain() ? seriesOf(record.rows()) : SeriesNames.UNKNOWN;
      if (series == SeriesNames.UNKNOWN) {
        unreadable.inc();
        LOG.warn(
            "Row {} of offset {}, partition {} of {} is not metered: it is no row of the contract.",
            line,
            record.offset(),
            record.partition(),
            record.topic());
        continue;
      }
      metered.inc();
      UsageSubject subject = subjects.get(subjectOf[series]);
      open.computeIfAbsent(
              new OpenRows(new UsageHour(subject, hour), record.topic()),
              unknown -> new RowSum(record))
          .rows++;
      if (level == RowLevel.MINUTES && shownIn[series] != hour && idOf.get(series) != null) {
        shownIn[series] = hour;
        show(record, subject, idOf.get(series), hour, line);
      }
    }
    if (open.size() > MOST_OPEN) {
      flush();
    }
    if (names.size() > MOST_SERIES) {
      forget();
    }
  }

  private void show(PlacedRows record, UsageSubject subject, String series, long hour, int line) {
    output.collect(
        SIGHTINGS,
        new StreamRecord<>(
            new SeriesSighting(
                subject.organizationId(),
                subject.environmentId(),
                subject.resourceType(),
                subject.resourceId(),
                subject.metric(),
                series,
                hour,
                record.topic(),
                record.partition(),
                record.offset(),
                line)));
  }

  private int seriesOf(byte[] rows) {
    int known = names.find(rows, scanner.namesFrom(), scanner.namesLength());
    if (known != SeriesNames.UNKNOWN) {
      return known;
    }
    Map<String, String> texts = texts(rows);
    if (texts.isEmpty()) {
      return SeriesNames.UNKNOWN;
    }
    int number = idOf.size();
    if (number == subjectOf.length) {
      subjectOf = Arrays.copyOf(subjectOf, number * 2);
      shownIn = Arrays.copyOf(shownIn, number * 2);
    }
    subjectOf[number] =
        indexes.computeIfAbsent(
            new UsageSubject(
                texts.getOrDefault("organization_id", ""),
                texts.getOrDefault("environment_id", ""),
                texts.getOrDefault("resource_type", ""),
                texts.getOrDefault("resource_id", ""),
                texts.getOrDefault("metric", "")),
            this::index);
    shownIn[number] = -1;
    // What exceeds a budget is billed as points, never as series.
    idOf.add(texts.containsKey(OVERFLOW) ? null : texts.get("series_id"));
    names.keep(number);
    return number;
  }

  /** Members of the row that name its series; empty when they cannot be read. */
  private Map<String, String> texts(byte[] rows) {
    int from = scanner.namesFrom();
    int length = scanner.namesLength();
    byte[] object = new byte[length + 2];
    System.arraycopy(rows, from, object, 1, length);
    // The members follow a comma.
    int start = rows[from] == ',' ? 1 : 0;
    object[start] = '{';
    object[length + 1] = '}';
    Map<String, String> texts = new HashMap<>();
    try (JsonParser in = JSON.createParser(object, start, length + 2 - start)) {
      in.nextToken();
      while (in.nextToken() == JsonToken.FIELD_NAME) {
        String name = in.currentName();
        if (in.nextToken() == JsonToken.VALUE_STRING) {
          texts.put(name, in.getText());
        }
      }
    } catch (IOException damaged) {
      return Map.of();
    }
    return texts.containsKey("organization_id") && texts.containsKey("series_id")
        ? texts
        : Map.of();
  }

  private int index(UsageSubject subject) {
    subjects.add(subject);
    return subjects.size() - 1;
  }

  private void forget() {
    names.clear();
    indexes.clear();
    subjects = new ArrayList<>();
    idOf = new ArrayList<>();
    subjectOf = new int[1_024];
    shownIn = new long[1_024];
  }

  @Override
  public void prepareSnapshotPreBarrier(long checkpointId) {
    flush();
  }

  @Override
  public void endInput() {
    flush();
  }

  private void flush() {
    open.forEach(
        (key, sum) ->
            output.collect(
                new StreamRecord<>(
                    UsageIncrement.of(
                        key.hour(),
                        new UsageIncrement.Place(
                            UsageOrigin.ROWS, key.topic(), sum.partition, sum.offset, 0),
                        MeteredUnits.ofRows(levels.get(key.topic()), sum.rows)))));
    open.clear();
  }
}
