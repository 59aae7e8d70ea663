package io.tidemark.stack.provision;

import io.tidemark.stack.Progress;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;

/** All provisioning steps, in the order that data needs them. */
public final class Provisioning {
  private Provisioning() {}

  public static void apply(Addresses addresses, Progress progress) throws Exception {
    step(
        progress,
        "Kafka topics",
        () -> changes(KafkaTopics.apply(addresses.infra("kafka/topics.yaml"), addresses.kafka())));
    step(progress, "Druid rules and supervisors", () -> changes(new DruidSetup(addresses).apply()));
    step(progress, "Iceberg tables", () -> LakeTables.apply(addresses).lines().count() + " tables");
    step(
        progress,
        "Flink jobs",
        () -> {
          FlinkJobs jobs = new FlinkJobs(addresses);
          int submitted = jobs.apply();
          return submitted == 0 ? "already running" : submitted + " submitted";
        });
  }

  /** What Druid takes and serves. */
  public static List<Datasource> datasources(Addresses addresses)
      throws IOException, InterruptedException {
    return new DruidState(addresses).datasources();
  }

  /** Where Druid differs from {@code infra/druid}, a line each. */
  public static List<String> druidDrift(Addresses addresses)
      throws IOException, InterruptedException {
    return new DruidSetup(addresses).drift();
  }

  private static String changes(int count) {
    return count == 0 ? "as they should be" : count + " changed";
  }

  private static void step(Progress progress, String name, Callable<String> work) throws Exception {
    long begin = System.nanoTime();
    String told = work.call();
    progress.line("  %-28s %-18s %5.1f s".formatted(name, told, (System.nanoTime() - begin) / 1e9));
  }
}
