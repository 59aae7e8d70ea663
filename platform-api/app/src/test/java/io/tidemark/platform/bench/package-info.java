/**
 * Measures what receiving costs, by {@code make bench-ingest}: processes of their own, as they are
 * shipped, and a sender in this one.
 */
package io.tidemark.platform.bench;
