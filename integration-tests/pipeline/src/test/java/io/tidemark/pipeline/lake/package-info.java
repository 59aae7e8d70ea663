/** What the lake holds, against what was acknowledged and what Druid holds. */
package io.tidemark.pipeline.lake;
