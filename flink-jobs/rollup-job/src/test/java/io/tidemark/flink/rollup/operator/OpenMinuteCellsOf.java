package io.tidemark.flink.rollup.operator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.contracts.live.v1.Buckets;
import io.tidemark.contracts.live.v1.Description;
import io.tidemark.contracts.live.v1.Snapshot;
import io.tidemark.flink.io.live.LiveRecord;
import io.tidemark.flink.model.series.SeriesKey;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/** A reader of the live topic, by the rule of its contract. */
public final class OpenMinuteCellsOf {

  private static final ObjectMapper JSON = new ObjectMapper();

  private record SeriesMinute(int keyGroup, long minute, String series) {}

  private OpenMinuteCellsOf() {}

  /** Minute and metric to "sum/count", and buckets if it has any, after the given records. */
  public static Map<String, String> latest(Collection<LiveRecord> records) throws Exception {
    Map<SeriesMinute, JsonNode> described = new HashMap<>();
    Map<SeriesMinute, String> cells = new HashMap<>();
    for (LiveRecord record : records) {
      Snapshot snapshot = Snapshot.parseFrom(record.snapshot());
      for (Description description : snapshot.getDescriptionsList()) {
        described.put(place(snapshot, description.getCell()), JSON.readTree(description.getRow()));
      }
      for (int i = 0; i < snapshot.getCountCount(); i++) {
        cells.put(place(snapshot, i), snapshot.getSum(i) + "/" + snapshot.getCount(i));
      }
      for (Buckets buckets : snapshot.getBucketsList()) {
        cells.merge(
            place(snapshot, buckets.getCell()), "/" + buckets.getDistribution(), String::concat);
      }
    }
    Map<String, String> latest = new TreeMap<>();
    cells.forEach(
        (place, figures) -> {
          JsonNode row = described.get(place);
          if (row == null || !row.get("series_id").asText().equals(place.series())) {
            throw new AssertionError("A series is not described: " + place);
          }
          latest.put(place.minute() + " " + row.get("metric").asText(), figures);
        });
    return latest;
  }

  private static SeriesMinute place(Snapshot snapshot, int cell) {
    SeriesKey key = new SeriesKey(snapshot.getSeriesHigh(cell), snapshot.getSeriesLow(cell));
    return new SeriesMinute(snapshot.getKeyGroup(), snapshot.getMinuteUnixMs(), key.hex());
  }
}
