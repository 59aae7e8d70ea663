/** What the pipeline tells of exceeded budgets, from its topic. */
package io.tidemark.platform.quotas.kafka;
