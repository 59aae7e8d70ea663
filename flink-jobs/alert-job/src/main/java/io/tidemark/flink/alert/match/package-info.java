/** Which rules a row concerns. The cost follows rows that a rule fits, not the number of rules. */
@NullMarked
package io.tidemark.flink.alert.match;

import org.jspecify.annotations.NullMarked;
