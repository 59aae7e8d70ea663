package io.tidemark.platform.billing;

import io.tidemark.platform.billing.Difference.Stage;
import io.tidemark.platform.billing.JdbcUsageSums.HourUnits;
import io.tidemark.platform.metricstore.MeasuredHour;
import io.tidemark.platform.metricstore.druid.DruidPointCounts;
import io.tidemark.platform.metricstore.iceberg.LakeStore;
import io.tidemark.platform.receipts.ReceivedBatches;
import io.tidemark.platform.receipts.ReceivedPoints;
import io.tidemark.platform.shared.ErrorCode;
import io.tidemark.platform.shared.ProblemException;
import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.shared.TenantTransactions;
import java.math.BigDecimal;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Service;

/**
 * Compares what was acknowledged to senders, by receipts, with what was metered and is on invoices,
 * hour by hour.
 */
@Service
public class Reconciler {

  private static final Logger LOG = LoggerFactory.getLogger(Reconciler.class);

  /** How long after its end an hour may still get its last regular record. */
  private static final Duration UNDER_WAY = Duration.ofMinutes(3);

  /** The lake commits every 30 s, and Druid may be behind; late points come at any time. */
  private static final Duration UNDER_WAY_IN_STORES = Duration.ofMinutes(15);

  private static final String OVERFLOW = "tidemark.overflow";

  /** Version of the vocabulary since which the rollup job counts what it takes. */
  private static final int FIRST_WITH_ROLLUP_JOB = 3;

  private static final Duration LONGEST = Duration.ofDays(31);
  private static final Duration LONGEST_IN_LAKE = Duration.ofHours(6);

  private final TenantTransactions transactions;
  private final JdbcUsageSums usage;
  private final ReceivedBatches receipts;
  private final Optional<LakeStore> lake;
  private final DruidPointCounts druid;
  private final Clock clock;

  Reconciler(
      TenantTransactions transactions,
      JdbcUsageSums usage,
      ReceivedBatches receipts,
      Optional<LakeStore> lake,
      DruidPointCounts druid,
      Clock clock) {
    this.transactions = transactions;
    this.usage = usage;
    this.receipts = receipts;
    this.lake = lake;
    this.druid = druid;
    this.clock = clock;
  }

  /** Whether an hour agrees. */
  public enum State {
    /** Something may still be under way. */
    OPEN,
    AGREES,
    DIFFERS,
    /** Its receipts are no longer kept. */
    UNKNOWN
  }

  /**
   * An hour of an environment at every stage.
   *
   * @param invoiced metered points that an invoice holds
   * @param takenByRollup points that the rollup job took; null for hours before it counted them
   * @param inLake null when the lake was not asked or did not answer
   * @param meteredMetrics metered points by metric; empty without the lake
   * @param lakeMetrics rows of the lake by metric
   */
  public record Hour(
      Instant start,
      String environment,
      State state,
      BigDecimal acknowledged,
      BigDecimal metered,
      BigDecimal setAside,
      BigDecimal withoutValue,
      BigDecimal invoiced,
      @Nullable BigDecimal takenByRollup,
      @Nullable BigDecimal inLake,
      Map<String, BigDecimal> meteredMetrics,
      Map<String, BigDecimal> lakeMetrics) {

    /** Of what arrived and what was acknowledged; zero when nothing is missing or doubled. */
    public BigDecimal difference() {
      return metered.add(setAside).add(withoutValue).subtract(acknowledged);
    }

    private Hour in(State other) {
      return new Hour(
          start,
          environment,
          other,
          acknowledged,
          metered,
          setAside,
          withoutValue,
          invoiced,
          takenByRollup,
          inLake,
          meteredMetrics,
          lakeMetrics);
    }

    /** Each stage that has other points than the one before it. */
    List<Difference> differences() {
      List<Difference> differences = new ArrayList<>();
      BigDecimal arrived = metered.add(setAside).add(withoutValue);
      add(differences, "", Stage.METERED, acknowledged, arrived);
      add(differences, "", Stage.INVOICED, metered, invoiced);
      if (takenByRollup != null) {
        add(differences, "", Stage.ROLLUP_JOB, metered, takenByRollup);
      }
      if (inLake != null) {
        TreeSet<String> metrics = new TreeSet<>(meteredMetrics.keySet());
        metrics.addAll(lakeMetrics.keySet());
        for (String metric : metrics) {
          add(
              differences,
              metric,
              Stage.LAKE,
              meteredMetrics.getOrDefault(metric, BigDecimal.ZERO),
              lakeMetrics.getOrDefault(metric, BigDecimal.ZERO));
        }
      }
      return differences;
    }

    private void add(
        List<Difference> differences,
        String metric,
        Stage stage,
        BigDecimal expected,
        BigDecimal found) {
      if (expected.compareTo(found) != 0) {
        differences.add(new Difference(start, environment, metric, stage, expected, found));
      }
    }
  }

