package io.tidemark.platform.usage;

import java.time.Instant;

/**
 * A tally with units that the ledger does not have.
 *
 * @param process that counted
 * @param used with those units only
 * @param part which part of the tally they are, from 0
 */
public record OpenTally(String process, Instant hour, UsedUnits used, int part) {}
