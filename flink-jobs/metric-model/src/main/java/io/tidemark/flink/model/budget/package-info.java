/**
 * What a tenant may use, and what becomes of the rest: series over a budget are folded into
 * overflow series, so that totals stay exact and memory stays bounded. Knows nothing of panes.
 */
@NullMarked
package io.tidemark.flink.model.budget;

import org.jspecify.annotations.NullMarked;
