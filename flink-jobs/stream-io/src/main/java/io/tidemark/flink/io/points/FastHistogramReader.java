package io.tidemark.flink.io.points;

import io.opentelemetry.proto.metrics.v1.Exemplar;
import io.tidemark.flink.model.distribution.BucketLayout;
import io.tidemark.flink.model.distribution.Distribution;
import io.tidemark.flink.model.distribution.ExplicitBounds;
import io.tidemark.flink.model.distribution.SentBuckets;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * One data point of a histogram, explicit or exponential, read in place for {@link
 * FastOtlpDecoder}. Bounds repeat from point to point: what they mean is remembered by their bytes.
 */
final class FastHistogramReader extends ProtobufCursor {

  // Tags that both kinds share.
  private static final int START = 0x11;
  private static final int TIME = 0x19;
  private static final int COUNT = 0x21;
  private static final int SUM = 0x29;

  // Tags of explicit histograms.
  private static final int BUCKET_COUNTS = 0x32;
  private static final int BOUNDS = 0x3a;
  private static final int EXEMPLAR = 0x42;
  private static final int ATTRIBUTE = 0x4a;
  private static final int FLAGS = 0x50;
  private static final int MIN = 0x59;
  private static final int MAX = 0x61;

  // Tags of exponential histograms.
  private static final int EXPONENTIAL_ATTRIBUTE = 0x0a;
  private static final int SCALE = 0x30;
  private static final int ZERO_COUNT = 0x39;
  private static final int POSITIVE = 0x42;
  private static final int NEGATIVE = 0x4a;
  private static final int EXPONENTIAL_FLAGS = 0x50;
  private static final int EXPONENTIAL_EXEMPLAR = 0x5a;
  private static final int EXPONENTIAL_MIN = 0x61;
  private static final int EXPONENTIAL_MAX = 0x69;
  private static final int ZERO_THRESHOLD = 0x71;
  private static final int OFFSET = 0x08;
  private static final int SIDE_COUNTS = 0x12;

  /** Longer bounds are left to the generated classes, so that they are not remembered. */
  private static final int LONGEST_BOUNDS = 1_024 * Double.BYTES;

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  /** Counts of one side of an exponential histogram. */
  private static final class Side {
    private long[] counts = new long[160];
    private int size;
    private int offset;
    private boolean isSent;

    void clear() {
      size = 0;
      offset = 0;
      isSent = false;
    }

    /** Makes room for so many counts, and no more than are allowed. */
    void expect(int most) {
      int capacity = Math.min(most, SentBuckets.MAX);
      if (capacity > counts.length) {
        counts = new long[Math.max(capacity, counts.length * 2)];
      }
    }

    void add(long count) throws FastPathMissException {
      if (size == SentBuckets.MAX) {
        throw FastPathMissException.INSTANCE;
      }
      counts[size++] = count;
    }

    /** Whether everything is in one bucket. */
    boolean isSingle(long total) {
      return total > 0 && size == 1 && counts[0] == total;
    }

    SentBuckets.Side sent() {
      return new SentBuckets.Side(offset, counts, size);
    }
  }

  private final ByteInterner boundsTable = new ByteInterner();
  private final List<ExplicitBounds> boundsById = new ArrayList<>();

  private boolean isExponential;
  private long start;
  private long time;
  private long count;
  private double sum;
  private long sumBits;
  private boolean hasSum;
  private double min;
  private boolean hasMin;
  private double max;
  private boolean hasMax;
  private int flags;
  private int attributesFrom;
  private int attributesTo;
  private int countsFrom;
  private int countsTo;
  private int boundsFrom;
  private int boundsTo;
  private long[] counts = new long[64];
  private int scale;
  private long zeroCount;
  private final Side positive = new Side();
  private final Side negative = new Side();

  long rememberedBytes() {
    return boundsTable.bytes();
  }

  long startUnixNano() {
    return start;
  }

  long timeUnixNano() {
    return time;
  }

  /** As sent; 0 when no sum was sent. */
  long sumBits() {
    return sumBits;
  }

  int flags() {
    return flags;
  }

  int attributesFrom() {
    return attributesFrom;
  }

  int attributesTo() {
    return attributesTo;
  }

