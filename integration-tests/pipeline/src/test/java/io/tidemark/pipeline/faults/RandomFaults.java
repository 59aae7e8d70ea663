package io.tidemark.pipeline.faults;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.pipeline.faults.FaultPlan.PlannedFault;
import io.tidemark.pipeline.support.AtLeastOnce;
import io.tidemark.pipeline.support.Await;
import io.tidemark.pipeline.support.BillingAnswers;
import io.tidemark.pipeline.support.Difference;
import io.tidemark.pipeline.support.DruidRows;
import io.tidemark.pipeline.support.LakeReader;
import io.tidemark.pipeline.support.LedgerLoad;
import io.tidemark.pipeline.support.MetricsQuery.Bucket;
import io.tidemark.pipeline.support.OtlpSender;
import io.tidemark.pipeline.support.RowFigures;
import io.tidemark.pipeline.support.RunningStack;
import io.tidemark.stack.JsonHttp;
import io.tidemark.stack.Link;
import io.tidemark.stack.StackSettings;
import io.tidemark.stack.TidemarkStack;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * {@code make test-faults}: processes, links, disks and the object store fail at random under load,
 * and at the end the ledger of acknowledged points equals what the product stores: none is missing,
 * none counts twice. What lasted longer than {@link #LONGEST_UNSEEN} was said by {@code make
 * status} or by an alert before that. A run is named by its seed: {@code -Dfaults.seed=…} makes the
 * same faults again, {@code -Dfaults.kills=…} more of them, {@code -Dfaults.kinds=…} some kinds
 * only, {@code -Dfaults.minutes=…} ends them after a time. Half of the faults come when a {@link
 * SplitMetric} is split, which takes some minutes of waiting; {@code -Dfaults.quick=true} leaves
 * that and billing out. With {@code -Dfaults.hurried=true} faults last a third as long, and the
 * next one comes with a checkpoint of the rollup job, while other jobs still recover. With {@code
 * -Dfaults.at-least-once=true} the product is {@link AtLeastOnce}, and the test fails unless it
 * finds points twice.
 */
@ExtendWith(RunningStack.class)
class RandomFaults {
  private static final Duration PATIENCE = Duration.ofSeconds(300);

  /** A steady sender is metered every quarter of an hour, and then the checkpoint comes. */
  private static final Duration METERED = Duration.ofMinutes(17);

  private static final Duration LONGEST_UNSEEN = Duration.ofMinutes(2);
  private static final Duration RECOVERY = Duration.ofSeconds(180);
  private static final String ORGANIZATION = "org-demo";
  private static final String ENVIRONMENT = "env-demo";
  private static final String METRIC = "faults.requests";
  private static final int RESEND_EVERY = 40;
  private static final int MAX_SHOWN = 20;
  private static final int HURRIED_PART = 3;
  private static final int MAX_MINUTES = 600;

  /** Hours and days of the present are not complete: these points are in some that are. */
  private static final Duration OLDER = Duration.ofHours(30);

  private final RunningStack.Started stack = RunningStack.get();
  private final DruidRows druid = new DruidRows(stack.coordinates().get("TIDEMARK_DRUID"));
  private final JsonHttp http = new JsonHttp();
  private final boolean isHurried = Boolean.getBoolean("faults.hurried");