  /**
   * An hour of an environment by when points were measured.
   *
   * @param inLake raw points of metrics whose points rollups count one by one
   * @param rolledUp points that rows of a minute in the lake count, of those metrics
   * @param inRows the same of all metrics
   * @param inDruid points that rows of a minute in Druid count, of all metrics
   */
  public record MeasuredEnvironment(
      Instant start,
      String environment,
      State state,
      BigDecimal inLake,
      BigDecimal rolledUp,
      BigDecimal inRows,
      BigDecimal inDruid,
      List<Difference> differences) {}

  /**
   * Hours in order, and what differs of those that are over.
   *
   * @param measured empty when the stores were not asked or did not answer
   */
  public record Report(
      List<Hour> hours, List<MeasuredEnvironment> measured, List<Difference> differences) {

    public boolean agrees() {
      return differences.isEmpty();
    }
  }

  private record HourOfEnvironment(Instant hour, String environment) {}

  /** Whether rows of the stores can be compared. */
  boolean hasStores() {
    return lake.isPresent();
  }

  /**
   * Compares the hours that begin between two times.
   *
   * @param withLake whether rows of the lake are counted
   * @throws ProblemException {@code invalid_request}
   */
  public Report reconcile(TenantId organization, Instant from, Instant to, boolean withLake) {
    if (withLake && Duration.between(from, to).compareTo(LONGEST_IN_LAKE) > 0) {
      throw ProblemException.of(
          ErrorCode.INVALID_REQUEST,
          "from and to must be at most "
              + LONGEST_IN_LAKE.toHours()
              + " hours apart when the lake is asked.");
    }
    if (!from.isBefore(to) || Duration.between(from, to).compareTo(LONGEST) > 0) {
      throw ProblemException.of(
          ErrorCode.INVALID_REQUEST,
          "from must be before to, at most " + LONGEST.toDays() + " days.");
    }
    Instant first = from.truncatedTo(ChronoUnit.HOURS);
    Map<HourOfEnvironment, BigDecimal> acknowledged = new TreeMap<>(order());
    Map<HourOfEnvironment, Map<String, HourUnits>> metered = new TreeMap<>(order());
    transactions.run(
        organization,
        () -> {
          for (ReceivedPoints one : receipts.points(organization, first, to)) {
            acknowledged.put(
                new HourOfEnvironment(one.hour(), one.environment().value()),
                BigDecimal.valueOf(one.points()));
          }
          for (HourUnits one : usage.byHourAndEnvironment(organization, first, to)) {
            metered
                .computeIfAbsent(
                    new HourOfEnvironment(one.hour(), one.environment()),
                    unknown -> new TreeMap<>())
                .put(one.meter(), one);
          }
        });
    acknowledged.keySet().forEach(place -> metered.putIfAbsent(place, Map.of()));
    Map<HourOfEnvironment, Map<String, BigDecimal>> stored =
        withLake ? stored(organization, first, to) : null;
    Map<HourOfEnvironment, Map<String, BigDecimal>> byMetric =
        stored == null ? Map.of() : byMetric(organization, first, to);
    if (stored != null) {
      stored.keySet().forEach(place -> metered.putIfAbsent(place, Map.of()));
    }
    Instant now = clock.instant();
    Instant keptSince = receipts.keptSince();
    List<Hour> hours = new ArrayList<>();
    metered.forEach(
        (place, units) ->
            hours.add(
                hour(
                    place,
                    acknowledged.getOrDefault(place, BigDecimal.ZERO),
                    units,
                    byMetric.getOrDefault(place, Map.of()),
                    stored == null ? null : stored.getOrDefault(place, Map.of()),
                    now,
                    keptSince)));
    List<MeasuredEnvironment> measured =
        stored == null ? List.of() : measured(organization, first, to, now);
    List<Difference> differences = new ArrayList<>();
    hours.stream()
        .filter(hour -> hour.state() == State.DIFFERS)
        .forEach(hour -> differences.addAll(hour.differences()));
    measured.stream()
        .filter(hour -> hour.state() == State.DIFFERS)
        .forEach(hour -> differences.addAll(hour.differences()));
    return new Report(hours, measured, differences);
  }

