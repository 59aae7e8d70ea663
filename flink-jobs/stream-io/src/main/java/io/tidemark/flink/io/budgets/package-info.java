/** Records of exceeded budgets, in the form of the contract events/tidemark/budgets/v1. */
@NullMarked
package io.tidemark.flink.io.budgets;

import org.jspecify.annotations.NullMarked;
