/**
 * What a customer sends comes back: from every door to the Metrics API, and what people configure
 * on the way.
 */
package io.tidemark.pipeline.path;