  private Map<HourOfEnvironment, Map<String, BigDecimal>> byMetric(
      TenantId organization, Instant from, Instant to) {
    Map<HourOfEnvironment, Map<String, BigDecimal>> found = new TreeMap<>(order());
    transactions
        .within(organization, () -> usage.pointsByMetric(organization, from, to))
        .forEach(
            one ->
                found
                    .computeIfAbsent(
                        new HourOfEnvironment(one.hour(), one.environment()),
                        unknown -> new TreeMap<>())
                    .put(one.metric(), one.points()));
    return found;
  }

  /** Rows of the lake by hour of receipt and metric; null when it does not answer. */
  private @Nullable Map<HourOfEnvironment, Map<String, BigDecimal>> stored(
      TenantId organization, Instant from, Instant to) {
    if (lake.isEmpty()) {
      return null;
    }
    try {
      Map<HourOfEnvironment, Map<String, BigDecimal>> stored = new TreeMap<>(order());
      lake.get()
          .received(organization, from, to)
          .forEach(
              (hour, points) ->
                  stored
                      .computeIfAbsent(
                          new HourOfEnvironment(hour.start(), hour.environment()),
                          unknown -> new TreeMap<>())
                      .merge(hour.metric(), BigDecimal.valueOf(points), BigDecimal::add));
      return stored;
    } catch (ProblemException away) {
      LOG.warn("The lake is not reconciled: {}", away.getMessage());
      return null;
    }
  }

  /** What the stores hold by hour of measurement; nothing when one of them does not answer. */
  private List<MeasuredEnvironment> measured(
      TenantId organization, Instant from, Instant to, Instant now) {
    Map<MeasuredHour, LakeStore.Measured> raw;
    Map<MeasuredHour, Long> rows;
    Map<MeasuredHour, Long> shown;
    try {
      raw = lake.orElseThrow().measured(organization, from, to);
      rows = lake.orElseThrow().rolledUp(organization, from, to);
      shown = druid.points(organization, from, to);
    } catch (ProblemException away) {
      LOG.warn("Rows by time of measurement are not reconciled: {}", away.getMessage());
      return List.of();
    }
    TreeSet<MeasuredHour> all =
        new TreeSet<>(
            Comparator.comparing(MeasuredHour::start)
                .thenComparing(MeasuredHour::environment)
                .thenComparing(MeasuredHour::metric));
    all.addAll(raw.keySet());
    all.addAll(rows.keySet());
    all.addAll(shown.keySet());
    Map<HourOfEnvironment, StageSums> sums = new TreeMap<>(order());
    // What exceeds every budget counts for one metric, whatever it was sent as.
    Set<HourOfEnvironment> folded =
        rows.keySet().stream()
            .filter(one -> one.metric().equals(OVERFLOW))
            .map(one -> new HourOfEnvironment(one.start(), one.environment()))
            .collect(Collectors.toSet());
    for (MeasuredHour one : all) {
      HourOfEnvironment place = new HourOfEnvironment(one.start(), one.environment());
      sums.computeIfAbsent(place, unknown -> new StageSums())
          .add(
              one,
              folded.contains(place) ? null : raw.get(one),
              rows.getOrDefault(one, 0L),
              shown.getOrDefault(one, 0L));
    }
    List<MeasuredEnvironment> measured = new ArrayList<>();
    sums.forEach(
        (place, sum) -> {
          boolean isOver =
              now.isAfter(place.hour().plus(1, ChronoUnit.HOURS).plus(UNDER_WAY_IN_STORES));
          measured.add(
              new MeasuredEnvironment(
                  place.hour(),
                  place.environment(),
                  sum.differences.isEmpty() ? State.AGREES : isOver ? State.DIFFERS : State.OPEN,
                  BigDecimal.valueOf(sum.inLake),
                  BigDecimal.valueOf(sum.rolledUp),
                  BigDecimal.valueOf(sum.inRows),
                  BigDecimal.valueOf(sum.inDruid),
                  sum.differences));
        });
    return measured;
  }

