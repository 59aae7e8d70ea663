/** Usage records that the pipeline writes. */
package io.tidemark.platform.billing.kafka;
