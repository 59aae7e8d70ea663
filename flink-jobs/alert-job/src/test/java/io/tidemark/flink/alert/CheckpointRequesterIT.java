package io.tidemark.flink.alert;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tidemark.flink.io.checkpoint.CheckpointRequesterFactory;
import io.tidemark.flink.testing.TestClusters;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.functions.RichMapFunction;
import org.apache.flink.api.common.state.CheckpointListener;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.runtime.checkpoint.CheckpointStatsSnapshot;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.test.junit5.InjectMiniCluster;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** On a cluster in this JVM, whose periodic checkpoints are an hour apart. */
class CheckpointRequesterIT {

  @RegisterExtension static final MiniClusterExtension CLUSTER = TestClusters.cluster();

  private static final long DECIDED = 1_000;
  private static final CountDownLatch REFUSED = new CountDownLatch(1);
  private static final CountDownLatch COMMITTED = new CountDownLatch(1);

  /**
   * Counts down when a checkpoint after its first record is complete. Its second subtask starts
   * when the first has that record, so that the request comes while a task still starts.
   */
  private static final class Commits extends RichMapFunction<Long, Long>
      implements CheckpointListener {
    private static final long serialVersionUID = 1L;
    private transient boolean hasRecord;

    @Override
    public void open(OpenContext context) throws InterruptedException {
      if (getRuntimeContext().getTaskInfo().getIndexOfThisSubtask() > 0) {
        REFUSED.await();
      }
    }

    @Override
    public Long map(Long value) {
      hasRecord = true;
      return value;
    }

    @Override
    public void notifyCheckpointComplete(long checkpointId) {
      if (hasRecord) {
        COMMITTED.countDown();
      }
    }
  }

  @Test
  @Timeout(120)
  void whatIsDecidedIsCommittedWithoutWaitingForTheInterval(@InjectMiniCluster MiniCluster cluster)
      throws Exception {
    StreamExecutionEnvironment environment = StreamExecutionEnvironment.getExecutionEnvironment();
    environment.enableCheckpointing(Duration.ofHours(1).toMillis());
    environment
        .fromSequence(0, Long.MAX_VALUE)
        .filter(number -> number == DECIDED)
        .transform("ask", Types.LONG, new CheckpointRequesterFactory<>())
        .map(new Commits())
        .returns(Types.LONG)
        .print();

    JobClient job = environment.executeAsync("decides once");
    while (failedCheckpoints(cluster, job) == 0) {
      Thread.onSpinWait();
    }
    REFUSED.countDown();

    assertTrue(COMMITTED.await(1, TimeUnit.MINUTES), "a checkpoint within a minute");
    job.cancel().get();
    assertEquals(0, COMMITTED.getCount());
  }

  private static long failedCheckpoints(MiniCluster cluster, JobClient job) throws Exception {
    CheckpointStatsSnapshot found =
        cluster.getExecutionGraph(job.getJobID()).get().getCheckpointStatsSnapshot();
    return found == null ? 0 : found.getCounts().getNumberOfFailedCheckpoints();
  }
}