  @Test
  void nothingIsMissingAndNothingCountsTwiceAfterRandomKills() throws Exception {
    long seed = Long.getLong("faults.seed", System.nanoTime() % 1_000_000);
    int kills = Integer.getInteger("faults.kills", 12);
    boolean isWhole = !Boolean.getBoolean("faults.quick") && !AtLeastOnce.isWanted();
    List<PlannedFault> faults = FaultPlan.of(seed, kills, kinds(), targets(), lengths());
    tell("seed %d, %d faults; again with: make test-faults %s", seed, kills, again(seed, kills));
    Instant begin = Instant.now();
    FaultRecord record = new FaultRecord(LONGEST_UNSEEN);
    OtlpSender sender =
        new OtlpSender(
            stack.coordinates().get("TIDEMARK_OTLP_HTTP"), stack.authorization(ORGANIZATION));
    Duration lasting = faults.stream().map(PlannedFault::down).reduce(Duration::plus).orElseThrow();
    LedgerLoad.Habits habits =
        new LedgerLoad.Habits(
            Duration.ofMinutes(20 + 3L * kills).plus(lasting), RESEND_EVERY, OLDER, 0);
    try (LedgerLoad load = new LedgerLoad(sender, METRIC, habits);
        SplitMetric split = new SplitMetric(stack, habits)) {
      Duration longest = Duration.ofMinutes(Integer.getInteger("faults.minutes", MAX_MINUTES));
      for (PlannedFault fault : faults) {
        if (Duration.between(begin, Instant.now()).compareTo(longest) > 0) {
          tell("%s are over: no more faults", longest);
          break;
        }
        if (record.size() == faults.size() / 2 && isWhole) {
          split.awaitBegin();
          tell("minutes of a metric are split from now on");
        }
        String line = record.add(fault, strike(fault, load));
        tell(
            "%s; %d points acknowledged, %d batches sent again",
            line, load.acknowledged(), load.resent());
      }
      Duration struck = Duration.between(begin, Instant.now());
      awaitMore(load, 2_000);
      load.finish();
      split.finish();

      if (AtLeastOnce.isWanted()) {
        awaitDuplicates(load, begin, seed);
        return;
      }
      awaitEqual("the ledger", () -> missing(load, begin));
      Instant day = begin.truncatedTo(ChronoUnit.DAYS);
      Callable<List<String>> splitMissing =
          () ->
              isWhole
                  ? split.differences(
                      druid, day.minus(1, ChronoUnit.DAYS), day.plus(2, ChronoUnit.DAYS))
                  : List.of();
      awaitEqual("the ledger of the split metric", splitMissing);
      // What would come doubled comes with one of the next transactions.
      Instant looked = Instant.now();
      Await.until(
          "two checkpoints more",
          PATIENCE,
          () -> checkpointsSince(looked, false) >= 2,
          done -> done);
      assertThat(missing(load, begin)).as("points missing or doubled, seed %d", seed).isEmpty();
      assertThat(splitMissing.call()).as("of the split metric, seed %d", seed).isEmpty();
      assertLakeEquals(load);
      if (isWhole) {
        split.assertLakeEquals(new LakeReader(stack));
        assertBilledEquals(load, begin);
      }
      assertThat(stack.stack().failedCommits()).as("transactions lost").isEmpty();
      record.byKind().forEach(line -> tell("  %s", line));
      tell(
          "seed %d: %d faults in %d s, %d points acknowledged, %d batches sent again, 0 missing, 0"
              + " duplicate",
          seed, record.size(), struck.toSeconds(), load.acknowledged(), load.resent());
      assertThat(record.unnoticed()).as("faults of which nobody was told, seed %d", seed).isEmpty();
      assertThat(record.slowerThan(RECOVERY)).as("slow recoveries, seed %d", seed).isEmpty();
    }
  }

  /** Arguments of make that make the same run. */
  private String again(long seed, int kills) {
    List<String> arguments = new ArrayList<>(List.of("SEED=" + seed, "KILLS=" + kills));
    String kinds = System.getProperty("faults.kinds", "");
    if (!kinds.isEmpty()) {
      arguments.add("KINDS=" + kinds);
    }
    if (Boolean.getBoolean("faults.long")) {
      arguments.add("LONG=1");
    }
    if (isHurried) {
      arguments.add("HURRIED=1");
    }
    if (Boolean.getBoolean("faults.quick")) {
      arguments.add("QUICK=1");
    }
    if (AtLeastOnce.isWanted()) {
      arguments.add("AT_LEAST_ONCE=1");
    }
    if (targets().hasStore()) {
      arguments.add("STORAGE=s3");
    }
    if (stack.settings().platformProcesses() > 1) {
      arguments.add("PROCESSES=" + stack.settings().platformProcesses());
    }
    if (stack.settings().security() == StackSettings.Security.TLS) {
      arguments.add("SECURITY=tls");
    }
    return String.join(" ", arguments);
  }

