package io.tidemark.platform.billing;

import io.tidemark.platform.billing.JdbcUsageSums.HourUnits;
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
import java.util.TreeMap;
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

  private static final Duration LONGEST = Duration.ofDays(31);
  private static final Duration LONGEST_IN_LAKE = Duration.ofHours(6);

  private final TenantTransactions transactions;
  private final JdbcUsageSums usage;
  private final ReceivedBatches receipts;
  private final Optional<LakeStore> lake;
  private final Clock clock;

  Reconciler(
      TenantTransactions transactions,
      JdbcUsageSums usage,
      ReceivedBatches receipts,
      Optional<LakeStore> lake,
      Clock clock) {
    this.transactions = transactions;
    this.usage = usage;
    this.receipts = receipts;
    this.lake = lake;
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
   * @param inLake null when the lake was not asked or did not answer
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
      BigDecimal inLake) {

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
          inLake);
    }

    private boolean agrees() {
      return sentences().isEmpty();
    }

    /** A sentence for each stage that has other points than the one before it. */
    List<String> sentences() {
      List<String> sentences = new ArrayList<>();
      if (difference().signum() != 0) {
        sentences.add(
            named()
                + acknowledged.toPlainString()
                + " points acknowledged, but "
                + metered.toPlainString()
                + " metered, "
                + setAside.toPlainString()
                + " set aside and "
                + withoutValue.toPlainString()
                + " without a value; the stage metered has "
                + amount(difference()));
      }
      if (invoiced.compareTo(metered) != 0) {
        sentences.add(
            named()
                + metered.toPlainString()
                + " points metered; the stage invoiced has "
                + amount(invoiced.subtract(metered)));
      }
      if (inLake != null && inLake.compareTo(metered) != 0) {
        sentences.add(
            named()
                + metered.toPlainString()
                + " points metered; the stage lake has "
                + amount(inLake.subtract(metered)));
      }
      return sentences;
    }

    private String named() {
      return "Hour " + start + ", environment " + environment + ": ";
    }

    private static String amount(BigDecimal difference) {
      return difference.abs().toPlainString()
          + (difference.signum() < 0 ? " too few." : " too many.");
    }
  }

  /** Hours in order, and a sentence for each that differs. */
  public record Report(List<Hour> hours, List<String> differences) {}

  private record Place(Instant hour, String environment) {}

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
    Map<Place, BigDecimal> acknowledged = new TreeMap<>(order());
    Map<Place, Map<String, HourUnits>> metered = new TreeMap<>(order());
    transactions.run(
        organization,
        () -> {
          for (ReceivedPoints one : receipts.points(organization, first, to)) {
            acknowledged.put(
                new Place(one.hour(), one.environment().value()), BigDecimal.valueOf(one.points()));
          }
          for (HourUnits one : usage.byHourAndEnvironment(organization, first, to)) {
            metered
                .computeIfAbsent(
                    new Place(one.hour(), one.environment()), unknown -> new TreeMap<>())
                .put(one.meter(), one);
          }
        });
    acknowledged.keySet().forEach(place -> metered.putIfAbsent(place, Map.of()));
    Map<Place, BigDecimal> stored = withLake ? stored(organization, first, to) : null;
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
                    stored == null ? null : stored.getOrDefault(place, BigDecimal.ZERO),
                    now,
                    keptSince)));
    return new Report(
        hours,
        hours.stream()
            .filter(hour -> hour.state() == State.DIFFERS)
            .flatMap(hour -> hour.sentences().stream())
            .toList());
  }

  /** Rows of the lake by hour of receipt; null when it does not answer. */
  private Map<Place, BigDecimal> stored(TenantId organization, Instant from, Instant to) {
    if (lake.isEmpty()) {
      return null;
    }
    try {
      Map<Place, BigDecimal> stored = new TreeMap<>(order());
      lake.get()
          .received(organization, from, to)
          .forEach(
              (hour, points) ->
                  stored.put(
                      new Place(hour.start(), hour.environment()), BigDecimal.valueOf(points)));
      return stored;
    } catch (ProblemException away) {
      LOG.warn("The lake is not reconciled: {}", away.getMessage());
      return null;
    }
  }

  private static Comparator<Place> order() {
    return Comparator.comparing(Place::hour).thenComparing(Place::environment);
  }

  private static Hour hour(
      Place place,
      BigDecimal acknowledged,
      Map<String, HourUnits> units,
      BigDecimal inLake,
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
            inLake);
    if (place.hour().isBefore(keptSince)) {
      return open.in(State.UNKNOWN);
    }
    if (open.agrees()) {
      return open.in(State.AGREES);
    }
    boolean isOver = now.isAfter(place.hour().plus(1, ChronoUnit.HOURS).plus(UNDER_WAY));
    return open.in(isOver ? State.DIFFERS : State.OPEN);
  }

  private static BigDecimal units(Map<String, HourUnits> units, String meter) {
    return units.containsKey(meter) ? units.get(meter).units() : BigDecimal.ZERO;
  }
}
