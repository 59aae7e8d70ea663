package io.tidemark.flink.model.point;

/**
 * Where a point was read; unique per point and the same after every replay.
 *
 * @param partition partition of the points topic
 * @param offset offset of the batch
 * @param index place of the point within the batch, from 0
 */
public record SourcePosition(int partition, long offset, int index) {

  @Override
  public String toString() {
    return partition + "-" + offset + "-" + index;
  }
}