  /** What -Dfaults.kinds names, as {@code kill,slow-link}; all without it. */
  private static Set<FaultKind> kinds() {
    String wanted = System.getProperty("faults.kinds", "");
    if (AtLeastOnce.isWanted()) {
      return EnumSet.of(FaultKind.KILL, FaultKind.KILL_TWO);
    }
    return wanted.isEmpty()
        ? EnumSet.allOf(FaultKind.class)
        : Arrays.stream(wanted.split(","))
            .map(name -> FaultKind.valueOf(name.toUpperCase(Locale.ROOT).replace('-', '_')))
            .collect(Collectors.toCollection(() -> EnumSet.noneOf(FaultKind.class)));
  }

  private FaultPlan.Targets targets() {
    List<String> components =
        stack.stack().status().stream()
            .map(TidemarkStack.ComponentStatus::id)
            // Only of these the death makes a sink that writes at least once write again.
            .filter(id -> !AtLeastOnce.isWanted() || id.startsWith("flink-"))
            .toList();
    boolean isProxied = stack.settings().links() == StackSettings.Links.PROXIED;
    List<Link> links =
        Arrays.stream(Link.values())
            .filter(link -> isProxied && components.contains(link.server()))
            .toList();
    return new FaultPlan.Targets(
        components, links, stack.settings().clocks() == StackSettings.Clocks.STEPPABLE);
  }

  private FaultPlan.Lengths lengths() {
    int part = isHurried ? HURRIED_PART : 1;
    return Boolean.getBoolean("faults.long")
        ? new FaultPlan.Lengths(Duration.ofMinutes(10), LONGEST_UNSEEN.plusSeconds(30), part)
        : new FaultPlan.Lengths(LONGEST_UNSEEN.plusSeconds(10), Duration.ZERO, part);
  }

  private Fault fault(PlannedFault planned) {
    TidemarkStack struck = stack.stack();
    LinkProxy proxy = new LinkProxy(stack.settings().ports().address("network"));
    String target = planned.targets().get(0);
    return switch (planned.kind()) {
      case KILL, KILL_TWO -> new KilledProcesses(struck, planned.targets());
      case STOP -> new StoppedProcess(struck, target);
      case FREEZE, LONG_FREEZE -> new FrozenProcess(struck, target);
      case FULL_DISK -> new FullDisk(struck, target);
      case SLOW_LINK -> FaultyLink.slow(proxy, target, planned.millis());
      case SILENT_LINK -> FaultyLink.silent(proxy, target);
      case RESET_LINK -> FaultyLink.reset(proxy, target, planned.millis());
      case REFUSING_STORE -> new ObjectStoreRefusal(proxy);
      case CLOCK_AHEAD -> new SteppedClock(struck, target, Duration.ofMillis(planned.millis()));
      case CLOCK_BEHIND ->
          new SteppedClock(struck, target, Duration.ofMillis(planned.millis()).negated());
    };
  }

  /** Strikes, heals and repairs, and waits until points are checkpointed again. */
  private FaultRecord.Outcome strike(PlannedFault planned, LedgerLoad load) throws Exception {
    awaitMore(load, planned.pointsBefore());
    LockSupport.parkNanos(Duration.ofMillis(planned.delayMillis()).toNanos());
    tell(
        "%s %s for %.1f s",
        planned.kind().words(),
        String.join(" and ", planned.targets()),
        planned.downMillis() / 1e3);
    Fault fault = fault(planned);
    try (FaultWatch watch = new FaultWatch(stack)) {
      Instant struck = Instant.now();
      watch.begin();
      fault.strike();
      try {
        Await.until(
            "make status says that " + fault.mustShow(),
            LONGEST_UNSEEN,
            () -> watch.hasSeen(fault.mustShow()),
            seen -> seen);
        Duration looked = Duration.between(struck, Instant.now());
        LockSupport.parkNanos(planned.down().minus(looked).toNanos());
      } finally {
        fault.heal();
      }
      Instant healed = Instant.now();
      stack.stack().up();
      awaitMore(load, 1);
      Await.until(
          "checkpoints of what was read after the fault",
          PATIENCE,
          () -> checkpointsSince(healed, isHurried) >= 1,
          done -> done);
      Instant recovered = Instant.now();
      return new FaultRecord.Outcome(
          Duration.between(struck, healed), Duration.between(healed, recovered), watch.notice());
    }
  }

