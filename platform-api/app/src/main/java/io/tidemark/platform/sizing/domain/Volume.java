package io.tidemark.platform.sizing.domain;

import java.math.BigDecimal;

/**
 * A kind of volume.
 *
 * @param gigabyteMonth price of a gigabyte for a month
 * @param throughput MB/s
 * @param largestGigabytes of one volume
 */
public record Volume(BigDecimal gigabyteMonth, double throughput, double largestGigabytes) {}
