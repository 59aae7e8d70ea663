package io.tidemark.flink.rollup.operator;

import io.tidemark.flink.model.panes.combine.Bundle;
import org.apache.flink.api.java.functions.KeySelector;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;

/**
 * Keys bundles so that a bundle for key group g lies in Flink's key group g: the key is the least
 * number that Flink assigns to g. State kept under that key moves with its key group when the job
 * is rescaled.
 */
public final class BundleKeySelector implements KeySelector<byte[], Integer> {
  private static final long serialVersionUID = 1L;

  private final int[] keys;

  public BundleKeySelector(int keyGroups) {
    keys = keysOf(keyGroups);
  }

  @Override
  public Integer getKey(byte[] bundle) {
    return keys[Bundle.keyGroupOf(bundle)];
  }

  /** The key of every key group. */
  static int[] keysOf(int keyGroups) {
    int[] keys = new int[keyGroups];
    java.util.Arrays.fill(keys, -1);
    int found = 0;
    for (int key = 0; found < keyGroups; key++) {
      int group = KeyGroupRangeAssignment.assignToKeyGroup(key, keyGroups);
      if (keys[group] < 0) {
        keys[group] = key;
        found++;
      }
    }
    return keys;
  }
}
