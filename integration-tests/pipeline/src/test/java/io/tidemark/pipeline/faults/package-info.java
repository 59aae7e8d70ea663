/**
 * Processes die, stop, are upgraded or are attacked while points flow, and a ledger says afterwards
 * whether a point is missing or counted twice.
 */
package io.tidemark.pipeline.faults;
