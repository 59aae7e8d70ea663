/** What makes a point acceptable, and how rejections are counted. Pure. */
package io.tidemark.platform.ingest.domain;
