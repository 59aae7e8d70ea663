/**
 * The way of an environment's points through the pipeline: what flows, and how far it is.
 *
 * <p>Words: a <em>place</em> is a service, topic, job or store; an <em>edge</em> leads from one to
 * the next. A <em>watermark</em> says what has gone over an edge for good, a <em>lag</em> how old
 * that is. Every figure is another module's: receipts count points, Druid counts rows, {@code
 * completeness} knows watermarks, {@code alerting} what is decided, {@code billing} what is in the
 * ledger. What nobody knows is shown as unknown, with the reason. Bounded: ten minutes of one
 * environment, and an answer is kept for ten seconds. It stores nothing and changes nothing. Flat.
 * Guarded by {@code LineageGraphTest}, {@code LineageApiIT} and, on the real engines, {@code
 * MainPathIT}.
 */
@ApplicationModule(
    allowedDependencies = {
      "shared",
      "audit",
      "tenancy",
      "metricstore",
      "completeness",
      "receipts",
      "alerting",
      "billing"
    })
@NullMarked
package io.tidemark.platform.lineage;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
