package io.tidemark.stack;

import io.tidemark.provision.Datasource;
import io.tidemark.provision.ProvisionFailure;
import io.tidemark.stack.TidemarkStack.ComponentStatus;
import io.tidemark.stack.process.BackgroundCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The command line behind the Makefile: {@code up, down, clean, status, report, logs, kill, start,
 * stop, archive-classes, replay, verify-audit, follow-restored-database, rebuild-druid, rotate}.
 */
public final class StackCommand {
  private static final DateTimeFormatter SINCE =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss").withZone(ZoneId.systemDefault());
  private static final DateTimeFormatter VERSION =
      DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'").withZone(ZoneOffset.UTC);
  private static final Duration FIRST_ANSWER = Duration.ofSeconds(150);
  private static final Duration UNTIL_IDLE = Duration.ofSeconds(30);
  private static final int LOWEST_PRIORITY = 19;

  private StackCommand() {}

  public static void main(String[] arguments) {
    try {
      String verb = arguments.length > 0 ? arguments[0] : "help";
      List<String> rest =
          List.of(arguments).subList(Math.min(1, arguments.length), arguments.length);
      System.exit(run(verb, rest));
    } catch (StackFailure | ProvisionFailure e) {
      System.err.println("\n" + e.getMessage());
      System.exit(1);
    } catch (Exception e) {
      System.err.println("\nThe stack's lifecycle failed in a way it does not know:");
      e.printStackTrace();
      System.exit(2);
    }
  }

  private static int run(String verb, List<String> arguments) throws Exception {
    String argument = arguments.isEmpty() ? "" : arguments.get(0);
    Path root = Path.of(System.getProperty("tidemark.root", ".")).toAbsolutePath().normalize();
    StackSettings settings = StackSettings.fromEnvironment(root, System.getenv());
    TidemarkStack stack = new TidemarkStack(settings, Progress.console());
    switch (verb) {
      case "up" -> up(settings, stack);
      case "down" -> stack.down();
      case "clean" -> stack.clean();
      case "archive-classes" -> stack.archiveClasses();
      case "status" -> {
        return status(stack);
      }
      case "report" -> report(settings, stack);
      case "logs" -> System.out.println(stack.log(argument));
      case "kill" -> stack.kill(argument);
      case "start" -> stack.start(argument);
      case "stop" -> stack.stop(argument);
      case "replay" -> {
        return replay(stack, arguments);
      }
      case "follow-restored-database" ->
          stack.followRestoredDatabase(Instant.parse(argument)).forEach(System.out::println);
      case "rotate" -> stack.rotate(argument);
      case "rebuild-druid" -> stack.rebuildDruid();
      case "verify-audit" -> {
        return stack.verifyAudit().inheritIO().start().waitFor();
      }
      default ->
          throw new StackFailure(
              "Unknown verb '"
                  + verb
                  + "'. Known: up, down, clean, status, report, logs C, kill C, start C, stop C,"
                  + " archive-classes, replay TENANT FROM TO, verify-audit, follow-restored-database TIME,"
                  + " rebuild-druid, rotate SECRET.");
    }
    return 0;
  }

  private static void up(StackSettings settings, TidemarkStack stack) throws Exception {
    Instant start = Instant.now();
    System.out.println("Starting the stack in " + settings.home());
    int started = stack.up(UNTIL_IDLE);
    FirstQuery query = new FirstQuery(stack.coordinates());
    if (started == 0) {
      System.out.println("Everything was up already.");
    } else {
      awaitFirstAnswer(settings, query, start);
    }
    Coordinates coordinates = stack.coordinates();
    System.out.println(
        """

        Console            %s/console/
                           %s
        Metrics API        %s
        OTLP/HTTP, gRPC    %s/v1/metrics, %s
        Flink web UI       %s
        Coordinates        %s (holds the demo tenant's key)

        Records per topic of the stack's own Kafka broker:

        %s
        """
            .formatted(
                coordinates.get("TIDEMARK_URL").replace("127.0.0.1", "localhost"),
                FirstSignIn.printedSince(start, stack.platformLogs())
                    .orElse("(with the password of the first sign-in, or one set since)"),
                coordinates.get("TIDEMARK_URL"),
                coordinates.get("TIDEMARK_OTLP_HTTP"),
                coordinates.get("TIDEMARK_OTLP_GRPC"),
                coordinates.get("TIDEMARK_FLINK"),
                coordinates.file(),
                query.asCurl()));
    if (stack.isClassArchiveMissing()) {
      archiveLater(settings);
    }
  }

