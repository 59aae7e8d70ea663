package io.tidemark.platform.billing.domain;

import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.Comparator;

/** What a subject used on a day in UTC. */
public record DailyUse(String meter, LocalDate day, Subject subject, BigDecimal units) {

  /** A resource of an environment; type and id are empty for use that belongs to none. */
  public record Subject(String environment, String resourceType, String resourceId)
      implements Comparable<Subject> {

    private static final Comparator<Subject> ORDER =
        Comparator.comparing(Subject::environment)
            .thenComparing(Subject::resourceType)
            .thenComparing(Subject::resourceId);

    @Override
    public int compareTo(Subject other) {
      return ORDER.compare(this, other);
    }
  }

  /** Use takes what is included and the lower tiers in this order. */
  public static final Comparator<DailyUse> ORDER =
      Comparator.comparing(DailyUse::day).thenComparing(DailyUse::subject);
}
