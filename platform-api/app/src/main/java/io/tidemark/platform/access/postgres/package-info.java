/** Keys in PostgreSQL, table api_key. */
package io.tidemark.platform.access.postgres;
