package io.tidemark.flink.model.cumulative;

/**
 * The last reading of a series that was used. State of the rollup job.
 *
 * @param startUnixNano its start; 0 when unknown
 * @param timeUnixNano its time
 * @param sum its total, or NaN
 * @param count its observations; 0 for counters
 */
public record CumulativeReference(long startUnixNano, long timeUnixNano, double sum, long count) {}