  private static void awaitMore(LedgerLoad load, long points) throws InterruptedException {
    long before = load.acknowledged();
    Await.until(
        points + " points more are acknowledged",
        PATIENCE,
        load::acknowledged,
        now -> now >= before + points);
  }

  /** The control: of a product that writes at least once, the same ledger says so. */
  private void awaitDuplicates(LedgerLoad load, Instant begin, long seed) throws Exception {
    List<String> found =
        Await.until(
            "points that come twice in Druid",
            PATIENCE,
            () -> missing(load, begin),
            lines -> lines.stream().anyMatch(line -> line.contains(" points twice")));
    tell("seed %d, sinks that write at least once, found as they should be:", seed);
    found.forEach(line -> tell("  %s", line));
  }

  private static void awaitEqual(String what, Callable<List<String>> missing)
      throws InterruptedException {
    Await.until("Druid equals " + what, PATIENCE, missing, List::isEmpty);
  }

  /** One line per level and bucket that differs, with how many points are missing or doubled. */
  private List<String> missing(LedgerLoad load, Instant begin) throws Exception {
    List<String> found = new ArrayList<>();
    Instant from = begin.truncatedTo(ChronoUnit.DAYS).minus(3, ChronoUnit.DAYS);
    compare(
        "rollup_1m",
        "minute",
        ChronoUnit.MINUTES,
        load,
        from,
        begin.plus(Duration.ofDays(1)),
        found);
    // Of hours and days those that were over when the load began: others have no rows yet.
    compare(
        "rollup_1h",
        "hour",
        ChronoUnit.HOURS,
        load,
        from,
        begin.truncatedTo(ChronoUnit.HOURS).minus(1, ChronoUnit.HOURS),
        found);
    compare(
        "rollup_1d", "day", ChronoUnit.DAYS, load, from, begin.truncatedTo(ChronoUnit.DAYS), found);
    return found.size() <= MAX_SHOWN
        ? found
        : Stream.concat(
                found.stream().limit(MAX_SHOWN),
                Stream.of("and " + (found.size() - MAX_SHOWN) + " more"))
            .toList();
  }

  private void compare(
      String datasource,
      String granularity,
      ChronoUnit window,
      LedgerLoad load,
      Instant from,
      Instant to,
      List<String> found)
      throws Exception {
    TreeMap<Bucket, RowFigures> expected = new TreeMap<>();
    load.figures()
        .forEach(
            (bucket, figures) -> {
              if (bucket.time().isBefore(to)) {
                expected.merge(
                    new Bucket(bucket.time().truncatedTo(window), bucket.group()),
                    figures,
                    RowFigures::plus);
              }
            });
    assertThat(expected).as("what is compared of " + datasource).isNotEmpty();
    Difference.between(expected, druid.figures(datasource, granularity, METRIC, "worker", from, to))
        .forEach(difference -> found.add(datasource + " " + difference));
  }

