/** What the pipeline tells of exceeded budgets, from its topic. */
@NullMarked
package io.tidemark.platform.quotas.kafka;

import org.jspecify.annotations.NullMarked;
