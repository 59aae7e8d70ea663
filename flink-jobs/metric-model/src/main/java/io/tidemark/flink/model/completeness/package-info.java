/**
 * How far rows are complete, per tenant, and which windows changed afterwards: what the job states,
 * and how readers understand it.
 */
@NullMarked
package io.tidemark.flink.model.completeness;

import org.jspecify.annotations.NullMarked;
