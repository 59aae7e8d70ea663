package io.tidemark.platform.deletion;

import io.tidemark.platform.audit.Actor;
import io.tidemark.platform.audit.AuditEntry;
import io.tidemark.platform.audit.AuditFilter;
import io.tidemark.platform.audit.AuditLog;
import io.tidemark.platform.deletion.DataDeletion.ControlPlaneRows;
import io.tidemark.platform.deletion.DataDeletion.Kind;
import io.tidemark.platform.deletion.DataDeletion.Subject;
import io.tidemark.platform.druid.DatasourcePlacements;
import io.tidemark.platform.retention.Level;
import io.tidemark.platform.retention.Retention;
import io.tidemark.platform.shared.EnvironmentId;
import io.tidemark.platform.shared.IdentifierSource;
import io.tidemark.platform.shared.PageRequest;
import io.tidemark.platform.shared.ProblemException;
import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.shared.TenantTransactions;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Service;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Begins removals: those that somebody asked for, and those that are due. */
@Service
class DeletionScheduler {

  private static final Logger LOG = LoggerFactory.getLogger(DeletionScheduler.class);

  /** Runs of retention that are kept for people to see. */
  private static final int RUNS_KEPT = 30;

  /** Kafka has forgotten what was on the way: the second removal of an environment is the last. */
  private static final Duration AGAIN_AFTER = Duration.ofDays(8);

  private static final List<String> CONTROL_PLANE_ACTIONS =
      List.of("catalog.remove", "quotas.remove", "receipts.remove", "retention.remove");

  private static final JsonMapper JSON = JsonMapper.builder().build();

  private final TenantTransactions transactions;
  private final CrossTenantDeletions due;
  private final JdbcDeletionRepository rows;
  private final DeletableRows stored;
  private final DatasourcePlacements placements;
  private final LakeDeletionPublisher lake;
  private final Retention retention;
  private final AuditLog audit;
  private final DeletionProperties properties;
  private final IdentifierSource identifiers;
  private final Clock clock;

  DeletionScheduler(
      TenantTransactions transactions,
      CrossTenantDeletions due,
      JdbcDeletionRepository rows,
      DeletableRows stored,
      DatasourcePlacements placements,
      LakeDeletionPublisher lake,
      Retention retention,
      AuditLog audit,
      DeletionProperties properties,
      IdentifierSource identifiers,
      Clock clock) {
    this.transactions = transactions;
    this.due = due;
    this.rows = rows;
    this.stored = stored;
    this.placements = placements;
    this.lake = lake;
    this.retention = retention;
    this.audit = audit;
    this.properties = properties;
    this.identifiers = identifiers;
    this.clock = clock;
  }

  /** Begins what is due and was not begun yet. */
  void beginDue() {
    Instant now = clock.instant();
    due.toExpire(now.minus(properties.period()))
        .forEach(owner -> expire(owner.organization(), owner.environment()));
    for (CrossTenantDeletions.Owner owner : due.toClear(now.minus(AGAIN_AFTER))) {
      try {
        clear(owner.organization(), owner.environment());
      } catch (ProblemException notNow) {
        // It stays due.
        LOG.warn("Data of {} cannot be removed now: {}", owner, notNow.getMessage());
      }
    }
  }

  private void expire(TenantId organization, EnvironmentId environment) {
    Instant now = clock.instant();
    transactions.run(
        organization,
        () -> {
          var policy = retention.get(organization, environment.value()).policy();
          List<DeletionRule> rules = new ArrayList<>();
          for (Level level : Level.values()) {
            policy
                .expired(level, now)
                .forEach(expired -> rules.add(DeletionRule.of(level, expired)));
          }
          if (rows.mayBegin(
              organization, environment, Kind.RETENTION, now.minus(properties.period()))) {
            // Points that are too old are refused, so nothing of it is on its way for long.
            begin(
                organization,
                environment,
                Kind.RETENTION,
                Subject.NONE,
                rules,
                now.plus(properties.settling()),
                List.of());
            // One that a region never ended still has its order; later runs find the same rows.
            rows.forgetExpirations(organization, environment, RUNS_KEPT).forEach(lake::isDone);
          }
        });
  }

