/**
 * What this platform does for tenants and bills: counts by process and hour, kept in PostgreSQL
 * until the usage ledger has them.
 *
 * <p>Words: a <em>tally</em> is what one process counted of one subject and meter in one hour. It
 * is added in the transaction of what it counts, or, where there is none, before the answer leaves.
 * A <em>sample</em> is measured once an hour, by whichever process comes first. It prices nothing
 * and owns no ledger ({@code billing}). Flat. Guarded by {@code UsageTallyIT}.
 */
@ApplicationModule(allowedDependencies = "shared")
@NullMarked
package io.tidemark.platform.usage;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
