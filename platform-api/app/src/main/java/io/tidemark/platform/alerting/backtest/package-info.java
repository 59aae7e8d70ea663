/**
 * What a rule would have told of rows that are stored. The pipeline's own evaluator decides; this
 * package reads the rows for it and bounds what that costs.
 */
@NullMarked
package io.tidemark.platform.alerting.backtest;

import org.jspecify.annotations.NullMarked;
