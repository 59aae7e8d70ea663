package io.tidemark.provision;

import java.io.PrintStream;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The command {@code java -jar provision.jar [STEP...]}: makes a cluster equal the files of {@code
 * infra/}. Compose and the chart's Job run it; the local lifecycle calls {@link Provisioning}.
 */
public final class ProvisionCommand {
  static final int DONE = 0;
  static final int ENGINE_FAILED = 1;
  static final int WRONG_INPUT = 2;
  static final int UNEXPECTED = 3;

  private static final String USAGE =
      """
      java -jar provision.jar [topics] [druid] [lake] [jobs]
      java -jar provision.jar rebuild-druid
      java -jar provision.jar draw-secrets

      Makes a cluster equal the files of infra/, below the working directory or -Dtidemark.root.
      Without a step, all of them. Compares first, changes what differs, deletes nothing: run it
      as often as you like. A second run waits for the first.

      rebuild-druid empties Druid and fills it from the lake, while points are taken:
      docs/operations/rebuild-druid.md.

      draw-secrets prints passwords, keys and cluster ids for a stack of its own, NAME=value.
      Those of its environment stay: so a later version adds what it needs.

      Variables  TIDEMARK_KAFKA                    bootstrap servers
                 TIDEMARK_DRUID_COORDINATOR        base URL
                 TIDEMARK_CATALOG_URL              JDBC URL of the lake's catalog, or URL of one that speaks REST
                 TIDEMARK_CATALOG_USER, TIDEMARK_CATALOG_PASSWORD
                 TIDEMARK_CATALOG_READER_PASSWORD  of the role that may only read it
                 TIDEMARK_ICEBERG_WAREHOUSE        URI
      For jobs   TIDEMARK_FLINK                    base URL of the JobManager
                 TIDEMARK_FLINK_STATE              folder in which the runs of jobs are noted
                 TIDEMARK_FLINK_STORAGE            URI of checkpoints and savepoints (the folder)
      With a catalog that speaks REST
                 TIDEMARK_LOCK_URL, TIDEMARK_LOCK_USER, TIDEMARK_LOCK_PASSWORD
                                                   JDBC URL of a PostgreSQL that lets one run at a time work
      In a second region
                 TIDEMARK_SOURCE_KAFKA, TIDEMARK_REGION   the first one's Kafka, this one's name
      To rebuild TIDEMARK_REBUILD_HOST             under which Druid reaches this machine (127.0.0.1)
      For engines that do not let everybody in
                 TIDEMARK_KAFKA_CLIENT             file of client settings, as Kafka names them
                 TIDEMARK_KAFKA_USERS              true: give users the rights of kafka/users.yaml
                 TIDEMARK_KAFKA_JOB_CLIENTS        folder of such files as the jobs see it, <job>.properties
                 TIDEMARK_DRUID_KAFKA_CLIENT       file of client settings of Druid's tasks, JSON
                 TIDEMARK_ENGINE_CERTIFICATE, TIDEMARK_ENGINE_PRIVATE_KEY, TIDEMARK_ENGINE_TRUSTED
                                                   PEM files for Druid and Flink

      Exit code  0  the cluster is as declared
                 1  an engine does not answer or refuses: mend it, then run again
                 2  wrong step, variable, file or missing jar: running again changes nothing
                 3  a fault of the program
      """;

  private static final String REBUILD = "rebuild-druid";
  private static final String SECRETS = "draw-secrets";

  private ProvisionCommand() {}

  public static void main(String[] arguments) {
    Path root = Path.of(System.getProperty("tidemark.root", ".")).toAbsolutePath().normalize();
    System.exit(run(List.of(arguments), root, System.getenv(), System.out, System.err));
  }

  static int run(
      List<String> arguments,
      Path root,
      Map<String, String> environment,
      PrintStream out,
      PrintStream err) {
    if (arguments.contains("--help") || arguments.contains("help")) {
      out.print(USAGE);
      return DONE;
    }
    try {
      if (arguments.equals(List.of(SECRETS))) {
        drawSecrets(environment, out);
        return DONE;
      }
      if (arguments.equals(List.of(REBUILD))) {
        rebuildDruid(Addresses.fromEnvironment(root, environment, Set.of()), environment, out);
        return DONE;
      }
      Set<Provisioning.Step> steps = Provisioning.Step.parse(arguments);
      Addresses addresses = Addresses.fromEnvironment(root, environment, steps);
      Provisioning.apply(addresses, steps, out::println);
      return DONE;
    } catch (ProvisionFailure e) {
      err.println("\n" + e.getMessage());
      return e.kind() == ProvisionFailure.Cause.INPUT ? WRONG_INPUT : ENGINE_FAILED;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      err.println("\nProvisioning was interrupted. Run it again: it continues from here.");
      return ENGINE_FAILED;
    } catch (RuntimeException e) {
      err.println("\nProvisioning failed in a way it does not know. Please report this:");
      e.printStackTrace(err);
      return UNEXPECTED;
    }
  }

  private static void drawSecrets(Map<String, String> environment, PrintStream out) {
    SecureRandom random = new SecureRandom();
    Map<String, String> known = new LinkedHashMap<>();
    for (String name : StackSecrets.complete(Map.of(), random).keySet()) {
      if (environment.containsKey(name)) {
        known.put(name, environment.get(name));
      }
    }
    out.println("# " + StackSecrets.TITLE);
    StackSecrets.complete(known, random).forEach((name, value) -> out.println(name + "=" + value));
  }

  private static void rebuildDruid(
      Addresses addresses, Map<String, String> environment, PrintStream out)
      throws InterruptedException {
    String host = environment.getOrDefault("TIDEMARK_REBUILD_HOST", "127.0.0.1");
    try {
      new DruidRebuild(addresses, host, Clock.systemUTC().instant(), out::println).run();
    } catch (ProvisionFailure | InterruptedException e) {
      throw e;
    } catch (Exception e) {
      throw ProvisionFailure.engine(
          "Druid is not rebuilt: " + ProvisionFailure.reason(e) + ". Run it again.", e);
    }
  }
}
