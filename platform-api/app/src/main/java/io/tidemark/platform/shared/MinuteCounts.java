package io.tidemark.platform.shared;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.SortedMap;
import java.util.TreeMap;
import org.springframework.jdbc.core.ResultSetExtractor;

/** Reads rows of a start of minute and a count. */
public final class MinuteCounts implements ResultSetExtractor<SortedMap<Instant, Long>> {

  @Override
  public SortedMap<Instant, Long> extractData(ResultSet rows) throws SQLException {
    SortedMap<Instant, Long> counts = new TreeMap<>();
    while (rows.next()) {
      counts.put(rows.getObject(1, OffsetDateTime.class).toInstant(), rows.getLong(2));
    }
    return counts;
  }
}
