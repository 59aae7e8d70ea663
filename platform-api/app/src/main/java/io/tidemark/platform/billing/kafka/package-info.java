/** Usage records that the pipeline writes. */
@NullMarked
package io.tidemark.platform.billing.kafka;

import org.jspecify.annotations.NullMarked;
