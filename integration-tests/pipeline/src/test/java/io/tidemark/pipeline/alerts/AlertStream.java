package io.tidemark.pipeline.alerts;

import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.metrics.v1.AggregationTemporality;
import io.opentelemetry.proto.metrics.v1.ExponentialHistogram;
import io.opentelemetry.proto.metrics.v1.ExponentialHistogramDataPoint;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.opentelemetry.proto.metrics.v1.ResourceMetrics;
import io.opentelemetry.proto.metrics.v1.ScopeMetrics;
import io.tidemark.pipeline.support.OtlpBody;
import io.tidemark.pipeline.support.OtlpSender;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/**
 * Sends points of 32 series through the gateway, twice a minute each, and writes down what was
 * acknowledged and when. Series go missing for minutes, some of their minutes come late, and waves
 * of points come for minutes that are decided. A batch whose answer is unknown is sent again, the
 * same bytes, until it is acknowledged.
 *
 * <p>A point that is acknowledged before its minute ends is in time: no watermark is ahead of the
 * clock. One of a wave is late: the alert job said before that it had decided the minute. Of one in
 * between, as after a failure of the gateway, nobody outside knows.
 */
final class AlertStream implements AutoCloseable {
  static final String LEVEL = "alertfaults.level";
  static final String REQUESTS = "alertfaults.requests";
  static final String ERRORS = "alertfaults.errors";
  static final String LATENCY = "alertfaults.latency";

  /** One point of each queue a tick, the same value all the time. */
  static final String STEADY = "alertfaults.steady";

  static final String STEADY_HIGH = "high";
  static final String STEADY_LOW = "low";
  static final long STEADY_HIGH_VALUE = 100;

  static final int QUEUES = 4;
  static final long MINUTE_SECONDS = 60;

  /** Goes on after the others ended, in time, so that the organisation is never behind. */
  private static final String CLOCK = "alertfaults.clock";

  private static final int ZONES = 2;
  private static final int TICK_SECONDS = 10;
  private static final int TICKS = 3;
  private static final int SCALE = 3;
  private static final long RETRY_NANOS = 250_000_000;

  /** Ticks between waves of late points, and waves after the last minute. */
  private static final int TICKS_OF_WAVE = 5;

  private static final int LAST_WAVES = 2;
  private static final int EXTREMES = 4;
  private static final int FILLED = 2;

  /**
   * A point. The value of a histogram's is the number of the bucket of its one observation.
   *
   * @param time distinct for each point
   */
  record Point(String metric, String queue, String zone, Instant time, long value) {
    public long minute() {
      return Math.floorDiv(time.getEpochSecond(), MINUTE_SECONDS);
    }
  }

  /**
   * Points that were not in time, acknowledged together.
   *
   * @param decidedUntil minutes before it were decided when the points were sent; 0 when nobody
   *     knows whether any of theirs was
   */
  record Wave(long decidedUntil, List<Point> points) {
    boolean isSurelyLate() {
      return decidedUntil > 0;
    }
  }

  /** What a series does in a minute. */
  private enum Fate {
    SENDS,
    IS_SILENT,
    IS_WITHHELD
  }

  private static final class Series {
    private final String metric;
    private final String queue;
    private final String zone;
    private long level;
    private long silentUntil;
    private Fate fate = Fate.SENDS;
    private long fateOf;

    Series(String metric, String queue, String zone, long level) {
      this.metric = metric;
      this.queue = queue;
      this.zone = zone;
      this.level = level;
    }
  }

  private final OtlpSender sender;
  private final Random random;
  private final LongSupplier decidedUntil;
  private final Instant latestEnd;
  private final long begin;
  private final List<Series> series = new ArrayList<>();
  private final List<Point> inTime = new ArrayList<>();
  private final List<Wave> waves = new ArrayList<>();
  private final List<Point> withheld = new ArrayList<>();
  private final List<Point> missing = new ArrayList<>();
  private final Thread thread = new Thread(this::run, "alert-stream");
  private long serial;
  private long extremes;
  private int ticksSinceWave;
  private int wavesAfterEnd;
  private volatile boolean finishing;
  private volatile boolean closed;
  private volatile long end = Long.MAX_VALUE;
  private volatile Instant settled;
  private volatile Throwable failure;

  /**
   * Begins to send.
   *
   * @param begin the first minute
   * @param decidedUntil minutes before it are decided, for sure
   * @param longest the stream fails when it was not closed by then
   */
  AlertStream(
      OtlpSender sender, long seed, long begin, LongSupplier decidedUntil, Duration longest) {
    this.sender = sender;
    this.random = new Random(seed);
    this.begin = begin;
    this.decidedUntil = decidedUntil;
    this.latestEnd = Instant.now().plus(longest);
    for (String metric : List.of(LEVEL, REQUESTS, ERRORS, LATENCY)) {
      for (int i = 0; i < QUEUES * ZONES; i++) {
        series.add(new Series(metric, "q" + i % QUEUES, "z" + i / QUEUES, 40 + random.nextInt(40)));
      }
    }
    thread.start();
  }

