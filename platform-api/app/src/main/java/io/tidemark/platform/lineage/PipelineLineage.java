package io.tidemark.platform.lineage;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.tidemark.platform.alerting.AlertProgress;
import io.tidemark.platform.billing.LedgerProgress;
import io.tidemark.platform.completeness.PipelineProgress;
import io.tidemark.platform.lineage.LineageGraph.Observation;
import io.tidemark.platform.metricstore.QueryScope;
import io.tidemark.platform.metricstore.SeriesCounter;
import io.tidemark.platform.metricstore.SeriesCounter.Counting;
import io.tidemark.platform.metricstore.Source;
import io.tidemark.platform.metricstore.TimeInterval;
import io.tidemark.platform.receipts.ReceivedBatches;
import io.tidemark.platform.shared.EnvironmentId;
import io.tidemark.platform.shared.ProblemException;
import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.tenancy.Environments;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.springframework.stereotype.Service;

/**
 * Assembles the lineage of an environment from all modules that measure a part of it; caches it for
 * ten seconds.
 */
@Service
public class PipelineLineage {

  private static final Duration WINDOW = Duration.ofMinutes(10);

  /** What the gateway took in stands in the receipts a second or two later. */
  private static final Duration RECORDED_AFTER = Duration.ofSeconds(5);

  /** Rows are complete about a minute after they were sent. Alerts are blind after the same. */
  private static final Duration LATE_AFTER = Duration.ofMinutes(5);

  /** An hour is reconciled about 16 minutes after its end, and the next one an hour later. */
  private static final Duration LEDGER_LATE_AFTER = Duration.ofMinutes(90);

  private static final Duration REMEMBERED = Duration.ofSeconds(10);

  private record Key(TenantId organization, EnvironmentId environment) {}

  private final Environments environments;
  private final ReceivedBatches received;
  private final SeriesCounter rows;
  private final PipelineProgress progress;
  private final AlertProgress alerts;
  private final LedgerProgress ledger;
  private final Clock clock;

  private final Cache<Key, LineageGraph> graphs =
      Caffeine.newBuilder().maximumSize(1_000).expireAfterWrite(REMEMBERED).build();

  PipelineLineage(
      Environments environments,
      ReceivedBatches received,
      SeriesCounter rows,
      PipelineProgress progress,
      AlertProgress alerts,
      LedgerProgress ledger,
      Clock clock) {
    this.environments = environments;
    this.received = received;
    this.rows = rows;
    this.progress = progress;
    this.alerts = alerts;
    this.ledger = ledger;
    this.clock = clock;
  }

  /** The graph of an environment; {@code not_found}. A store that is away is unknown in it. */
  public LineageGraph of(TenantId organization, String environment) {
    EnvironmentId place = environments.get(organization, environment).id();
    return graphs.get(new Key(organization, place), this::observe);
  }

  private LineageGraph observe(Key key) {
    Instant now = clock.instant();
    Instant end = now.minus(RECORDED_AFTER).truncatedTo(ChronoUnit.MINUTES);
    TimeInterval window = new TimeInterval(end.minus(WINDOW), end);
    Optional<Instant> stored = progress.completeUntil(key.organization());
    return LineageGraph.of(
        now,
        window,
        new Observation(
            whole(
                window,
                received.pointsByMinute(
                    key.organization(), key.environment(), window.start(), end)),
            rows(key, window, stored.orElse(Instant.MIN)),
            whole(
                window,
                alerts.transitionsByMinute(
                    key.organization(), key.environment(), window.start(), end)),
            entries(key, window),
            Reach.of(
                progress.committedUntil(key.organization()),
                LATE_AFTER,
                "The rollup job has not said yet how far its rows are committed."),
            Reach.of(
                stored,
                LATE_AFTER,
                "How far Druid has read is not known now: it does not answer, or does not serve all"
                    + " that it has."),
            Reach.of(
                progress.lakeCompleteUntil(key.organization()),
                LATE_AFTER,
                "It is not known how far the lake is: there is none, or it has not been asked yet."),
            decided(alerts.decided(key.organization(), key.environment())),
            Reach.of(
                ledger.reconciledUntil(key.organization()),
                LEDGER_LATE_AFTER,
                "No hour of the ledger agrees with the receipts yet; each is compared about 16"
                    + " minutes after its end.")));
  }

  private static Counts whole(TimeInterval window, Map<Instant, Long> found) {
    return Counts.of(window, found, window.end());
  }

  /** The page must say where the pipeline stands also when that is at Druid. */
  private Counts rows(Key key, TimeInterval window, Instant stored) {
    QueryScope scope = new QueryScope(key.organization(), Set.of(key.environment().value()));
    try {
      return Counts.of(
          window, rows.rowsByMinute(scope, new Counting(Source.MINUTES, window)), stored);
    } catch (ProblemException away) {
      return Counts.unknown("Rows cannot be counted now. " + String.join(" ", away.details()));
    }
  }

  private Counts entries(Key key, TimeInterval window) {
    return ledger
        .entriesByMinute(key.organization(), key.environment(), window.start(), window.end())
        .map(found -> whole(window, found))
        .orElseGet(
            () ->
                Counts.unknown(
                    "The ledger has so many entries of these minutes that they are not counted."));
  }

  static Reach decided(AlertProgress.Decided decided) {
    if (decided.rules() == 0) {
      return Reach.unneeded("No alert rule is enabled in this environment: nothing is decided.");
    }
    if (!decided.isKnown()) {
      return Reach.unknown("What the alert job has decided has not been read yet.");
    }
    if (decided.silent() > 0) {
      return Reach.unknown(
          "The alert job has not said that it decides "
              + decided.silent()
              + " of "
              + decided.rules()
              + " rules; it stands, or has not read them.");
    }
    return Reach.of(
        Optional.ofNullable(decided.until()),
        LATE_AFTER,
        "The rules are new; the alert job has decided no minute of them yet.");
  }
}
