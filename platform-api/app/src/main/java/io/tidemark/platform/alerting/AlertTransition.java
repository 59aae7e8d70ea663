package io.tidemark.platform.alerting;

import io.tidemark.platform.shared.EnvironmentId;
import io.tidemark.platform.shared.TenantId;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the pipeline says of a group; the contract events/tidemark/alerts/v1/transition.proto.
 *
 * @param incidentId empty when it belongs to no incident
 * @param until null while the incident is open
 * @param value null without one
 */
public record AlertTransition(
    String id,
    TenantId organization,
    EnvironmentId environment,
    String ruleId,
    long ruleVersion,
    String groupId,
    Map<String, String> group,
    long sequence,
    Kind kind,
    String state,
    String incidentId,
    Instant minute,
    Instant since,
    @Nullable Instant until,
    @Nullable Double value,
    double threshold,
    Instant completeUntil,
    boolean early,
    boolean revised,
    boolean released,
    String reason) {

  /** What happened. */
  public enum Kind {
    CHANGED,
    FIRED,
    RESOLVED,
    CORRECTED,
    RETRACTED
  }
}
