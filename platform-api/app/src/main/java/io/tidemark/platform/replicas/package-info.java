/**
 * What processes of platform-api that run beside each other tell each other: how much of limits was
 * used at each, so that a limit holds over all of them, and whose rows changed, so that none goes
 * by what it remembers.
 *
 * <p>Words: a <em>count</em> is an amount of something limited that a <em>holder</em> used at one
 * process. Every process writes its counts once a second and reads those of the others. It knows no
 * limit and refuses nobody: modules that do open a count of theirs. A <em>row change</em> is heard
 * from PostgreSQL, which notifies at commit; modules that remember rows ask for it. Flat. Guarded
 * by {@code SharedCountsTest}, {@code RowChangesTest}, {@code RowChangeListenerIT} and {@code
 * RolesIT}.
 */
@ApplicationModule(allowedDependencies = "shared")
@NullMarked
package io.tidemark.platform.replicas;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
