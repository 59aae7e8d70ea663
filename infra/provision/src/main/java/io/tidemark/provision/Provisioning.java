package io.tidemark.provision;

import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import org.apache.kafka.common.KafkaException;

/**
 * Makes a cluster equal the files of {@code infra/}, step by step in the order that data needs
 * them. Each step compares first, so a run on a cluster that is as declared changes nothing; one
 * run at a time works on a cluster.
 */
public final class Provisioning {
  /** Longer than a run that stops and starts every job. */
  private static final Duration PATIENCE = Duration.ofMinutes(20);

  /** Rules of Druid are lists in one line. */
  private static final int LONGEST_LINE = 200;

  /** One step. On Kubernetes the jobs belong to the Flink operator. */
  public enum Step {
    TOPICS("Kafka topics", "TIDEMARK_KAFKA") {
      @Override
      StepReport apply(Addresses addresses) throws InterruptedException, ExecutionException {
        return KafkaTopics.apply(addresses.files(), addresses.kafka(), addresses.access());
      }

      @Override
      String engine(Addresses addresses) {
        return "Kafka at " + addresses.kafka();
      }
    },
    DRUID("Druid rules and supervisors", "TIDEMARK_DRUID_COORDINATOR") {
      @Override
      StepReport apply(Addresses addresses) throws IOException, InterruptedException {
        return new DruidSetup(addresses).apply();
      }

      @Override
      String engine(Addresses addresses) {
        return "Druid's coordinator at " + addresses.druidCoordinator();
      }
    },
    LAKE("Iceberg tables", "TIDEMARK_CATALOG_URL") {
      @Override
      StepReport apply(Addresses addresses) throws IOException, InterruptedException {
        return LakeTables.apply(addresses);
      }

      @Override
      String engine(Addresses addresses) {
        return "The lake's catalog at " + addresses.catalogUrl();
      }
    },
    JOBS("Flink jobs", "TIDEMARK_FLINK") {
      @Override
      StepReport apply(Addresses addresses) throws IOException, InterruptedException {
        int submitted = new FlinkJobs(addresses).apply();
        return new StepReport(
            submitted == 0 ? "already running" : submitted + " submitted", List.of());
      }

      @Override
      String engine(Addresses addresses) {
        return "Flink's JobManager at " + addresses.flink();
      }
    };

    private final String title;
    private final String variable;

    Step(String title, String variable) {
      this.title = title;
      this.variable = variable;
    }

    abstract StepReport apply(Addresses addresses)
        throws IOException, InterruptedException, ExecutionException;

    abstract String engine(Addresses addresses);

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
                        ProvisionFailure.input(
                            "Unknown step '"
                                + name
                                + "'. Known: topics, druid, lake, jobs; none for all.")));
      }
      return names.isEmpty() ? EnumSet.allOf(Step.class) : steps;
    }
  }

  private Provisioning() {}

  public static void apply(Addresses addresses, Consumer<String> progress)
      throws InterruptedException {
    apply(addresses, EnumSet.allOf(Step.class), progress);
  }

  /**
   * Applies some steps, in their order; waits while another run works on the cluster.
   *
   * @param progress is told a line for each step, and one for each thing that was not as declared
   * @throws ProvisionFailure what is wrong and what to do; steps before it are done and stay so
   */
  public static void apply(Addresses addresses, Set<Step> steps, Consumer<String> progress)
      throws InterruptedException {
    try (ProvisionLock lock = ProvisionLock.acquire(addresses, PATIENCE, progress)) {
      for (Step step : Step.values()) {
        if (steps.contains(step)) {
          apply(addresses, step, progress);
        }
      }
    }
  }

  static void apply(Addresses addresses, Step step, Consumer<String> progress)
      throws InterruptedException {
    long begin = System.nanoTime();
    StepReport report;
    try {
      report = step.apply(addresses);
    } catch (IOException | ExecutionException | KafkaException e) {
      throw ProvisionFailure.engine(
          "%s: %s does not answer as it should: %s. Check that it runs and that %s is right; then provision again, what is done stays done."
              .formatted(
                  step.title, step.engine(addresses), ProvisionFailure.reason(e), step.variable),
          e);
    }
    progress.accept(
        "  %-28s %-22s %5.1f s"
            .formatted(step.title, report.summary(), (System.nanoTime() - begin) / 1e9));
    for (String change : report.changes()) {
      boolean isLong = change.length() > LONGEST_LINE;
      progress.accept("    " + (isLong ? change.substring(0, LONGEST_LINE) + " ..." : change));
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

  /**
   * Transactional ids of Kafka whose transaction has been open for longer, in alphabetical order.
   */
  public static List<String> openTransactions(Addresses addresses, Duration age)
      throws InterruptedException, ExecutionException {
    return new BrokerTransactions(addresses.access().kafka(addresses.kafka())).openLongerThan(age);
  }
}
