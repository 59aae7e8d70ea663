package io.tidemark.stack.provision;

import io.tidemark.stack.Progress;
import io.tidemark.stack.StackFailure;
import java.io.IOException;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Provisioning steps, in the order that data needs them. */
public final class Provisioning {
  /** One step. On Kubernetes the jobs belong to the Flink operator. */
  public enum Step {
    TOPICS("Kafka topics") {
      @Override
      String apply(Addresses addresses) throws Exception {
        return changes(KafkaTopics.apply(addresses.infra("kafka/topics.yaml"), addresses.kafka()));
      }
    },
    DRUID("Druid rules and supervisors") {
      @Override
      String apply(Addresses addresses) throws Exception {
        return changes(new DruidSetup(addresses).apply());
      }
    },
    LAKE("Iceberg tables") {
      @Override
      String apply(Addresses addresses) throws Exception {
        return LakeTables.apply(addresses).lines().count() + " tables";
      }
    },
    JOBS("Flink jobs") {
      @Override
      String apply(Addresses addresses) throws Exception {
        int submitted = new FlinkJobs(addresses).apply();
        return submitted == 0 ? "already running" : submitted + " submitted";
      }
    };

    private final String title;

    Step(String title) {
      this.title = title;
    }

    abstract String apply(Addresses addresses) throws Exception;

    /** Reads the steps of a command line; all of them when it names none. */
    public static Set<Step> parse(List<String> names) {
      EnumSet<Step> steps = EnumSet.noneOf(Step.class);
      for (String name : names) {
        steps.add(
            Arrays.stream(values())
                .filter(step -> step.name().equalsIgnoreCase(name))
                .findFirst()
                .orElseThrow(
                    () ->
                        new StackFailure(
                            "Unknown step '"
                                + name
                                + "'. Known: topics, druid, lake, jobs; none for all.")));
      }
      return names.isEmpty() ? EnumSet.allOf(Step.class) : steps;
    }
  }

  private Provisioning() {}

  public static void apply(Addresses addresses, Progress progress) throws Exception {
    apply(addresses, EnumSet.allOf(Step.class), progress);
  }

  /** Applies some steps, in their order. */
  public static void apply(Addresses addresses, Set<Step> steps, Progress progress)
      throws Exception {
    for (Step step : Step.values()) {
      if (steps.contains(step)) {
        long begin = System.nanoTime();
        String told = step.apply(addresses);
        progress.line(
            "  %-28s %-18s %5.1f s".formatted(step.title, told, (System.nanoTime() - begin) / 1e9));
      }
    }
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
}
