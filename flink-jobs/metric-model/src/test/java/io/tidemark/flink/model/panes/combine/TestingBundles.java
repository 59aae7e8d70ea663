package io.tidemark.flink.model.panes.combine;

import java.util.Objects;

/** Bundles that no combiner writes, for readers of bundles. */
public final class TestingBundles {

  private TestingBundles() {}

  /** A value of a series that nothing announces. */
  public static byte[] unannounced(
      int keyGroup, long high, long low, long timeUnixNano, double value) {
    Bundle bundle = new Bundle(keyGroup);
    bundle.value(high, low, timeUnixNano, value);
    return Objects.requireNonNull(bundle.take());
  }
}
