/** The topics by which the pipeline reads alert rules and says what became of alerts. */
@NullMarked
package io.tidemark.platform.alerting.kafka;

import org.jspecify.annotations.NullMarked;
