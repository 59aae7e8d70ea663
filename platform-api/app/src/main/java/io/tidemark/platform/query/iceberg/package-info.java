/** Reads from the lake, Iceberg tables, what Druid does not keep any more. */
package io.tidemark.platform.query.iceberg;
