package io.tidemark.flink.lake;

import io.tidemark.flink.io.admission.AdmittedBatch;
import io.tidemark.flink.io.points.BatchHeaders;
import io.tidemark.flink.io.points.PointsRecord;
import io.tidemark.flink.io.points.fastdecode.BatchDecoder;
import io.tidemark.flink.io.points.fastdecode.PointBatch;
import io.tidemark.flink.io.points.fastdecode.SentPoints;
import io.tidemark.flink.model.point.PointTimeLimits;
import io.tidemark.flink.model.series.SeriesDescriptor;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.table.data.GenericMapData;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.data.TimestampData;
import org.jspecify.annotations.Nullable;

/**
 * The same decoder in front of Flink's sink, one row object per point. What a series repeats is
 * made once and shared, so that the peer does not pay for it per point.
 */
final class DecodeToRowData extends AbstractStreamOperator<RowData>
    implements OneInputStreamOperator<AdmittedBatch, RowData> {
  private static final long serialVersionUID = 1L;

  private static final int COLUMNS = 39;

  private transient BatchDecoder decoder;
  private transient List<Object[]> ofSeries;
  private transient Map<String, StringData> texts;

  @Override
  public void open() throws Exception {
    super.open();
    decoder = new BatchDecoder(PointTimeLimits.DEFAULT, true);
    ofSeries = new ArrayList<>();
    texts = new HashMap<>();
  }

  @Override
  public void processElement(StreamRecord<AdmittedBatch> element) {
    PointsRecord record = element.getValue().record();
    PointBatch batch = decoder.decode(record, letter -> {});
    SentPoints sent = Objects.requireNonNull(batch.sent());
    for (int slot = ofSeries.size(); slot < decoder.slots().size(); slot++) {
      ofSeries.add(series(slot));
    }
    StringData batchId = StringData.fromString(record.batchId());
    TimestampData received =
        TimestampData.fromEpochMillis(BatchHeaders.of(record).receivedAtUnixMs());
    for (int i = 0; i < batch.size(); i++) {
      GenericRowData row = new GenericRowData(COLUMNS);
      row.setField(0, time(batch.timeUnixNano(i)));
      Object[] series = ofSeries.get(batch.slot(i));
      for (int column = 0; column < series.length; column++) {
        row.setField(1 + column, series[column]);
      }
      row.setField(11, (int) (batch.timeUnixNano(i) % 1_000));
      row.setField(12, sent.startUnixNano(i) == 0 ? null : time(sent.startUnixNano(i)));
      row.setField(13, sent.startUnixNano(i) == 0 ? null : (int) (sent.startUnixNano(i) % 1_000));
      row.setField(14, text(sent.temporality(i).wireName()));
      row.setField(15, sent.flags(i));
      row.setField(
          16,
          sent.isInt(i) ? (double) sent.valueBits(i) : Double.longBitsToDouble(sent.valueBits(i)));
      row.setField(17, sent.isInt(i));
      // The fleet sends numbers only: the columns of observations stay empty.
      row.setField(34, received);
      row.setField(35, batchId);
      row.setField(36, record.partition());
      row.setField(37, record.offset());
      row.setField(38, batch.index(i));
      output.collect(new StreamRecord<>(row));
    }
  }

  private @Nullable Object[] series(int slot) {
    SeriesDescriptor series = decoder.slots().descriptor(slot);
    return new Object[] {
      text(series.organizationId()),
      text(series.environmentId()),
      text(series.metric()),
      text(series.kind().wireName()),
      text(series.unit()),
      text(series.resourceType()),
      text(series.resourceId()),
      text(decoder.slots().key(slot).hex()),
      map(series.resource()),
      map(series.attributes())
    };
  }

  private GenericMapData map(Map<String, String> labels) {
    Map<StringData, StringData> map = new HashMap<>();
    labels.forEach((key, value) -> map.put(text(key), text(value)));
    return new GenericMapData(map);
  }

  private StringData text(String text) {
    return texts.computeIfAbsent(text, StringData::fromString);
  }

  private static TimestampData time(long unixNano) {
    return TimestampData.fromEpochMillis(unixNano / 1_000_000, (int) (unixNano % 1_000_000));
  }
}
