package io.tidemark.flink.rollup.cardinality;

import com.dynatrace.hash4j.distinctcount.HyperLogLog;
import java.nio.ByteBuffer;

/**
 * A HyperLogLog of {@value #BYTES} bytes; its standard error is 2.3 %. Hashes must be the same in
 * every process.
 */
public final class DistinctSketch {

  private static final int PRECISION = 11;
  static final int BYTES = 1536;

  private final HyperLogLog registers;

  private DistinctSketch(HyperLogLog registers) {
    this.registers = registers;
  }

  public static DistinctSketch empty() {
    return new DistinctSketch(HyperLogLog.create(PRECISION));
  }

  /**
   * @param registers of {@link #bytes}; empty for an empty sketch
   */
  public static DistinctSketch of(byte[] registers) {
    return registers.length == 0
        ? empty()
        : new DistinctSketch(HyperLogLog.wrap(registers.clone()));
  }

  public void add(long hash) {
    registers.add(hash);
  }

  /** A hash that spreads the bits of a text; the same for ever, for sketches lie in state. */
  public void add(String text) {
    long hash = 0xcbf29ce484222325L;
    for (int i = 0; i < text.length(); i++) {
      hash = (hash ^ text.charAt(i)) * 0x100000001b3L;
    }
    hash = (hash ^ (hash >>> 32)) * 0x9e3779b97f4a7c15L;
    hash = (hash ^ (hash >>> 29)) * 0xbf58476d1ce4e5b9L;
    registers.add(hash ^ (hash >>> 32));
  }

  public DistinctSketch merge(DistinctSketch other) {
    registers.add(other.registers);
    return this;
  }

  public long estimate() {
    return Math.round(registers.getDistinctCountEstimate());
  }

  public byte[] bytes() {
    return ByteBuffer.allocate(registers.getState().length).put(registers.getState()).array();
  }
}
