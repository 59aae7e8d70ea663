package io.tidemark.platform.sizing.domain;

import java.math.BigDecimal;

/**
 * A kind of machine.
 *
 * @param hour its price
 * @param network MB/s that it sustains
 * @param storageNetwork MB/s that it sustains to its volumes
 */
public record Machine(
    double cores, double memoryGibibytes, BigDecimal hour, double network, double storageNetwork) {}
