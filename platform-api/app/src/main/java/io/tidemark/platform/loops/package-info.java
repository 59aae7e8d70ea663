/**
 * When each loop that works in the background last got something done, as metrics of the platform.
 *
 * <p>Words: a <em>loop</em> is a thread that does the same work again after a <em>period</em>; one
 * pass is a <em>round</em>. Every process with the loop's role runs it, and they share the work, so
 * the latest success of any of them counts. It starts no loop and knows no work. Loops that a
 * process runs for itself alone, and followers of topics, are not here: the lag of their groups
 * shows these. Guarded by {@code BackgroundLoopsTest} and {@code ScrapeIT}.
 */
@ApplicationModule(allowedDependencies = {})
@NullMarked
package io.tidemark.platform.loops;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