  /** Sums of the metrics of an environment in an hour. */
  private static final class StageSums {
    private final List<Difference> differences = new ArrayList<>();
    private long inLake;
    private long rolledUp;
    private long inRows;
    private long inDruid;

    void add(MeasuredHour place, LakeStore.@Nullable Measured raw, long rows, long shown) {
      if (raw != null && raw.isCounted()) {
        inLake += raw.points();
        rolledUp += rows;
        compare(place, Stage.ROLLED_UP, raw.points(), rows);
      }
      inRows += rows;
      inDruid += shown;
      compare(place, Stage.DRUID, rows, shown);
    }

    private void compare(MeasuredHour place, Stage stage, long expected, long found) {
      if (expected != found) {
        differences.add(
            new Difference(
                place.start(),
                place.environment(),
                place.metric(),
                stage,
                BigDecimal.valueOf(expected),
                BigDecimal.valueOf(found)));
      }
    }
  }

  private static Comparator<HourOfEnvironment> order() {
    return Comparator.comparing(HourOfEnvironment::hour)
        .thenComparing(HourOfEnvironment::environment);
  }

  private static Hour hour(
      HourOfEnvironment place,
      BigDecimal acknowledged,
      Map<String, HourUnits> units,
      Map<String, BigDecimal> byMetric,
      @Nullable Map<String, BigDecimal> inLake,
      Instant now,
      Instant keptSince) {
    Hour open =
        new Hour(
            place.hour(),
            place.environment(),
            State.OPEN,
            acknowledged,
            units(units, "points"),
            units(units, "points_set_aside"),
            units(units, "points_without_value"),
            units.containsKey("points") ? units.get("points").invoiced() : BigDecimal.ZERO,
            takenByRollup(units),
            inLake == null
                ? null
                : inLake.values().stream().reduce(BigDecimal.ZERO, BigDecimal::add),
            byMetric,
            inLake == null ? Map.of() : inLake);
    if (place.hour().isBefore(keptSince)) {
      return open.in(State.UNKNOWN);
    }
    if (open.differences().isEmpty()) {
      return open.in(State.AGREES);
    }
    boolean isOver = now.isAfter(place.hour().plus(1, ChronoUnit.HOURS).plus(UNDER_WAY));
    return open.in(isOver ? State.DIFFERS : State.OPEN);
  }

  /** Every job has counted all of an hour in which nothing follows an older vocabulary. */
  private static @Nullable BigDecimal takenByRollup(Map<String, HourUnits> units) {
    return !units.isEmpty()
            && units.values().stream().allMatch(one -> one.oldestMeters() >= FIRST_WITH_ROLLUP_JOB)
        ? units(units, "points_rolled_up")
        : null;
  }

  private static BigDecimal units(Map<String, HourUnits> units, String meter) {
    return units.containsKey(meter) ? units.get(meter).units() : BigDecimal.ZERO;
  }
}
