package io.tidemark.platform.quotas;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What was set; null where nothing was. */
public record QuotaOverrides(
    @Nullable Long requestsPerSecond,
    @Nullable Long bytesPerSecond,
    @Nullable Long pointsPerSecond) {

  static final QuotaOverrides NONE = new QuotaOverrides(null, null, null);

  /** Those of a row of the table quota. */
  static QuotaOverrides of(ResultSet row) throws SQLException {
    return new QuotaOverrides(
        row.getObject("requests_per_second", Long.class),
        row.getObject("bytes_per_second", Long.class),
        row.getObject("points_per_second", Long.class));
  }

  /** One sentence per number that is out of its range. */
  List<String> faults(QuotaAmounts plan) {
    List<String> faults = new ArrayList<>();
    check("requests_per_second", requestsPerSecond, plan.requests(), faults);
    check("bytes_per_second", bytesPerSecond, plan.bytes(), faults);
    check("points_per_second", pointsPerSecond, plan.points(), faults);
    return faults;
  }

  private static void check(String field, @Nullable Long number, long plan, List<String> faults) {
    if (number != null && (number < 1 || number > plan)) {
      faults.add(field + " must be 1 to " + plan + ", which is the plan's, or null for it.");
    }
  }

  /** These, where they are below the others. */
  QuotaAmounts within(QuotaAmounts above) {
    return new QuotaAmounts(
        least(requestsPerSecond, above.requests()),
        least(bytesPerSecond, above.bytes()),
        least(pointsPerSecond, above.points()));
  }

  private static long least(@Nullable Long set, long above) {
    return set == null ? above : Math.min(set, above);
  }
}