  /** Reads the point that lies there. */
  void read(byte[] source, int from, int end, boolean exponential) throws FastPathMissException {
    bytes = source;
    at = from;
    isExponential = exponential;
    clear(from);
    while (at < end) {
      int tag = bytes[at++];
      switch (tag) {
        case START -> start = fixed64(end);
        case TIME -> time = fixed64(end);
        case COUNT -> count = fixed64(end);
        case SUM -> {
          sumBits = fixed64(end);
          sum = Double.longBitsToDouble(sumBits);
          hasSum = true;
        }
        default -> {
          if (exponential) {
            exponentialField(tag, end);
          } else {
            explicitField(tag, end);
          }
        }
      }
    }
  }

  /** Count, sum and extremes, or what is wrong with them. */
  PointValues.DecodedValue figures() {
    return PointValues.observations(count, sum, hasSum, min, hasMin, max, hasMax);
  }

  /** Gives the last row of the batch its distribution, if the point has one. */
  void putBuckets(PointBatch batch, boolean isCumulative) throws FastPathMissException {
    if (isExponential) {
      putExponential(batch, isCumulative);
    } else {
      putExplicit(batch, isCumulative);
    }
  }

  private void clear(int from) {
    start = 0;
    time = 0;
    count = 0;
    sum = Double.NaN;
    sumBits = 0;
    hasSum = false;
    min = Double.NaN;
    hasMin = false;
    max = Double.NaN;
    hasMax = false;
    flags = 0;
    attributesFrom = from;
    attributesTo = from;
    countsFrom = 0;
    countsTo = 0;
    boundsFrom = 0;
    boundsTo = 0;
    scale = 0;
    zeroCount = 0;
    positive.clear();
    negative.clear();
  }

  private void explicitField(int tag, int end) throws FastPathMissException {
    switch (tag) {
      case BUCKET_COUNTS -> {
        once(countsFrom);
        int to = packed(end);
        countsFrom = at;
        countsTo = to;
        at = to;
      }
      case BOUNDS -> {
        once(boundsFrom);
        int to = packed(end);
        boundsFrom = at;
        boundsTo = to;
        at = to;
      }
      case ATTRIBUTE -> attribute(end);
      case EXEMPLAR -> exemplar(end);
      case FLAGS -> flags = flags(end);
      case MIN -> min(end);
      case MAX -> max(end);
      default -> throw FastPathMissException.INSTANCE;
    }
  }

  private void exponentialField(int tag, int end) throws FastPathMissException {
    switch (tag) {
      case EXPONENTIAL_ATTRIBUTE -> attribute(end);
      case SCALE -> scale = signed(end);
      case ZERO_COUNT -> zeroCount = fixed64(end);
      case POSITIVE -> side(positive, end);
      case NEGATIVE -> side(negative, end);
      case EXPONENTIAL_FLAGS -> flags = flags(end);
      case EXPONENTIAL_EXEMPLAR -> exemplar(end);
      case EXPONENTIAL_MIN -> min(end);
      case EXPONENTIAL_MAX -> max(end);
      case ZERO_THRESHOLD -> fixed64(end);
      default -> throw FastPathMissException.INSTANCE;
    }
  }

  /** Values of a field sent in two parts would follow each other. */
  private static void once(int from) throws FastPathMissException {
    if (from != 0) {
      throw FastPathMissException.INSTANCE;
    }
  }

  private int packed(int end) throws FastPathMissException {
    int to = length(end);
    if ((to - at) % Long.BYTES != 0) {
      throw FastPathMissException.INSTANCE;
    }
    return to;
  }

  private void attribute(int end) throws FastPathMissException {
    if (attributesFrom == attributesTo) {
      attributesFrom = at - 1;
    } else if (attributesTo != at - 1) {
      throw FastPathMissException.INSTANCE;
    }
    at = length(end);
    attributesTo = at;
  }

  /** Exemplars are not used, but damaged ones make the batch undecodable. */
  private void exemplar(int end) throws FastPathMissException {
    int to = length(end);
    var unused = parse(Exemplar.parser(), at, to);
    at = to;
  }