  /** In a process of its own that outlives this one, when the others leave it a core. */
  private static void archiveLater(StackSettings settings) throws IOException {
    List<String> command = new ArrayList<>(List.of("setsid"));
    command.addAll(
        BackgroundCommand.of(
            LOWEST_PRIORITY,
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx64m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Dtidemark.root=" + settings.root(),
                "-jar",
                settings.root().resolve("integration-tests/stack/target/stack.jar").toString(),
                "archive-classes")));
    new ProcessBuilder(command)
        .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
        .redirectErrorStream(true)
        .redirectOutput(settings.log("archive-classes").toFile())
        .start();
  }

  private static void awaitFirstAnswer(StackSettings settings, FirstQuery query, Instant start)
      throws IOException, InterruptedException {
    Duration ready = Duration.between(start, Instant.now());
    System.out.printf(
        "All components serve after %.1f s. Waiting for the stack's own metrics ...%n",
        ready.toMillis() / 1e3);
    Optional<Duration> answered = query.await(start, FIRST_ANSWER);
    StartRecord.write(settings, ready, answered);
    System.out.println(
        answered
            .map(
                d ->
                    "The first query was answered %.1f s after the start."
                        .formatted(d.toMillis() / 1e3))
            .orElse(
                "No metrics of the stack itself after "
                    + FIRST_ANSWER.toSeconds()
                    + " s: see `make status` and `make logs C=kafka`."));
  }

  /** Exit code 0 when everything is up, 3 otherwise. */
  private static int status(TidemarkStack stack) throws InterruptedException {
    List<ComponentStatus> all = stack.status();
    System.out.printf("%-22s %-10s %6s %9s  %s%n", "COMPONENT", "STATE", "PORT", "MEMORY", "SINCE");
    for (ComponentStatus one : all) {
      System.out.printf(
          "%-22s %-10s %6d %5d MiB  %s%n",
          one.id(),
          one.state(),
          one.port(),
          one.residentBytes() >> 20,
          one.since().map(SINCE::format).orElse("-"));
    }
    Map<String, String> jobs = stack.jobs();
    jobs.forEach(
        (name, state) ->
            System.out.printf(
                "%-22s %-10s%n", "job " + name, state.toLowerCase(java.util.Locale.ROOT)));
    stack
        .failedCommits()
        .forEach(
            (name, count) ->
                System.out.printf(
                    "job %s lost the rows of %d transactions: docs/runbooks/stack.md, \"A"
                        + " transaction could not be committed\"%n",
                    name, count));
    for (Datasource one : stack.datasources()) {
      System.out.printf(
          "%-22s %-10s lag %s, unparseable %d, handing over %d, segments unavailable %d%s%n",
          "druid " + one.name(),
          one.state().toLowerCase(java.util.Locale.ROOT),
          one.lag() < 0 ? "?" : Long.toString(one.lag()),
          one.unparseable(),
          one.handingOver(),
          one.unavailable(),
          one.isHealthy() ? "" : " (not healthy)");
    }
    stack.druidDrift().forEach(line -> System.out.println("Druid is not as declared: " + line));
    List<String> faults = stack.faults();
    if (!faults.isEmpty()) {
      System.out.println("Not as it should be:");
      faults.forEach(line -> System.out.println("  " + line));
    }
    boolean up = all.stream().allMatch(one -> one.state().equals("up")) && !jobs.isEmpty();
    return up ? 0 : 3;
  }

  /** Exit code of the replay: 0 when equal to the live rows, 4 when not. */
  private static int replay(TidemarkStack stack, List<String> arguments) throws Exception {
    if (arguments.size() != 3) {
      throw new StackFailure(
          "Say what to replay: make replay TENANT=org-demo FROM=2026-03-01T00:00:00Z"
              + " TO=2026-03-02T00:00:00Z");
    }
    String version = VERSION.format(Instant.now());
    return stack
        .replay(arguments.get(0), arguments.get(1), arguments.get(2), version)
        .inheritIO()
        .start()
        .waitFor();
  }

  private static void report(StackSettings settings, TidemarkStack stack) throws IOException {
    List<ComponentStatus> all = stack.status();
    System.out.println("Resident memory (proportional set size, children included):");
    all.forEach(one -> System.out.printf("  %-22s %6d MiB%n", one.id(), one.residentBytes() >> 20));
    long total = all.stream().mapToLong(ComponentStatus::residentBytes).sum();
    System.out.printf("  %-22s %6d MiB of 8192 MiB allowed%n", "total", total >> 20);
    Path record = StartRecord.file(settings);
    System.out.println("Last `make up`:");
    System.out.print(Files.exists(record) ? Files.readString(record) : "  not recorded\n");
  }
}