  /** Every acknowledged point is one raw point; the panes of minutes add up to them, each once. */
  private void assertLakeEquals(LedgerLoad load) throws Exception {
    LakeReader lake = new LakeReader(stack);
    RowFigures all = load.figures().values().stream().reduce(RowFigures::plus).orElseThrow();
    JsonNode found =
        Await.until(
            "the lake holds as much as was acknowledged",
            PATIENCE,
            () -> lake.read(ORGANIZATION, METRIC),
            read ->
                read.at("/raw_points/rows").asLong() >= all.count()
                    && read.at("/rollup_1m/count").asLong() >= all.count());
    assertThat(found.at("/raw_points/rows").asLong()).as("raw points").isEqualTo(all.count());
    assertThat(found.at("/raw_points/places").asLong()).as("their places").isEqualTo(all.count());
    assertThat(found.at("/raw_points/sum").asDouble()).as("their sum").isEqualTo(all.sum());
    assertThat(found.at("/rollup_1m/count").asLong()).as("in minutes").isEqualTo(all.count());
    assertThat(found.at("/rollup_1m/sum").asDouble()).as("in minutes").isEqualTo(all.sum());
    for (String level : List.of("rollup_1m", "rollup_1h", "rollup_1d")) {
      assertThat(found.at("/" + level + "/panes").asLong())
          .as("distinct pane ids of " + level)
          .isEqualTo(found.at("/" + level + "/rows").asLong());
    }
  }

  /** What was acknowledged is metered once, and no stage of any hour differs from another. */
  private void assertBilledEquals(LedgerLoad load, Instant begin) throws Exception {
    BillingAnswers answers = new BillingAnswers(stack);
    Instant from = begin.truncatedTo(ChronoUnit.HOURS);
    Instant to = Instant.now().truncatedTo(ChronoUnit.HOURS).plus(1, ChronoUnit.HOURS);
    long sent = load.figures().values().stream().mapToLong(RowFigures::count).sum();
    Await.until(
        "usage of " + METRIC + " is " + sent,
        METERED,
        () -> answers.get("/usage?by=metric&metric=" + METRIC + "&from=" + from + "&to=" + to),
        usage -> usage.path("total").asText().equals(Long.toString(sent)));
    List<JsonNode> hours =
        Await.until(
            "every stage of every hour has the same number",
            PATIENCE,
            () -> answers.reconciled(ENVIRONMENT, from, to),
            found ->
                BillingAnswers.sum(found, "in_lake") == BillingAnswers.sum(found, "metered")
                    && BillingAnswers.sum(found, "taken_by_rollup")
                        == BillingAnswers.sum(found, "metered"));
    assertThat(hours).isNotEmpty();
    assertThat(BillingAnswers.sum(hours, "metered")).isGreaterThanOrEqualTo(sent);
    assertThat(hours).allMatch(hour -> hour.path("difference").asText().equals("0"));
    assertThat(answers.get("/usage/verification").path("faults")).isEmpty();
  }

  /**
   * Least number of completed checkpoints that began after a moment.
   *
   * @param ofRollup of the rollup job alone, not of all jobs that run
   */
  private long checkpointsSince(Instant moment, boolean ofRollup) throws Exception {
    String flink = stack.coordinates().get("TIDEMARK_FLINK");
    long least = Long.MAX_VALUE;
    for (JsonNode job : http.get(flink + "/jobs/overview").body().path("jobs")) {
      boolean isMeant = !ofRollup || job.path("name").asText().equals("rollup");
      if (isMeant && job.path("state").asText().equals("RUNNING")) {
        JsonNode history =
            http.get(flink + "/jobs/" + job.path("jid").asText() + "/checkpoints")
                .body()
                .path("history");
        long completed = 0;
        for (JsonNode checkpoint : history) {
          boolean isLater = checkpoint.path("trigger_timestamp").asLong() > moment.toEpochMilli();
          completed += isLater && checkpoint.path("status").asText().equals("COMPLETED") ? 1 : 0;
        }
        least = Math.min(least, completed);
      }
    }
    if (least == Long.MAX_VALUE) {
      throw new IllegalStateException("no job runs");
    }
    return least;
  }

  private static void tell(String format, Object... values) {
    System.out.println(
        "FAULTS " + Instant.now().truncatedTo(ChronoUnit.SECONDS) + " " + format.formatted(values));
  }
}
