package io.tidemark.platform.replicas;

import io.tidemark.platform.shared.ProcessRole;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/**
 * Counts of processes, a row each: how much organisations used, and nothing else of them. Only
 * PostgreSQL's clock is asked who is still there.
 */
@Repository
class CrossTenantProcessCounts {

  private final JdbcClient jdbc;

  CrossTenantProcessCounts(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /** Replaces what a process says, and forgets processes that have said nothing for a minute. */
  void tell(String process, Set<ProcessRole> roles, Map<String, Long> totals) {
    List<String> names = List.copyOf(totals.keySet());
    jdbc.sql(
            """
            WITH gone AS (
              DELETE FROM processes.process_count
              WHERE process_id <> :process AND told_at < now() - interval '1 minute'
            )
            INSERT INTO processes.process_count (process_id, roles, counters, totals, told_at)
            VALUES (:process, string_to_array(:roles, ','), string_to_array(:counters, chr(10)),
              string_to_array(:totals, ',')::bigint[], now())
            ON CONFLICT (process_id) DO UPDATE SET
              counters = excluded.counters, totals = excluded.totals, told_at = now()
            """)
        .param("process", process)
        .param("roles", roles.stream().map(ProcessRole::word).collect(Collectors.joining(",")))
        .param("counters", String.join("\n", names))
        .param(
            "totals",
            names.stream()
                .map(name -> Objects.requireNonNull(totals.get(name)).toString())
                .collect(Collectors.joining(",")))
        .update();
  }

  /** What the others say that said something lately. */
  List<SharedCounts.ReportedCounts> others(String process) {
    return jdbc.sql(
            """
            SELECT process_id, roles, counters, totals FROM processes.process_count
            WHERE process_id <> :process AND told_at > now() - interval '15 seconds'
            """)
        .param("process", process)
        .query((row, number) -> told(row))
        .list();
  }

  /** This process ends: what it has is there for others at once. */
  void leave(String process) {
    jdbc.sql("DELETE FROM processes.process_count WHERE process_id = :process")
        .param("process", process)
        .update();
  }

  private static SharedCounts.ReportedCounts told(ResultSet row) throws SQLException {
    String[] counters = (String[]) row.getArray("counters").getArray();
    Long[] amounts = (Long[]) row.getArray("totals").getArray();
    Map<String, Long> totals = new HashMap<>();
    for (int i = 0; i < counters.length; i++) {
      totals.put(counters[i], amounts[i]);
    }
    return new SharedCounts.ReportedCounts(
        row.getString("process_id"),
        ProcessRole.named(String.join(",", (String[]) row.getArray("roles").getArray())),
        totals);
  }
}
