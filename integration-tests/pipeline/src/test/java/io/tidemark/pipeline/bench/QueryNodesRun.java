package io.tidemark.pipeline.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.pipeline.support.Await;
import io.tidemark.pipeline.support.MetricsQuery;
import io.tidemark.pipeline.support.OtlpSender;
import io.tidemark.pipeline.support.RunningStack;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * {@code make bench-query-nodes}: sends points of one tenant after the other through as many
 * processes of platform-api as {@code -Dstack.platform-processes} says, and tells what lives on the
 * heap of each. All points are minutes old: their rows are late, recent and seen by every process.
 * Fails when two more tenants take more memory, once two have filled what there is room for.
 */
@ExtendWith(RunningStack.class)
class QueryNodesRun {
  private static final List<String> TENANTS =
      List.of("org-ledger", "org-other", "org-late", "org-punctual");
  private static final int TENANTS_THAT_FILL = 2;
  private static final String METRIC = "nodes";
  private static final int SERIES = 20_000;
  private static final int MINUTES = 20;
  private static final int RATE = 20_000;
  private static final int POINTS_OF_BODY = 1_000;
  private static final double GROWTH = 1.10;
  private static final double NOISE_MIB = 4;
  private static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(5);
  private static final int EQUAL_LOOKS = 3;
  private static final Pattern TOTAL = Pattern.compile("(?m)^Total\\s+\\d+\\s+(\\d+)");

  private final RunningStack.Started stack = RunningStack.get();
  private final StackProcesses processes = new StackProcesses(stack);
  private final BenchReport report = new BenchReport();

  @Test
  void memoryOfANodeDoesNotGrowWithTenants() throws Exception {
    report.note("no points: " + text(settled()));
    Map<String, Double> filled = Map.of();
    Map<String, Double> last = Map.of();
    for (int tenant = 1; tenant <= TENANTS.size(); tenant++) {
      send(TENANTS.get(tenant - 1));
      last = settled();
      report.note(
          "%d tenants, each %,d series and %,d rows: %s"
              .formatted(tenant, SERIES, SERIES * MINUTES, text(last)));
      if (tenant == TENANTS_THAT_FILL) {
        filled = last;
      }
    }
    for (String node : last.keySet()) {
      assertThat(last.get(node))
          .as("MiB that live in " + node)
          .isLessThan(GROWTH * filled.get(node) + NOISE_MIB);
    }
  }

  private void send(String tenant) throws Exception {
    OtlpSender otlp =
        new OtlpSender(stack.coordinates().get("TIDEMARK_OTLP_HTTP"), stack.authorization(tenant));
    Instant begin = Instant.now().truncatedTo(ChronoUnit.MINUTES).minusSeconds(MINUTES * 60L);
    try (PacedSender sender = new PacedSender(otlp, POINTS_OF_BODY)) {
      sender.send(
          new HostFleet(METRIC, SERIES), RATE, MINUTES, step -> begin.plusSeconds(step * 60L));
    }
    MetricsQuery query =
        new MetricsQuery(stack.coordinates().get("TIDEMARK_URL"), stack.authorization(tenant));
    // Druid is the last to have them.
    Await.until(
        "every point is counted",
        PATIENCE,
        () ->
            query
                .ask(
                    "cloud",
                    MetricsQuery.body(
                        METRIC + ".host.0",
                        "COUNT",
                        "ALL",
                        begin,
                        begin.plusSeconds(MINUTES * 60L),
                        List.of()))
                .values()
                .stream()
                .mapToDouble(count -> count)
                .sum(),
        counted -> counted == SERIES / HostFleet.METRICS * MINUTES);
  }

  /** What lives in each node, in MiB, once that stays the same. */
  private Map<String, Double> settled() throws InterruptedException {
    List<Map<String, Double>> looks = new ArrayList<>();
    return Await.until(
        "memory stays the same",
        PATIENCE,
        BETWEEN_LOOKS,
        () -> {
          looks.add(living());
          return looks.get(looks.size() - 1);
        },
        now ->
            looks.size() >= EQUAL_LOOKS
                && looks.subList(looks.size() - EQUAL_LOOKS, looks.size()).stream()
                    .allMatch(look -> isAbout(look, now)));
  }

  private static boolean isAbout(Map<String, Double> one, Map<String, Double> other) {
    return one.keySet().equals(other.keySet())
        && one.entrySet().stream()
            .allMatch(node -> Math.abs(node.getValue() - other.get(node.getKey())) < 1);
  }

  private Map<String, Double> living() throws IOException, InterruptedException {
    Map<String, Double> living = new TreeMap<>();
    for (Map.Entry<String, Long> process : processes.ids().entrySet()) {
      if (process.getKey().startsWith("platform-api")) {
        living.put(process.getKey(), livingMebibytes(process.getValue()));
      }
    }
    return living;
  }

  /** The virtual machine collects garbage before it counts. */
  private static double livingMebibytes(long pid) throws IOException, InterruptedException {
    Process jcmd =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                Long.toString(pid),
                "GC.class_histogram")
            .redirectErrorStream(true)
            .start();
    String told = new String(jcmd.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    Matcher total = TOTAL.matcher(told);
    if (jcmd.waitFor() != 0 || !total.find()) {
      throw new IOException("jcmd said nothing of process " + pid + ": " + told);
    }
    return Long.parseLong(total.group(1)) / 1024.0 / 1024.0;
  }

  private static String text(Map<String, Double> living) {
    StringBuilder text = new StringBuilder("MiB that live:");
    living.forEach((node, mebibytes) -> text.append(" %s %.1f".formatted(node, mebibytes)));
    return text.toString();
  }
}
