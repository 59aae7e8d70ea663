package io.tidemark.flink.testing;

import org.apache.flink.runtime.testutils.MiniClusterResourceConfiguration;
import org.apache.flink.test.junit5.MiniClusterExtension;

/** The cluster of integration tests: in this JVM, one TaskManager. */
public final class TestClusters {

  public static final int SLOTS = 2;

  private TestClusters() {}

  public static MiniClusterExtension cluster() {
    return new MiniClusterExtension(
        new MiniClusterResourceConfiguration.Builder()
            .setNumberTaskManagers(1)
            .setNumberSlotsPerTaskManager(SLOTS)
            .build());
  }
}
