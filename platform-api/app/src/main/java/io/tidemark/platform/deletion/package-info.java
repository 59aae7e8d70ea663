/**
 * Removes data from the stores for good, and proves it.
 *
 * <p>Words: a <em>removal</em> is rows of an environment that go from Druid and from the lake: of a
 * metric or series, because somebody asked for it; of the whole environment, because it was
 * deleted; or those that have expired. <em>Rules</em> say which rows; a row goes only when one fits
 * it. A removal is <em>settled</em> when nothing that was accepted before can arrive any more; only
 * a look after that says that a store is done. While the pipeline has not stated that it is
 * complete beyond what was accepted, a removal settles later. The <em>certificate</em> says what
 * was removed where. Druid's rows are removed from here, by tasks of its own; the lake's by its
 * committer, which is told by {@code control.removals.v1} and answers on {@code
 * pipeline.removals.v1}. A <em>second region</em> takes the same steps in its own stores, and what
 * somebody asked for is certified when it has. It does not decide how long data are kept. Guarded
 * by {@code DruidDeletionStepTest}, {@code DeletionsApiIT}, {@code RegionDeletionsIT} and, on the
 * real engines, {@code DeletionIT} and {@code TwoRegions}.
 */
@ApplicationModule(
    allowedDependencies = {
      "druid",
      "kafka",
      "shared",
      "loops",
      "audit",
      "tenancy",
      "retention",
      "outbox",
      "completeness"
    })
@NullMarked
package io.tidemark.platform.deletion;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
