package io.tidemark.flink.rollup.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.file.Path;
import java.util.concurrent.ExecutionException;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.GlobalConfiguration;
import org.apache.flink.configuration.HighAvailabilityOptions;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.RestOptions;
import org.apache.flink.configuration.StateRecoveryOptions;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.configuration.WebOptions;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.runtime.client.JobCancellationException;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.util.ExceptionUtils;

/**
 * A JobManager and a TaskManager in this process, with the cluster's own configuration. Runs the
 * {@link RunOrder}s on standard input one after the other and tells how they went on standard
 * output.
 */
public final class BenchWorker {

  static final String READY = "READY ";
  static final String JOB = "JOB ";
  static final String DONE = "DONE";

  private BenchWorker() {}

  /** Arguments: folder of Flink's configuration, folder for checkpoints, managed memory in MiB. */
  public static void main(String[] arguments) throws Exception {
    Configuration configuration = configuration(arguments);
    MiniCluster cluster =
        new MiniCluster(
            new MiniClusterConfiguration.Builder()
                .setConfiguration(configuration)
                .setNumTaskManagers(1)
                .setNumSlotsPerTaskManager(1)
                .build());
    cluster.start();
    int port = cluster.getRestAddress().get().getPort();
    System.out.println(READY + port);
    try (BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, UTF_8))) {
      for (String line = orders.readLine(); line != null; line = orders.readLine()) {
        run(RunOrder.parse(line), configuration, port);
      }
    }
    cluster.close();
  }

  private static void run(RunOrder order, Configuration cluster, int port) throws Exception {
    Configuration configuration = new Configuration(cluster);
    if (!order.restoredFrom().equals(RunOrder.NOTHING)) {
      configuration.set(StateRecoveryOptions.SAVEPOINT_PATH, order.restoredFrom());
    }
    order.job().configure(configuration);
    StreamExecutionEnvironment environment =
        StreamExecutionEnvironment.createRemoteEnvironment("127.0.0.1", port, configuration);
    environment.setParallelism(1);
    order.job().build(environment, order);
    JobClient job = environment.executeAsync(order.outputs());
    System.out.println(JOB + job.getJobID());
    try {
      job.getJobExecutionResult().get();
    } catch (ExecutionException e) {
      // A job without an end is cancelled by who ordered it.
      if (ExceptionUtils.findThrowable(e, JobCancellationException.class).isEmpty()) {
        throw e;
      }
    }
    System.out.println(DONE);
  }

  private static Configuration configuration(String[] arguments) {
    Configuration configuration = GlobalConfiguration.loadConfiguration(arguments[0]);
    configuration.set(HighAvailabilityOptions.HA_MODE, "NONE");
    configuration.set(
        CheckpointingOptions.CHECKPOINTS_DIRECTORY, Path.of(arguments[1]).toUri().toString());
    configuration.set(RestOptions.BIND_PORT, "0");
    // All of a run: figures are of every checkpoint.
    configuration.set(WebOptions.CHECKPOINTS_HISTORY_SIZE, 1_000);
    configuration.set(TaskManagerOptions.MANAGED_MEMORY_SIZE, MemorySize.parse(arguments[2] + "m"));
    // The reporter is a jar of the stack.
    configuration.removeKey("metrics.reporters");
    configuration.removeKey("metrics.reporter.jmx.factory.class");
    return configuration;
  }
}
