package io.tidemark.flink.alert.truth;

import io.tidemark.flink.alert.TestAlerts;

/**
 * A row that a test sends.
 *
 * @param minute number of the minute that it is of
 * @param arrival number of the minute by whose completion it has come; later than minute: late
 * @param value whole, so that sums do not depend on their order; negative rows take away
 * @param bucket of a distribution; 0 for none
 */
record GeneratedRow(
    String metric,
    String queue,
    String zone,
    int minute,
    int arrival,
    long value,
    int count,
    int bucket,
    long lastAt) {

  String line() {
    StringBuilder line =
        new StringBuilder(
            """
            {"timestamp":%d,"organization_id":"org-a","environment_id":"env-a","metric":"%s",\
            "metric_type":"gauge","unit":"1","resource_type":"service","resource_id":"shop",\
            "series_id":"0123456789abcdef0123456789abcdef","metric.queue":"%s","metric.zone":"%s",\
            "sum":%d,"count":%d\
            """
                .formatted(TestAlerts.minute(minute), metric, queue, zone, value, count));
    if (count > 0) {
      line.append(
          ",\"min\":%d,\"max\":%d,\"last\":%d,\"last_timestamp\":%d"
              .formatted(value, value, value, lastAt));
    }
    if (bucket != 0) {
      line.append(",\"distribution\":\"3|%d:%d\"".formatted(bucket, count));
    }
    return line.append(",\"pane_id\":\"x\"}").toString();
  }
}
