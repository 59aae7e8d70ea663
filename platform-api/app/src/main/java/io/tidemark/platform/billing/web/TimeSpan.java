package io.tidemark.platform.billing.web;

import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;

/** What a request says of time; without, the running month until now. */
record TimeSpan(Instant from, Instant to) {

  static TimeSpan of(@Nullable OffsetDateTime from, @Nullable OffsetDateTime to, Instant now) {
    Instant until = to == null ? now : to.toInstant();
    return new TimeSpan(
        from == null
            ? LocalDate.ofInstant(now, ZoneOffset.UTC)
                .withDayOfMonth(1)
                .atStartOfDay(ZoneOffset.UTC)
                .toInstant()
            : from.toInstant(),
        until);
  }
}
