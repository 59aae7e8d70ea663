package io.tidemark.platform.billing;

import io.tidemark.platform.billing.JdbcUsageSums.HourUnits;
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
import java.util.TreeMap;
import org.springframework.stereotype.Service;

/**
 * Compares what was acknowledged to senders, by receipts, with what was metered and is on invoices,
 * hour by hour.
 */
@Service
public class Reconciler {

  /** How long after its end an hour may still get its last regular record. */
  private static final Duration UNDER_WAY = Duration.ofMinutes(3);

  private static final Duration LONGEST = Duration.ofDays(31);

  private final TenantTransactions transactions;
  private final JdbcUsageSums usage;
  private final ReceivedBatches receipts;
  private final Clock clock;

  Reconciler(
      TenantTransactions transactions, JdbcUsageSums usage, ReceivedBatches receipts, Clock clock) {
    this.transactions = transactions;
    this.usage = usage;
    this.receipts = receipts;
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

  /** An hour of an environment at every stage. */
  public record Hour(
      Instant start,
      String environment,
      State state,
      BigDecimal acknowledged,
      BigDecimal metered,
      BigDecimal setAside,
      BigDecimal withoutValue) {

    /** Of what arrived and what was acknowledged; zero when nothing is missing or doubled. */
    public BigDecimal difference() {
      return metered.add(setAside).add(withoutValue).subtract(acknowledged);
    }

    String sentence() {
      return "Hour "
          + start
          + ", environment "
          + environment
          + ": "
          + acknowledged.toPlainString()
          + " points acknowledged, but "
          + metered.toPlainString()
          + " metered, "
          + setAside.toPlainString()
          + " set aside and "
          + withoutValue.toPlainString()
          + " without a value; the stage metered has "
          + difference().abs().toPlainString()
          + (difference().signum() < 0 ? " too few." : " too many.");
    }
  }

  /** Hours in order, and a sentence for each that differs. */
  public record Report(List<Hour> hours, List<String> differences) {}

  private record Place(Instant hour, String environment) {}

  /**
   * Compares the hours that begin between two times.
   *
   * @throws ProblemException {@code invalid_request}
   */
  public Report reconcile(TenantId organization, Instant from, Instant to) {
    if (!from.isBefore(to) || Duration.between(from, to).compareTo(LONGEST) > 0) {
      throw ProblemException.of(
          ErrorCode.INVALID_REQUEST,
          "from must be before to, at most " + LONGEST.toDays() + " days.");
    }
    Instant first = from.truncatedTo(ChronoUnit.HOURS);
    Map<Place, BigDecimal> acknowledged = new TreeMap<>(order());
    Map<Place, Map<String, BigDecimal>> metered = new TreeMap<>(order());
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
                .put(one.meter(), one.units());
          }
        });
    acknowledged.keySet().forEach(place -> metered.putIfAbsent(place, Map.of()));
    Instant now = clock.instant();
    Instant keptSince = receipts.keptSince();
    List<Hour> hours = new ArrayList<>();
    metered.forEach(
        (place, units) -> hours.add(hour(place, acknowledged.get(place), units, now, keptSince)));
    return new Report(
        hours,
        hours.stream().filter(hour -> hour.state() == State.DIFFERS).map(Hour::sentence).toList());
  }

  private static Comparator<Place> order() {
    return Comparator.comparing(Place::hour).thenComparing(Place::environment);
  }

  private static Hour hour(
      Place place,
      BigDecimal acknowledged,
      Map<String, BigDecimal> units,
      Instant now,
      Instant keptSince) {
    Hour hour =
        new Hour(
            place.hour(),
            place.environment(),
            State.OPEN,
            acknowledged == null ? BigDecimal.ZERO : acknowledged,
            units.getOrDefault("points", BigDecimal.ZERO),
            units.getOrDefault("points_set_aside", BigDecimal.ZERO),
            units.getOrDefault("points_without_value", BigDecimal.ZERO));
    State state;
    if (hour.start().isBefore(keptSince)) {
      state = State.UNKNOWN;
    } else if (hour.difference().signum() == 0) {
      state = State.AGREES;
    } else {
      boolean isOver = now.isAfter(hour.start().plus(1, ChronoUnit.HOURS).plus(UNDER_WAY));
      state = isOver ? State.DIFFERS : State.OPEN;
    }
    return new Hour(
        hour.start(),
        hour.environment(),
        state,
        hour.acknowledged(),
        hour.metered(),
        hour.setAside(),
        hour.withoutValue());
  }
}
