package io.tidemark.platform.replay;

/** Records of one partition of the topic of dead letters; {@code end} is the first one behind. */
public record OffsetRange(int partition, long begin, long end) {

  public long records() {
    return Math.max(0, end - begin);
  }
}
