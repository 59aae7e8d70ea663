package io.tidemark.pipeline.bench;

import io.tidemark.pipeline.support.OtlpSender;
import io.tidemark.stack.Coordinates;
import java.io.IOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Points of hosts, topics and partitions, sent to the stack and to VictoriaMetrics alike. */
final class DashboardPoints {
  static final int HOSTS = 100;

  /** Only these have metrics beside the first. */
  static final int FEW_HOSTS = 8;

  static final int PARTITIONS = 10;
  static final int METRICS = 5;

  private static final int STEP_SECONDS = 10;
  private static final int TOPICS = 50;

  private final OtlpSender sender;
  private final PlainClient asking;
  private final VictoriaMetrics other;

  DashboardPoints(
      Coordinates coordinates, String authorization, PlainClient asking, VictoriaMetrics other) {
    this.sender = new OtlpSender(coordinates.get("TIDEMARK_OTLP_HTTP"), authorization);
    this.asking = asking;
    this.other = other;
  }

  /**
   * A minute at a time, the oldest first: what a series sent in it comes in one batch.
   *
   * @param metric its number is added
   */
  public void send(String metric, int metrics, Instant from, int minutes) throws Exception {
    for (int minute = 0; minute < minutes; minute++) {
      StringBuilder lines = new StringBuilder();
      for (int first = 0; first < HOSTS; first += 20) {
        List<OtlpSender.Point> points = new ArrayList<>();
        for (int host = first; host < first + 20; host++) {
          for (int number = 0; number < (host < FEW_HOSTS ? metrics : 1); number++) {
            points(
                metric + number,
                number,
                from.plus(minute, ChronoUnit.MINUTES),
                host,
                points,
                lines);
          }
        }
        int status = sender.send(OtlpSender.batch("bench", points).toByteArray()).statusCode();
        if (status != 200) {
          throw new IOException("Points got " + status);
        }
      }
      other.take(asking, lines.toString());
    }
  }

  private static void points(
      String metric,
      int number,
      Instant minute,
      int host,
      List<OtlpSender.Point> points,
      StringBuilder lines) {
    for (int partition = 0; partition < PARTITIONS; partition++) {
      Map<String, String> labels =
          Map.of(
              "host", "h" + host,
              "partition", Integer.toString(partition),
              "topic", "t" + host % TOPICS);
      for (int second = STEP_SECONDS / 2; second < 60; second += STEP_SECONDS) {
        Instant time = minute.plusSeconds(second);
        long value =
            (time.getEpochSecond() * 31 + host * 1_009L + partition * 97L + number * 13L) % 10_000;
        points.add(new OtlpSender.Point(metric, labels, time, value));
        lines
            .append(metric.replace('.', '_'))
            .append("{host=\"h")
            .append(host)
            .append("\",partition=\"")
            .append(partition)
            .append("\",topic=\"t")
            .append(host % TOPICS)
            .append("\"} ")
            .append(value)
            .append(' ')
            .append(time.toEpochMilli())
            .append('\n');
      }
    }
  }
}
