/** The topics by which the pipeline reads alert rules and says what became of alerts. */
package io.tidemark.platform.alerting.kafka;
