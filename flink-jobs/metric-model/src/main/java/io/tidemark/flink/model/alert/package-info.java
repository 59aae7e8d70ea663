/**
 * Alert rules and how they are decided, minute by minute, in plain Java: the same code decides the
 * stream and a backtest.
 *
 * <p>Words: a <em>signal</em> is the number that a rule looks at, once a minute and <em>group</em>
 * (a series, or all rows with the same values of some labels). A minute is <em>decided</em> when
 * its rows are complete; rows that come later <em>revise</em> it, which may correct or retract an
 * incident. An <em>incident</em> lasts from the minute that fired until the minute that is normal
 * again.
 */
@NullMarked
package io.tidemark.flink.model.alert;

import org.jspecify.annotations.NullMarked;
