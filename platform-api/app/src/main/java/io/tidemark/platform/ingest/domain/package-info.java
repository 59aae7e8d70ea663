/** What makes a point acceptable, and how rejections are counted. Pure. */
@NullMarked
package io.tidemark.platform.ingest.domain;

import org.jspecify.annotations.NullMarked;