  /** One byte holds every flag that is defined. */
  private int flags(int end) throws FastPathMissException {
    if (at == end || bytes[at] < 0) {
      throw FastPathMissException.INSTANCE;
    }
    return bytes[at++];
  }

  private void min(int end) throws FastPathMissException {
    min = fixedDouble(end);
    hasMin = true;
  }

  private void max(int end) throws FastPathMissException {
    max = fixedDouble(end);
    hasMax = true;
  }

  private void side(Side side, int end) throws FastPathMissException {
    if (side.isSent) {
      throw FastPathMissException.INSTANCE;
    }
    side.isSent = true;
    int to = length(end);
    boolean hasCounts = false;
    while (at < to) {
      switch (bytes[at++]) {
        case OFFSET -> side.offset = signed(to);
        case SIDE_COUNTS -> {
          if (hasCounts) {
            throw FastPathMissException.INSTANCE;
          }
          hasCounts = true;
          int countsEnd = length(to);
          side.expect(countsEnd - at);
          counts(side, countsEnd);
        }
        default -> throw FastPathMissException.INSTANCE;
      }
    }
  }

  private void counts(Side side, int end) throws FastPathMissException {
    byte[] source = bytes;
    int next = at;
    while (next < end) {
      byte count = source[next];
      if (count >= 0) {
        next++;
        side.add(count);
      } else {
        at = next;
        side.add(varint(end));
        next = at;
      }
    }
    at = next;
  }

  private void putExplicit(PointBatch batch, boolean isCumulative) throws FastPathMissException {
    int size = (countsTo - countsFrom) / Long.BYTES;
    if (size == 0 && boundsTo == boundsFrom) {
      return;
    }
    ExplicitBounds bounds = bounds();
    if (bounds.size() == 1) {
      if (size != 1 || (long) LONGS.get(bytes, countsFrom) != count) {
        throw FastPathMissException.INSTANCE;
      }
      return;
    }
    Distribution distribution =
        batch.startDistribution(isCumulative ? bounds.layout() : PointBatch.OF_DELTA);
    if (size != bounds.size()) {
      throw FastPathMissException.INSTANCE;
    }
    if (size > counts.length) {
      counts = new long[size];
    }
    for (int i = 0; i < size; i++) {
      counts[i] = (long) LONGS.get(bytes, countsFrom + i * Long.BYTES);
    }
    if (!SentBuckets.explicit(bounds, count, counts, size, distribution)) {
      throw FastPathMissException.INSTANCE;
    }
  }

  private void putExponential(PointBatch batch, boolean isCumulative) throws FastPathMissException {
    if (PointValues.isWithoutBuckets(count, zeroCount, negative.size, positive.size)) {
      return;
    }
    long layout = PointValues.layout(scale);
    Distribution distribution =
        batch.startDistribution(isCumulative ? layout : PointBatch.OF_DELTA);
    if (positive.isSingle(count) && negative.size == 0 && zeroCount == 0) {
      if (!SentBuckets.single(scale, positive.offset, count, distribution)) {
        throw FastPathMissException.INSTANCE;
      }
      return;
    }
    if (!SentBuckets.exponential(
        scale, count, zeroCount, negative.sent(), positive.sent(), distribution)) {
      throw FastPathMissException.INSTANCE;
    }
  }

  private ExplicitBounds bounds() throws FastPathMissException {
    int id = boundsTable.find(BucketLayout.NONE, bytes, boundsFrom, boundsTo);
    if (id != ByteInterner.UNKNOWN) {
      return boundsById.get(id);
    }
    if (boundsTo - boundsFrom > LONGEST_BOUNDS) {
      throw FastPathMissException.INSTANCE;
    }
    double[] values = new double[(boundsTo - boundsFrom) / Double.BYTES];
    for (int i = 0; i < values.length; i++) {
      values[i] = Double.longBitsToDouble((long) LONGS.get(bytes, boundsFrom + i * Double.BYTES));
    }
    ExplicitBounds bounds = ExplicitBounds.of(values);
    if (bounds == null) {
      throw FastPathMissException.INSTANCE;
    }
    boundsTable.add(BucketLayout.NONE, bytes, boundsFrom, boundsTo);
    boundsById.add(bounds);
    return bounds;
  }
}
