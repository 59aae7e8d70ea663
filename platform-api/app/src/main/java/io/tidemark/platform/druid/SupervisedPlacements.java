package io.tidemark.platform.druid;

import io.tidemark.platform.shared.ErrorCode;
import io.tidemark.platform.shared.ProblemException;
import io.tidemark.platform.shared.TenantId;
import java.time.Clock;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

/**
 * Reads placements from Druid's supervisors, so that no setting of a process can differ from what
 * Druid does. Provisioning writes them into the context of each supervisor of a shared datasource,
 * beside the filter that leaves the rows out.
 *
 * <p>They are read again every ten seconds. One that was seen stays: it is never taken back.
 */
public final class SupervisedPlacements implements DatasourcePlacements {

  /** Name of the list in a supervisor's context. */
  static final String CONTEXT = "tidemark_placements";

  private static final Logger LOG = LoggerFactory.getLogger(SupervisedPlacements.class);
  private static final Duration PERIOD = Duration.ofSeconds(10);

  private final Function<String, JsonNode> overlord;
  private final List<String> shared;
  private final Clock clock;
  private final ReentrantLock looking = new ReentrantLock();
  private Instant next = Instant.MIN;
  private volatile Optional<Set<DatasourcePlacement>> seen = Optional.empty();

  /**
   * Placements as an overlord tells them.
   *
   * @param overlord what it answers to a path; a missing node when it has no such thing
   * @param shared names of the shared datasources, and so of their supervisors
   */
  public SupervisedPlacements(
      Function<String, JsonNode> overlord, List<String> shared, Clock clock) {
    this.overlord = overlord;
    this.shared = List.copyOf(shared);
    this.clock = clock;
  }

  @Override
  public List<DatasourcePlacement> all() {
    lookIfDue();
    return List.copyOf(
        seen.orElseThrow(
            () ->
                ProblemException.passing(
                    null,
                    ErrorCode.STORE_UNAVAILABLE,
                    "It is not known yet which datasources hold these rows: Druid's overlord does"
                        + " not say. Try again in some seconds.",
                    PERIOD)));
  }

  /** An overlord that is away holds nobody up who knows what it said before. */
  private void lookIfDue() {
    if (seen.isPresent()) {
      if (!looking.tryLock()) {
        return;
      }
    } else {
      looking.lock();
    }
    try {
      Instant now = clock.instant();
      if (!now.isBefore(next)) {
        next = now.plus(PERIOD);
        look();
      }
    } finally {
      looking.unlock();
    }
  }

  private void look() {
    Set<DatasourcePlacement> found = new LinkedHashSet<>();
    seen.ifPresent(found::addAll);
    try {
      for (String datasource : shared) {
        found.addAll(of(overlord.apply("/druid/indexer/v1/supervisor/" + datasource)));
      }
    } catch (ProblemException away) {
      LOG.warn("Placements are not read; tried again: {}", away.getMessage());
      return;
    }
    seen = Optional.of(found);
  }

  /** Those that one supervisor knows. */
  static List<DatasourcePlacement> of(JsonNode supervisor) {
    List<DatasourcePlacement> found = new ArrayList<>();
    for (JsonNode each : supervisor.path("context").path(CONTEXT)) {
      try {
        found.add(
            new DatasourcePlacement(
                new TenantId(each.path("organization_id").asString("")),
                each.path("name").asString(""),
                Instant.parse(each.path("from").asString(""))));
      } catch (IllegalArgumentException | DateTimeException unreadable) {
        // Left out, rows would be missing from answers.
        throw ProblemException.causedBy(
            unreadable,
            ErrorCode.STORE_FAILED,
            "Druid names a placement that cannot be read. Provision it again.");
      }
    }
    return found;
  }
}
