package io.tidemark.platform.billing.domain;

import java.time.LocalDate;

/** A plan as it was chosen, from the start of a day in UTC on. */
public record PlanVersion(long version, LocalDate effectiveFrom, PricePlan plan) {}
