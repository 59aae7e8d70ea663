package io.tidemark.platform.tenancy;

import io.tidemark.platform.shared.EnvironmentId;
import io.tidemark.platform.shared.TenantId;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/**
 * Finds environments of all organisations that Tidemark itself has to do something about. Gives
 * their identifiers only; what is done is done in a transaction of each organisation.
 */
@Repository
public class CrossTenantEnvironments {

  /** An environment and whose it is. */
  public record EnvironmentRef(TenantId organization, EnvironmentId environment) {}

  private final JdbcClient jdbc;

  CrossTenantEnvironments(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /** Those that the pipeline has not been told of. */
  public List<EnvironmentRef> withoutControlRecord() {
    return places(jdbc.sql("SELECT * FROM environments_without_control_record()"));
  }

  /** Those whose deletion is to become final at the given time. */
  List<EnvironmentRef> toFinishDeleting(Instant at) {
    return places(
        jdbc.sql("SELECT * FROM environments_to_finish_deleting(:at)")
            .param("at", at.atOffset(ZoneOffset.UTC)));
  }

  /** Organisations whose deletion is to become final at the given time. */
  List<TenantId> organizationsToFinishDeleting(Instant at) {
    return jdbc.sql("SELECT * FROM organizations_to_finish_deleting(:at)")
        .param("at", at.atOffset(ZoneOffset.UTC))
        .query((row, number) -> new TenantId(row.getString("organization_id")))
        .list();
  }

  private static List<EnvironmentRef> places(JdbcClient.StatementSpec query) {
    return query
        .query(
            (row, number) ->
                new EnvironmentRef(
                    new TenantId(row.getString("organization_id")),
                    new EnvironmentId(row.getString("environment_id"))))
        .list();
  }
}
