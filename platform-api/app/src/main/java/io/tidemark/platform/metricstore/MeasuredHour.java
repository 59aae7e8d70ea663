package io.tidemark.platform.metricstore;

import java.time.Instant;

/** An hour of a metric, by when its points were measured. */
public record MeasuredHour(Instant start, String environment, String metric) {}
