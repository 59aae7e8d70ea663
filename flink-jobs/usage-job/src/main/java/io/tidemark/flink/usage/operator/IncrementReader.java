package io.tidemark.flink.usage.operator;

import io.tidemark.flink.io.JobMetrics;
import io.tidemark.flink.io.usage.CountedIncrement;
import io.tidemark.flink.io.usage.PlacedIncrements;
import io.tidemark.flink.model.usage.MeteredUnits;
import io.tidemark.flink.model.usage.UsageHour;
import io.tidemark.flink.model.usage.UsageOrigin;
import io.tidemark.flink.model.usage.UsageSubject;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.metrics.Counter;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.BoundedOneInput;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.util.OutputTag;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads what the rollup job counted, adds it up by hour, subject and origin before it reaches
 * state, and hands series to who counts them. Holds nothing over a checkpoint barrier.
 */
public final class IncrementReader extends AbstractStreamOperator<UsageIncrement>
    implements OneInputStreamOperator<PlacedIncrements, UsageIncrement>, BoundedOneInput {
  private static final long serialVersionUID = 1L;
  private static final Logger LOG = LoggerFactory.getLogger(IncrementReader.class);

  /** Series of rows of a minute, at least once for each hour. */
  public static final OutputTag<SeriesSighting> SIGHTINGS =
      new OutputTag<>("series-sightings", TypeInformation.of(SeriesSighting.class));

  /** Points metered, set aside and without a value included. */
  public static final String POINTS_METERED = "pointsMetered";

  /** Rows metered, of every level. */
  public static final String ROWS_METERED = "rowsMetered";

  /** Records that are none of the contract. */
  public static final String INCREMENTS_UNREADABLE = "incrementsUnreadable";

  /** Hours of subjects that are added up in memory between checkpoints, about 300 bytes each. */
  private static final int MAX_OPEN = 50_000;

  private transient Map<OpenHour, OpenUnits> open;
  private transient Counter points;
  private transient Counter rows;
  private transient Counter unreadable;

  private record OpenHour(UsageHour hour, UsageOrigin origin) {}

  /** Units since the last barrier, and the place of the first increment among them. */
  private static final class OpenUnits {
    private final UsageIncrement.Place place;
    private MeteredUnits units = MeteredUnits.NONE;

    private OpenUnits(UsageIncrement.Place place) {
      this.place = place;
    }
  }

  @Override
  public void open() throws Exception {
    super.open();
    open = new LinkedHashMap<>();
    points = JobMetrics.counter(getMetricGroup(), POINTS_METERED);
    rows = JobMetrics.counter(getMetricGroup(), ROWS_METERED);
    unreadable = JobMetrics.counter(getMetricGroup(), INCREMENTS_UNREADABLE);
  }

  @Override
  public void processElement(StreamRecord<PlacedIncrements> element) {
    PlacedIncrements record = element.getValue();
    List<CountedIncrement> increments = CountedIncrement.of(record.increments());
    if (increments.isEmpty()) {
      unreadable.inc();
      LOG.warn(
          "Offset {}, partition {} of {} is not metered: it is no record of the contract.",
          record.offset(),
          record.partition(),
          record.topic());
      return;
    }
    int line = 0;
    for (CountedIncrement counted : increments) {
      MeteredUnits ofPoints = counted.points();
      MeteredUnits ofRows = counted.rows();
      points.inc(ofPoints.points() + ofPoints.pointsSetAside() + ofPoints.pointsWithoutValue());
      rows.inc(
          ofRows.rowsOfMinutes()
              + ofRows.rowsInDetail()
              + ofRows.rowsOfHours()
              + ofRows.rowsOfDays());
      // Each increment and each series of a record has a place of its own.
      add(counted.hour(), UsageOrigin.POINTS, record, line, ofPoints);
      add(counted.hour(), UsageOrigin.ROWS, record, line, ofRows);
      line++;
      for (String series : counted.series()) {
        show(counted.hour(), series, record, line++);
      }
    }
    if (open.size() > MAX_OPEN) {
      flush();
    }
  }

  private void add(
      UsageHour hour, UsageOrigin origin, PlacedIncrements record, int line, MeteredUnits units) {
    if (units.isNone()) {
      return;
    }
    OpenUnits sum =
        open.computeIfAbsent(
            new OpenHour(hour, origin),
            unknown ->
                new OpenUnits(
                    new UsageIncrement.Place(
                        origin, record.topic(), record.partition(), record.offset(), line)));
    sum.units = sum.units.plus(units);
  }

  private void show(UsageHour hour, String series, PlacedIncrements record, int line) {
    UsageSubject subject = hour.subject();
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
                hour.startUnixMs(),
                record.topic(),
                record.partition(),
                record.offset(),
                line)));
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
                new StreamRecord<>(UsageIncrement.of(key.hour(), sum.place, sum.units))));
    open.clear();
  }
}
