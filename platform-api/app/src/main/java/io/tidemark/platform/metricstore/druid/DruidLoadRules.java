package io.tidemark.platform.metricstore.druid;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.tidemark.platform.druid.DatasourcePlacements;
import io.tidemark.platform.druid.DruidHttp;
import io.tidemark.platform.metricstore.LoadRules;
import io.tidemark.platform.metricstore.Source;
import io.tidemark.platform.shared.ProblemException;
import io.tidemark.platform.shared.TenantId;
import java.net.URI;
import java.net.http.HttpClient;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Period;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Reads from the load rules of the coordinator how long Druid keeps the rows of a datasource: those
 * of the datasource first, then those of the cluster. Only what is surely kept counts: rules are
 * followed as long as each loads all that is newer than its period.
 */
public final class DruidLoadRules implements LoadRules {

  private static final Duration TIMEOUT = Duration.ofSeconds(3);
  private static final int DAYS_OF_MONTH = 28;
  private static final int DAYS_OF_YEAR = 365;

  private final DruidHttp coordinator;

  /** Also when they could not be read, so that a coordinator that is away holds nobody up. */
  private final Cache<String, Optional<LoadPeriod>> known =
      Caffeine.newBuilder().maximumSize(1_000).expireAfterWrite(Duration.ofSeconds(10)).build();

  private final Map<String, LoadPeriod> last = new HashMap<>();
  private final DatasourcePlacements placements;

  /**
   * The rules.
   *
   * @param coordinator base URL
   */
  public DruidLoadRules(HttpClient http, URI coordinator, DatasourcePlacements placements) {
    this.placements = placements;
    this.coordinator = new DruidHttp(http, coordinator, TIMEOUT);
  }

  @Override
  public Optional<LoadPeriod> of(TenantId organization, Source source) {
    return placements.datasources(organization, source.datasource()).stream()
        .map(datasource -> known.get(datasource, this::read))
        .reduce((one, other) -> one.flatMap(kept -> other.map(more -> least(kept, more))))
        .orElseThrow();
  }

  /** What two datasources both keep. */
  static LoadPeriod least(LoadPeriod one, LoadPeriod other) {
    if (one.period().isEmpty() || other.period().isEmpty()) {
      return one.period().isEmpty() ? other : one;
    }
    return one.period().get().compareTo(other.period().get()) < 0 ? one : other;
  }

  private Optional<LoadPeriod> read(String datasource) {
    try {
      LoadPeriod keeping =
          kept(coordinator.get("/druid/coordinator/v1/rules/" + datasource + "?full=true"));
      synchronized (last) {
        last.put(datasource, keeping);
      }
      return Optional.of(keeping);
    } catch (ProblemException away) {
      synchronized (last) {
        return Optional.ofNullable(last.get(datasource));
      }
    }
  }

  /** What rules keep for sure, in their order. */
  static LoadPeriod kept(JsonNode rules) {
    Duration kept = Duration.ZERO;
    Duration most = null;
    for (JsonNode rule : rules) {
      switch (rule.path("type").asString("")) {
        case "loadForever" -> {
          return new LoadPeriod(Optional.ofNullable(most));
        }
        case "loadByPeriod" -> {
          Duration period = period(rule);
          kept = period.compareTo(kept) > 0 ? period : kept;
        }
        case "dropBeforeByPeriod" -> {
          Duration period = period(rule);
          most = most == null || period.compareTo(most) < 0 ? period : most;
        }
        // Nothing that one interval says changes how old rows may be that are all there.
        case "loadByInterval", "broadcastForever", "broadcastByPeriod", "broadcastByInterval" -> {}
        default -> {
          return new LoadPeriod(Optional.of(least(kept, most)));
        }
      }
    }
    return new LoadPeriod(Optional.of(least(kept, most)));
  }

  private static Duration least(Duration kept, @Nullable Duration most) {
    return most == null || kept.compareTo(most) < 0 ? kept : most;
  }

  /** ISO 8601 as Druid writes it; months and years at their shortest. */
  private static Duration period(JsonNode rule) {
    String text = rule.path("period").asString("");
    int time = text.indexOf('T');
    try {
      Period days = Period.parse(time < 0 ? text : time == 1 ? "P0D" : text.substring(0, time));
      Duration rest = time < 0 ? Duration.ZERO : Duration.parse("P" + text.substring(time));
      return rest.plusDays(
          days.getDays()
              + DAYS_OF_MONTH * days.getMonths()
              + DAYS_OF_YEAR * (long) days.getYears());
    } catch (DateTimeException unreadable) {
      return Duration.ZERO;
    }
  }
}