  /** Ends the series with the running minute; late points of them come still. */
  public void finish() {
    finishing = true;
  }

  /** The first minute without points, when the last late point was acknowledged; else null. */
  Instant settled() {
    if (failure != null) {
      throw new IllegalStateException("the stream ended", failure);
    }
    return settled;
  }

  public long begin() {
    return begin;
  }

  /** The first minute that no point is of. Only after {@link #settled}. */
  public long end() {
    return end;
  }

  /** Points in time. Only after {@link #close}. */
  List<Point> inTime() {
    return inTime;
  }

  /** All others, in the order in which they were acknowledged. Only after {@link #close}. */
  List<Wave> waves() {
    return waves;
  }

  @Override
  public void close() throws InterruptedException {
    closed = true;
    thread.interrupt();
    thread.join();
  }

  private void run() {
    try {
      Instant tick = Instant.ofEpochSecond(begin * MINUTE_SECONDS + TICK_SECONDS / 2);
      for (long number = 0; !closed; number++) {
        awaitTime(tick);
        long minute = Math.floorDiv(tick.getEpochSecond(), MINUTE_SECONDS);
        boolean isNewMinute = number % (MINUTE_SECONDS / TICK_SECONDS) == 0;
        if (finishing && isNewMinute && end == Long.MAX_VALUE && minute > begin) {
          end = minute;
        }
        sendInTime(tick, number, minute);
        sendLate(minute);
        tick = tick.plusSeconds(TICK_SECONDS);
        if (tick.isAfter(latestEnd)) {
          throw new IllegalStateException("nobody ended the stream by " + latestEnd);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (Throwable e) {
      failure = e;
    }
  }

  private static void awaitTime(Instant time) throws InterruptedException {
    while (Instant.now().isBefore(time)) {
      LockSupport.parkNanos(Duration.between(Instant.now(), time).toNanos());
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
    }
  }

  private void sendInTime(Instant tick, long number, long minute) throws InterruptedException {
    List<Point> points = new ArrayList<>();
    if (minute < end) {
      points.add(point(STEADY, STEADY_HIGH, "", tick, STEADY_HIGH_VALUE));
      points.add(point(STEADY, STEADY_LOW, "", tick, 1));
      for (int i = 0; i < series.size(); i++) {
        if ((i + number) % TICKS == 0) {
          Series each = series.get(i);
          decideFate(each, minute);
          Point point = point(each.metric, each.queue, each.zone, tick, value(each));
          switch (each.fate) {
            case SENDS -> points.add(point);
            case IS_WITHHELD -> withheld.add(point);
            case IS_SILENT -> missing.add(point);
          }
        }
      }
    }
    List<Point> sent = new ArrayList<>(points);
    sent.add(point(CLOCK, "", "", tick, 1));
    Instant acknowledged = sendUntilAcknowledged(request(sent));
    if (points.isEmpty()) {
      return;
    }
    if (acknowledged.isBefore(Instant.ofEpochSecond((minute + 1) * MINUTE_SECONDS))) {
      inTime.addAll(points);
    } else {
      waves.add(new Wave(0, List.copyOf(points)));
    }
  }

  private Point point(String metric, String queue, String zone, Instant tick, long value) {
    // Each point of a metric has a time of its own, in the seconds before the tick.
    long before = ++serial % (TICK_SECONDS / 2 * 1_000 - 1_000);
    return new Point(metric, queue, zone, tick.minusMillis(before), value);
  }

  private void decideFate(Series of, long minute) {
    if (of.fateOf == minute) {
      return;
    }
    of.fateOf = minute;
    of.level = Math.max(5, of.level + random.nextInt(21) - 10);
    if (random.nextInt(8) == 0) {
      of.level = of.level > 90 ? 40 : of.level + 60;
    }
    if (minute >= of.silentUntil && random.nextInt(14) == 0) {
      of.silentUntil = minute + 1 + random.nextInt(4);
    }
    boolean isWithheld = random.nextInt(30) == 0;
    if (minute == begin) {
      // Every group is known from the first minute on.
      of.silentUntil = minute;
      of.fate = Fate.SENDS;
    } else if (minute < of.silentUntil) {
      of.fate = Fate.IS_SILENT;
    } else {
      of.fate = isWithheld ? Fate.IS_WITHHELD : Fate.SENDS;
    }
  }

  private long value(Series of) {
    long value = of.level + random.nextInt(9);
    return switch (of.metric) {
      case ERRORS -> 1 + value / 4;
      // About 2^5 to 2^8, as buckets.
      case LATENCY -> 40 + value / 7;
      default -> value;
    };
  }

  /** Sends what is due of minutes that are decided. */
  private void sendLate(long minute) throws InterruptedException {
    boolean isOver = minute >= end;
    long decided = decidedUntil.getAsLong();
    ticksSinceWave++;
    // The number that is known is that of one rule: others may be a minute behind.
    long surely = decided - 1;
    boolean isDue = isOver ? surely >= end : ticksSinceWave >= TICKS_OF_WAVE;
    if (!isDue || surely <= begin + 1 || settled != null) {
      return;
    }
    ticksSinceWave = 0;
    List<Point> points = new ArrayList<>();
    take(withheld, surely, Integer.MAX_VALUE, points);
    take(missing, surely, FILLED, points);
    long last = Math.min(surely, end);
    for (int i = 0; i < EXTREMES; i++) {
      Series each = series.get(random.nextInt(series.size()));
      long of = begin + random.nextInt((int) (last - begin));
      points.add(extreme(each, of));
    }
    Instant acknowledged = sendUntilAcknowledged(request(points));
    waves.add(new Wave(surely, List.copyOf(points)));
    if (isOver && ++wavesAfterEnd >= LAST_WAVES) {
      settled = acknowledged;
    }
  }

  /** Takes points of decided minutes out of what was not sent. */
  private void take(List<Point> from, long surely, int most, List<Point> to) {
    List<Point> due =
        new ArrayList<>(from.stream().filter(point -> point.minute() < surely).toList());
    due.sort(Comparator.comparing(Point::time));
    List<Point> taken = due.subList(0, Math.min(most, due.size()));
    to.addAll(taken);
    from.removeAll(taken);
  }

  private Point extreme(Series of, long minute) {
    boolean isHigh = random.nextBoolean();
    long value =
        of.metric.equals(LATENCY)
            ? isHigh ? 70 : 30
            : isHigh ? 150 + random.nextInt(400) : 1 + random.nextInt(3);
    // The last second of a minute has no other points.
    Instant time =
        Instant.ofEpochSecond((minute + 1) * MINUTE_SECONDS).minusMillis(1 + ++extremes % 999);
    return new Point(of.metric, of.queue, of.zone, time, value);
  }

  private Instant sendUntilAcknowledged(byte[] body) throws InterruptedException {
    while (true) {
      try {
        int status = sender.send(body).statusCode();
        if (status == 200) {
          return Instant.now();
        }
        if (status != 429 && status / 100 != 5) {
          throw new IllegalStateException("the gateway answered " + status);
        }
      } catch (IOException e) {
        // The gateway is down or dropped the connection: unknown, so the same bytes go again.
      }
      if (Instant.now().isAfter(latestEnd)) {
        throw new IllegalStateException("not acknowledged in time");
      }
      LockSupport.parkNanos(RETRY_NANOS);
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
    }
  }

  private static byte[] request(List<Point> points) {
    ScopeMetrics.Builder scope = ScopeMetrics.newBuilder();
    for (Point point : points) {
      scope.addMetrics(metric(point));
    }
    return ExportMetricsServiceRequest.newBuilder()
        .addResourceMetrics(
            ResourceMetrics.newBuilder()
                .setResource(OtlpBody.resource("service.name", "alert-faults"))
                .addScopeMetrics(scope))
        .build()
        .toByteArray();
  }

  private static Metric metric(Point point) {
    List<KeyValue> labels =
        OtlpBody.attributes(
            "queue", point.queue(), "zone", point.zone().isEmpty() ? "z" : point.zone());
    return switch (point.metric()) {
      case LEVEL ->
          OtlpBody.gauge(LEVEL, "1", List.of(OtlpBody.point(labels, point.time(), point.value())));
      case LATENCY -> histogram(point, labels);
      default ->
          OtlpBody.delta(
              point.metric(), "1", List.of(OtlpBody.point(labels, point.time(), point.value())));
    };
  }

  private static Metric histogram(Point point, List<KeyValue> labels) {
    ExponentialHistogramDataPoint data =
        ExponentialHistogramDataPoint.newBuilder()
            .addAllAttributes(labels)
            .setStartTimeUnixNano(nanos(point.time().minusSeconds(1)))
            .setTimeUnixNano(nanos(point.time()))
            .setScale(SCALE)
            .setCount(1)
            .setSum(Math.pow(2, point.value() / 8.0))
            .setPositive(
                ExponentialHistogramDataPoint.Buckets.newBuilder()
                    .setOffset((int) point.value())
                    .addBucketCounts(1))
            .build();
    return Metric.newBuilder()
        .setName(LATENCY)
        .setUnit("1")
        .setExponentialHistogram(
            ExponentialHistogram.newBuilder()
                .setAggregationTemporality(AggregationTemporality.AGGREGATION_TEMPORALITY_DELTA)
                .addDataPoints(data))
        .build();
  }

  private static long nanos(Instant time) {
    return time.getEpochSecond() * 1_000_000_000L + time.getNano();
  }
}