  private void clear(TenantId organization, EnvironmentId environment) {
    List<DeletionRule> everything = List.of(DeletionRule.everything());
    Instant settled = settledFrom(newest(organization, environment, everything));
    transactions.run(
        organization,
        () -> {
          if (rows.mayBegin(
              organization, environment, Kind.ENVIRONMENT, clock.instant().minus(AGAIN_AFTER))) {
            DataDeletion begun =
                begin(
                    organization,
                    environment,
                    Kind.ENVIRONMENT,
                    Subject.NONE,
                    everything,
                    settled,
                    controlPlane(organization, environment));
            audit.done(
                organization,
                Actor.system("removal"),
                "deletion.begin",
                "deletion",
                begun.id(),
                null,
                Map.of("environment_id", environment.value()));
          }
        });
  }

  /** What the control plane removed of the environment is what it has written down of it. */
  private List<ControlPlaneRows> controlPlane(TenantId organization, EnvironmentId environment) {
    List<ControlPlaneRows> found = new ArrayList<>();
    for (String action : CONTROL_PLANE_ACTIONS) {
      audit
          .list(
              organization,
              new AuditFilter(action, null, environment.value(), null, null),
              new PageRequest(1, ""))
          .items()
          .stream()
          .filter(AuditEntry::done)
          .forEach(entry -> found.add(new ControlPlaneRows(action, numbers(entry.after()))));
    }
    return found;
  }

  private static Map<String, Long> numbers(@Nullable String after) {
    Map<String, Long> numbers = new java.util.TreeMap<>();
    if (after != null) {
      for (Map.Entry<String, JsonNode> field : JSON.readTree(after).properties()) {
        if (field.getValue().isIntegralNumber()) {
          numbers.put(field.getKey(), field.getValue().asLong());
        }
      }
    }
    return numbers;
  }

  /** The latest window of minutes that has any of the rows; null when there is none. */
  @Nullable Instant newest(
      TenantId organization, EnvironmentId environment, List<DeletionRule> rules) {
    Instant newest = null;
    for (String datasource :
        DeletionTargets.datasources(placements, organization).stream()
            .filter(DeletionTargets::isOfMinutes)
            .toList()) {
      Instant found =
          stored.find(datasource, DeletionRule.filter(organization, environment, rules)).newest();
      newest = newest == null || (found != null && found.isAfter(newest)) ? found : newest;
    }
    return newest;
  }

  /**
   * From when on nothing is on its way any more. Points of a day that is not over are in minutes
   * already, but its row is written when it is over.
   *
   * @param newest window of minutes; null when there is none
   */
  Instant settledFrom(@Nullable Instant newest) {
    Instant now = clock.instant();
    Instant over =
        newest == null ? now : newest.truncatedTo(ChronoUnit.DAYS).plus(1, ChronoUnit.DAYS);
    return (over.isAfter(now) ? over : now).plus(properties.settling());
  }

  /** Joins the running transaction. */
  DataDeletion begin(
      TenantId organization,
      EnvironmentId environment,
      Kind kind,
      Subject subject,
      List<DeletionRule> rules,
      Instant settledFrom,
      List<ControlPlaneRows> controlPlane) {
    Instant now = clock.instant().truncatedTo(ChronoUnit.MICROS);
    // In the order of time, so that lists are.
    String id =
        "del-%011x%s"
            .formatted(
                now.toEpochMilli(),
                identifiers.next().replaceAll("[^a-z0-9]", "").substring(0, 10));
    DataDeletion begun =
        new DataDeletion(
            organization,
            id,
            environment,
            kind,
            subject,
            rules,
            now,
            settledFrom.truncatedTo(ChronoUnit.MILLIS),
            settledFrom.truncatedTo(ChronoUnit.MILLIS),
            DeletionTargets.datasources(placements, organization).stream()
                .filter(datasource -> rules.stream().anyMatch(rule -> rule.isAbout(datasource)))
                .map(DruidDeletionStep::begin)
                .toList(),
            DeletionTargets.TABLES.stream().map(LakeDeletionStep::begin).toList(),
            controlPlane,
            null,
            null,
            null,
            List.of());
    rows.insert(organization, begun);
    lake.remove(begun);
    return begun;
  }
}
